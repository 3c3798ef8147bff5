// RUN: ds-opt %s --split-input-file --ds-specialize | FileCheck %s
// RUN: ds-opt %s --split-input-file --ds-specialize --ds-specialize | FileCheck %s

// As torch-mlir prints a batch of any size: sizes are asked for, asserted to be equal, and given to empty tensors.
// CHECK-LABEL: func.func @sizes_follow_through_a_step(
// CHECK-SAME: %{{.*}}: tensor<3xf32> {ds.param = "w"}, %[[X:.*]]: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}
// CHECK-SAME: -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x1x3xf32> {ds.batch = 0 : i64, ds.name = "y"})
// CHECK-NOT: ?
// CHECK-NOT: cf.assert
// CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<8x3xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<8x3xf32>)
// CHECK-NOT: ?
// CHECK: return
module attributes {ds.config = #ds.config<batch = global, sizes = "batch=8">} {
  func.func @sizes_follow_through_a_step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<?x3xf32> {ds.batch = 0 : i64, ds.name = "x"},
      %t: tensor<?x3xf32> {ds.batch = 0 : i64, ds.name = "t"}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<?x1x3xf32> {ds.batch = 0 : i64, ds.name = "y"}) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %n = tensor.dim %x, %c0 : tensor<?x3xf32>
    %m = tensor.dim %t, %c0 : tensor<?x3xf32>
    %same = arith.cmpi eq, %n, %m : index
    cf.assert %same, "mismatched size for broadcast"
    %e = tensor.empty(%n) : tensor<?x3xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<?x3xf32>, tensor<3xf32>) outs(%e : tensor<?x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
    } -> tensor<?x3xf32>
    %d = arith.subf %y, %t : tensor<?x3xf32>
    %g = linalg.reduce { arith.addf } ins(%d : tensor<?x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = arith.subf %w, %g : tensor<3xf32>
    %r = tensor.expand_shape %d [[0], [1, 2]] output_shape [%n, 1, 3] : tensor<?x3xf32> into tensor<?x1x3xf32>
    return %new, %r : tensor<3xf32>, tensor<?x1x3xf32>
  }
}

// -----

// Without roles the leading dynamic dimensions are the batch; another dimension has the name of its argument.
// CHECK-LABEL: func.func @the_leading_dimensions_are_the_batch(
// CHECK-SAME: %{{.*}}: tensor<3xf32>, %{{.*}}: tensor<4x5xf32>, %{{.*}}: tensor<4xi32>) -> tensor<4x5xf32>
// CHECK: linalg.exp {{.*}} -> tensor<4x5xf32>
module attributes {ds.config = #ds.config<sizes = "batch=4,arg1.1=5">} {
  func.func @the_leading_dimensions_are_the_batch(%w: tensor<3xf32>, %x: tensor<?x?xf32>, %i: tensor<?xi32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tensor.dim %x, %c0 : tensor<?x?xf32>
    %m = tensor.dim %x, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%n, %m) : tensor<?x?xf32>
    %y = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %y : tensor<?x?xf32>
  }
}

// -----

// A function that the step calls gets the sizes of the call, once for each; a dimension of its own name goes before the batch.
// CHECK-LABEL: func.func @calls_are_inlined(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {{.*}}, %{{.*}}: tensor<8xf32>
// CHECK: math.exp %{{.*}} : tensor<4xf32>
// CHECK: math.exp %{{.*}} : tensor<8xf32>
// CHECK-NOT: @both
module attributes {ds.config = #ds.config<sizes = "batch=4,y.0=8">} {
  func.func private @both(%x: tensor<?xf32>) -> tensor<?xf32> {
    %y = math.exp %x : tensor<?xf32>
    return %y : tensor<?xf32>
  }
  func.func @calls_are_inlined(%x: tensor<?xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<?xf32> {ds.batch = 0 : i64, ds.name = "y"}) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = call @both(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %b = call @both(%y) : (tensor<?xf32>) -> tensor<?xf32>
    return %a, %b : tensor<?xf32>, tensor<?xf32>
  }
}

// -----

// Loops and branches carry the sizes on, and so does tosa.
// CHECK-LABEL: func.func @regions_and_tosa(
// CHECK-NOT: ?
// CHECK: scf.for {{.*}} -> (tensor<4x3xf32>)
// CHECK: scf.if {{.*}} -> (tensor<4x3xf32>)
// CHECK: scf.while {{.*}} : (index, tensor<4x3xf32>) -> (index, tensor<4x3xf32>)
// CHECK: tosa.exp {{.*}} -> tensor<4x3xf32>
// CHECK: tosa.reduce_sum {{.*}} -> tensor<4x1xf32>
// CHECK-NOT: ?
// CHECK: return
module attributes {ds.config = #ds.config<sizes = "batch=4">} {
  func.func @regions_and_tosa(%x: tensor<?x3xf32>, %c: i1, %k: index) -> tensor<?x1xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %l = scf.for %i = %c0 to %k step %c1 iter_args(%y = %x) -> (tensor<?x3xf32>) {
      %z = arith.addf %y, %x : tensor<?x3xf32>
      scf.yield %z : tensor<?x3xf32>
    }
    %b = scf.if %c -> (tensor<?x3xf32>) {
      %s = arith.mulf %l, %l : tensor<?x3xf32>
      scf.yield %s : tensor<?x3xf32>
    } else {
      scf.yield %x : tensor<?x3xf32>
    }
    %h:2 = scf.while (%n = %k, %y = %b) : (index, tensor<?x3xf32>) -> (tensor<?x3xf32>, index) {
      %t = arith.cmpi slt, %n, %c0 : index
      scf.condition(%t) %y, %n : tensor<?x3xf32>, index
    } do {
    ^bb0(%y: tensor<?x3xf32>, %n: index):
      %m = arith.addi %n, %c1 : index
      %z = arith.mulf %y, %y : tensor<?x3xf32>
      scf.yield %m, %z : index, tensor<?x3xf32>
    }
    %e = tosa.exp %h#0 : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %r = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
    return %r : tensor<?x1xf32>
  }
}

// -----

// Operations whose sizes upstream leaves dynamic follow, too, and so do loops of tosa.
// CHECK-LABEL: func.func @sizes_of_ours(
// CHECK-NOT: ?
// CHECK: tensor.concat {{.*}} -> tensor<8x3xf32>
// CHECK: tensor.gather {{.*}} -> tensor<2x4xf32>
// CHECK: tensor.scatter {{.*}} -> tensor<4x3xf32>
// CHECK: tensor.splat {{.*}} : tensor<4x3xf32>
// CHECK: tensor.reshape {{.*}} -> tensor<12xf32>
// CHECK: scf.while
// CHECK-NOT: ?
// CHECK: return
module attributes {ds.config = #ds.config<sizes = "batch=4">} {
  func.func @sizes_of_ours(%x: tensor<?x3xf32>, %f: f32, %s: tensor<1x3xf32>) -> (tensor<?x3xf32>, tensor<2x?xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %n = tensor.dim %x, %c0 : tensor<?x3xf32>
    %c = tensor.concat dim(0) %x, %x : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %k = arith.constant dense<[[0], [2]]> : tensor<2x1xindex>
    %g = tensor.gather %x[%k] gather_dims([1]) : (tensor<?x3xf32>, tensor<2x1xindex>) -> tensor<2x?xf32>
    %one = arith.constant dense<[[1]]> : tensor<1x1xindex>
    %t = tensor.scatter %s into %x[%one] scatter_dims([0]) unique : (tensor<1x3xf32>, tensor<?x3xf32>, tensor<1x1xindex>) -> tensor<?x3xf32>
    %p = tensor.splat %f[%n] : tensor<?x3xf32>
    %m = arith.muli %n, %c3 : index
    %shape = tensor.from_elements %m : tensor<1xindex>
    %r = tensor.reshape %x(%shape) : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32>
    %zero = arith.constant dense<0> : tensor<i32>
    %l:2 = tosa.while_loop (%i = %zero, %y = %x) : (tensor<i32>, tensor<?x3xf32>) -> (tensor<i32>, tensor<?x3xf32>) {
      %three = arith.constant dense<3> : tensor<i32>
      %less = tosa.greater %three, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %less : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %y: tensor<?x3xf32>):
      %o = arith.constant dense<1> : tensor<i32>
      %j = tosa.add %i, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = tosa.add %y, %x : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
      tosa.yield %j, %u : tensor<i32>, tensor<?x3xf32>
    }
    return %c, %g, %t, %p, %r, %l#1 : tensor<?x3xf32>, tensor<2x?xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>
  }
}

// -----

// Nothing is simplified where no size is asked for.
// CHECK-LABEL: func.func @static(
// CHECK: arith.addi
// CHECK-NEXT: return
func.func @static(%x: tensor<4xf32>) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.addi %c1, %c1 : index
  return %c2 : index
}
