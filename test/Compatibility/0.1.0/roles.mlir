module {
  func.func private @step(tensor<4x2xf32> {ds.fusion = 0 : i64, ds.init = "glorot_uniform", ds.layerwise_parallel, ds.param = "w"}, tensor<4x2xf32> {ds.init = "zeros", ds.state = "w.momentum"}, tensor<8x4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"}, tensor<8xf32> {ds.batch = 0 : i64, ds.weight}, tensor<8xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 0, 10, -100>, ds.unsigned}, tensor<8xf32> {ds.batch = 0 : i64, ds.state = "hidden"}, tensor<16xf32> {ds.apart, ds.batch = 0 : i64}, tensor<2xi32> {ds.seed}, tensor<f32>) -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<4x2xf32> {ds.updates = "w.momentum"}, tensor<f32> {ds.metric = "loss", ds.reduce = "mean"}, tensor<8xi32> {ds.batch = 0 : i64, ds.name = "prediction"})
  func.func private @on_buffers(memref<4x2xf32> {ds.param = "w"}, memref<8x4xf32> {ds.batch = 0 : i64})
}

