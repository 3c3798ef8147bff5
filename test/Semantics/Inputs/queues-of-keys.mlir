// Two queues of the last keys: one is shifted, the other has a pointer. The gradient reads the keys of both.
#key = affine_map<(b, v) -> (b, v)>
#weight = affine_map<(b, v) -> (v)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "ones"},
      %shifted: tensor<36x3xf32> {ds.state = "shifted", ds.init = "ones"}, %ring: tensor<40x3xf32> {ds.state = "ring", ds.init = "ones"},
      %at: tensor<i64> {ds.state = "at"}, %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<36x3xf32> {ds.updates = "shifted"}, tensor<40x3xf32> {ds.updates = "ring"},
          tensor<i64> {ds.updates = "at"}, tensor<f32> {ds.metric = "loss"}) {
    %rate = arith.constant dense<0.0001> : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %zk = arith.constant dense<0.0> : tensor<16x3xf32>
    %zs = arith.constant dense<0.0> : tensor<16x76xf32>
    %e = tensor.empty() : tensor<16x3xf32>
    %et = tensor.empty() : tensor<3x76xf32>
    %keys = linalg.generic {indexing_maps = [#key, #weight, #key], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%e : tensor<16x3xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<16x3xf32>
    %queue = tensor.concat dim(0) %shifted, %ring : (tensor<36x3xf32>, tensor<40x3xf32>) -> tensor<76x3xf32>
    %columns = linalg.transpose ins(%queue : tensor<76x3xf32>) outs(%et : tensor<3x76xf32>) permutation = [1, 0]
    %scores = linalg.matmul ins(%keys, %columns : tensor<16x3xf32>, tensor<3x76xf32>) outs(%zs : tensor<16x76xf32>) -> tensor<16x76xf32>
    %dk = linalg.matmul ins(%scores, %queue : tensor<16x76xf32>, tensor<76x3xf32>) outs(%zk : tensor<16x3xf32>) -> tensor<16x3xf32>
    %dw = arith.mulf %dk, %x : tensor<16x3xf32>
    %g = linalg.reduce { arith.addf } ins(%dw : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %squares = arith.mulf %scores, %scores : tensor<16x76xf32>
    %loss = linalg.reduce { arith.addf } ins(%squares : tensor<16x76xf32>) outs(%z0 : tensor<f32>) dimensions = [0, 1]
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    %rest = tensor.extract_slice %shifted[0, 0] [20, 3] [1, 1] : tensor<36x3xf32> to tensor<20x3xf32>
    %next = tensor.concat dim(0) %keys, %rest : (tensor<16x3xf32>, tensor<20x3xf32>) -> tensor<36x3xf32>
    %pointer = tensor.extract %at[] : tensor<i64>
    %position = arith.index_cast %pointer : i64 to index
    %turned = tensor.insert_slice %keys into %ring[%position, 0] [16, 3] [1, 1] : tensor<16x3xf32> into tensor<40x3xf32>
    %eight = arith.constant dense<8> : tensor<i64>
    %size = arith.constant dense<24> : tensor<i64>
    %moved = arith.addi %at, %eight : tensor<i64>
    %then = arith.remsi %moved, %size : tensor<i64>
    return %new, %next, %turned, %then, %loss : tensor<3xf32>, tensor<36x3xf32>, tensor<40x3xf32>, tensor<i64>, tensor<f32>
  }
}
