// Two linear layers with momentum, whose parameters and states are 8 MiB.
module attributes {ds.config = #ds.config<batch = global>} {
  func.func @step(%w1: tensor<512x1024xf32> {ds.param = "w1", ds.init = "glorot_uniform"}, %w2: tensor<1024x512xf32> {ds.param = "w2", ds.init = "glorot_uniform"},
                  %m1: tensor<512x1024xf32> {ds.state = "m1"}, %m2: tensor<1024x512xf32> {ds.state = "m2"},
                  %x: tensor<32x512xf32> {ds.batch = 0 : i64, ds.name = "x"}, %t: tensor<32x512xf32> {ds.batch = 0 : i64, ds.name = "t"})
      -> (tensor<512x1024xf32> {ds.updates = "w1"}, tensor<1024x512xf32> {ds.updates = "w2"}, tensor<512x1024xf32> {ds.updates = "m1"},
          tensor<1024x512xf32> {ds.updates = "m2"}, tensor<f32> {ds.metric = "loss"}) {
    %zero = arith.constant 0.0 : f32
    %ezh = tensor.empty() : tensor<32x1024xf32>
    %zh = linalg.fill ins(%zero : f32) outs(%ezh : tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<32x512xf32>, tensor<512x1024xf32>) outs(%zh : tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %ezy = tensor.empty() : tensor<32x512xf32>
    %zy = linalg.fill ins(%zero : f32) outs(%ezy : tensor<32x512xf32>) -> tensor<32x512xf32>
    %y = linalg.matmul ins(%h, %w2 : tensor<32x1024xf32>, tensor<1024x512xf32>) outs(%zy : tensor<32x512xf32>) -> tensor<32x512xf32>
    %d = arith.subf %y, %t : tensor<32x512xf32>
    %dd = arith.mulf %d, %d : tensor<32x512xf32>
    %el = tensor.empty() : tensor<f32>
    %zl = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
    %loss = linalg.reduce ins(%dd : tensor<32x512xf32>) outs(%zl : tensor<f32>) dimensions = [0, 1] (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
    %c = arith.constant dense<0.001> : tensor<32x512xf32>
    %dy = arith.mulf %d, %c : tensor<32x512xf32>
    %eht = tensor.empty() : tensor<1024x32xf32>
    %ht = linalg.transpose ins(%h : tensor<32x1024xf32>) outs(%eht : tensor<1024x32xf32>) permutation = [1, 0]
    %ezw2 = tensor.empty() : tensor<1024x512xf32>
    %zw2 = linalg.fill ins(%zero : f32) outs(%ezw2 : tensor<1024x512xf32>) -> tensor<1024x512xf32>
    %dw2 = linalg.matmul ins(%ht, %dy : tensor<1024x32xf32>, tensor<32x512xf32>) outs(%zw2 : tensor<1024x512xf32>) -> tensor<1024x512xf32>
    %ew2t = tensor.empty() : tensor<512x1024xf32>
    %w2t = linalg.transpose ins(%w2 : tensor<1024x512xf32>) outs(%ew2t : tensor<512x1024xf32>) permutation = [1, 0]
    %ezdh = tensor.empty() : tensor<32x1024xf32>
    %zdh = linalg.fill ins(%zero : f32) outs(%ezdh : tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %dh = linalg.matmul ins(%dy, %w2t : tensor<32x512xf32>, tensor<512x1024xf32>) outs(%zdh : tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %ext = tensor.empty() : tensor<512x32xf32>
    %xt = linalg.transpose ins(%x : tensor<32x512xf32>) outs(%ext : tensor<512x32xf32>) permutation = [1, 0]
    %ezw1 = tensor.empty() : tensor<512x1024xf32>
    %zw1 = linalg.fill ins(%zero : f32) outs(%ezw1 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %dw1 = linalg.matmul ins(%xt, %dh : tensor<512x32xf32>, tensor<32x1024xf32>) outs(%zw1 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %k1 = arith.constant dense<0.9> : tensor<512x1024xf32>
    %r1 = arith.constant dense<0.1> : tensor<512x1024xf32>
    %p1 = arith.mulf %m1, %k1 : tensor<512x1024xf32>
    %n1 = arith.addf %p1, %dw1 : tensor<512x1024xf32>
    %u1 = arith.mulf %n1, %r1 : tensor<512x1024xf32>
    %v1 = arith.subf %w1, %u1 : tensor<512x1024xf32>
    %k2 = arith.constant dense<0.9> : tensor<1024x512xf32>
    %r2 = arith.constant dense<0.1> : tensor<1024x512xf32>
    %p2 = arith.mulf %m2, %k2 : tensor<1024x512xf32>
    %n2 = arith.addf %p2, %dw2 : tensor<1024x512xf32>
    %u2 = arith.mulf %n2, %r2 : tensor<1024x512xf32>
    %v2 = arith.subf %w2, %u2 : tensor<1024x512xf32>
    return %v1, %v2, %n1, %n2, %loss : tensor<512x1024xf32>, tensor<1024x512xf32>, tensor<512x1024xf32>, tensor<1024x512xf32>, tensor<f32>
  }
}
