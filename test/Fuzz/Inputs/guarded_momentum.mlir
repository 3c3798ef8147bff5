// A branch keeps the old momentum; the new one is also the step of the parameter. Memory for the branches' result was the state itself.
#id = affine_map<(i) -> (i)>
#rows = affine_map<(b, i) -> (b, i)>
#columns = affine_map<(b, i) -> (i)>
#all = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %m: tensor<3xf32> {ds.state = "m"},
                  %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %none = arith.constant dense<0.0> : tensor<f32>
    %bound = arith.constant 1.5 : f32
    %half = arith.constant 0.5 : f32
    %g = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %total = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
        ins(%g : tensor<3xf32>) outs(%none : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    %e = tensor.empty() : tensor<3xf32>
    %trace = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%m, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.mulf %a, %half : f32
      %s = arith.addf %d, %b : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %size = tensor.extract %total[] : tensor<f32>
    %fits = arith.cmpf olt, %size, %bound : f32
    %case = arith.index_castui %fits : i1 to index
    %kept = scf.index_switch %case -> tensor<3xf32>
    case 1 {
      scf.yield %trace : tensor<3xf32>
    }
    default {
      scf.yield %m : tensor<3xf32>
    }
    %new = scf.if %fits -> (tensor<3xf32>) {
      scf.yield %trace : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    return %new, %kept : tensor<3xf32>, tensor<3xf32>
  }
}
