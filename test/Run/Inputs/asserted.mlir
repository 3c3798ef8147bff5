// Steps that assert: about one number of the batch, and about every index of an embedding, as torch-mlir writes it.

func.func @number(%w: tensor<4xf32> {ds.param = "w", ds.init = "ones"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 100.0 : f32
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %v = tensor.extract %x[%c0, %c0] : tensor<8x4xf32>
  %ok = arith.cmpf olt, %v, %limit : f32
  cf.assert %ok, "x must be below 100"
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
  %n = arith.subf %w, %g : tensor<4xf32>
  return %n : tensor<4xf32>
}

func.func @embedding(%t: tensor<5x4xf32> {ds.param = "t", ds.init = "ones"}, %i: tensor<8xi64> {ds.batch = 0, ds.name = "i"}) -> (tensor<5x4xf32> {ds.updates = "t"}, tensor<f32> {ds.metric = "sum", ds.reduce = "sum"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xi64>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%k: i64, %o: f32):
    %size = arith.constant 5 : i64
    %first = arith.constant 0 : i64
    %row = arith.index_cast %k : i64 to index
    %column = linalg.index 1 : index
    %below = arith.cmpi slt, %k, %size : i64
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %k, %first : i64
    cf.assert %above, "index must be larger or equal to 0"
    %v = tensor.extract %t[%row, %column] : tensor<5x4xf32>
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  %s = linalg.reduce { arith.addf } ins(%r : tensor<8x4xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  return %t, %s : tensor<5x4xf32>, tensor<f32>
}

// No range of the data keeps it.
func.func @parity(%w: tensor<4xf32> {ds.param = "w", ds.init = "ones"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}, %i: tensor<8xi32> {ds.batch = 0, ds.name = "i"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %x : tensor<8xi32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%k: i32, %v: f32, %o: f32):
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %bit = arith.andi %k, %one : i32
    %even = arith.cmpi eq, %bit, %none : i32
    cf.assert %even, "i must be even"
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  %g = linalg.reduce { arith.addf } ins(%r : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
  %n = arith.subf %w, %g : tensor<4xf32>
  return %n : tensor<4xf32>
}
