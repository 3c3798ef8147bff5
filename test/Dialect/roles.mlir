// Roles of arguments and results, on functions before and after bufferization.
// RUN: ds-opt %s | ds-opt | FileCheck %s

// CHECK: ds.fusion = 0 : i64, ds.init = "glorot_uniform", ds.layerwise_parallel, ds.param = "w"
// CHECK: ds.init = "zeros", ds.state = "w.momentum"
// CHECK: ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"
// CHECK: ds.batch = 0 : i64, ds.weight
// CHECK: ds.batch = 0 : i64, ds.index_range = array<i64: 0, 10, -100>, ds.unsigned
// CHECK: ds.batch = 0 : i64, ds.state = "hidden"
// CHECK: ds.apart, ds.batch = 0 : i64
// CHECK: ds.seed
// CHECK: -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<4x2xf32> {ds.updates = "w.momentum"}, tensor<f32> {ds.metric = "loss", ds.reduce = "mean"}, tensor<8xi32> {ds.batch = 0 : i64, ds.name = "prediction"})
func.func private @step(
    tensor<4x2xf32> {ds.param = "w", ds.init = "glorot_uniform", ds.fusion = 0 : i64, ds.layerwise_parallel},
    tensor<4x2xf32> {ds.state = "w.momentum", ds.init = "zeros"},
    tensor<8x4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"},
    tensor<8xf32> {ds.batch = 0 : i64, ds.weight},
    tensor<8xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 0, 10, -100>, ds.unsigned},
    tensor<8xf32> {ds.state = "hidden", ds.batch = 0 : i64}, tensor<16xf32> {ds.batch = 0 : i64, ds.apart}, tensor<2xi32> {ds.seed}, tensor<f32>)
    -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<4x2xf32> {ds.updates = "w.momentum"},
        tensor<f32> {ds.metric = "loss", ds.reduce = "mean"}, tensor<8xi32> {ds.batch = 0 : i64, ds.name = "prediction"})

// CHECK: func.func private @on_buffers(memref<4x2xf32> {ds.param = "w"}, memref<8x4xf32> {ds.batch = 0 : i64})
func.func private @on_buffers(memref<4x2xf32> {ds.param = "w"}, memref<8x4xf32> {ds.batch = 0 : i64})
