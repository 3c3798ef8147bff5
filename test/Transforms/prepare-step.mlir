// RUN: ds-opt %s --ds-prepare-step | FileCheck %s

// CHECK: #[[$X:.*]] = affine_map<(d0, d1) -> (d0 + d1 * 3)>

// An operand that no body reads is no input: a gradient is linear in its error here, whatever is made of the error's square.
// CHECK-LABEL: @unread
// CHECK-SAME: (%[[E:.*]]: tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<4xf32>)
// CHECK-NOT: linalg.generic
func.func @unread(%error: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %two = arith.constant 2.0 : f32
  %square = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%error : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %gradient = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%error, %square : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %unread: f32, %o: f32):
    %s = arith.mulf %a, %two : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %gradient : tensor<4xf32>
}

// The zeros of a dilated kernel are not read: the window's positions are as far apart as its elements.
// CHECK-LABEL: @dilated
// CHECK-SAME: (%[[SIGNAL:.*]]: tensor<11xf32>, %[[KERNEL:.*]]: tensor<3xf32>)
// CHECK-NOT: insert_slice
// CHECK: linalg.generic {indexing_maps = [#[[$X]], {{.*}}ins(%[[SIGNAL]], %[[KERNEL]] : tensor<11xf32>, tensor<3xf32>)
func.func @dilated(%x: tensor<11xf32>, %k: tensor<3xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<7xf32>
  %e5 = tensor.empty() : tensor<5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e7 : tensor<7xf32>) -> tensor<7xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %spread = tensor.insert_slice %k into %zeros[0] [3] [3] : tensor<3xf32> into tensor<7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %spread : tensor<11xf32>, tensor<7xf32>) outs(%none : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// They are where they mean something: in a sum of what they are added to, in a product, beside ones, and where the other operand is no window.
// CHECK-LABEL: @zeros_that_count
// CHECK-COUNT-3: tensor.insert_slice
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<11xf32>, tensor<7xf32>)
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<11xf32>, tensor<7xf32>)
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<11xf32>, tensor<7xf32>)
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<11xf32>, tensor<7xf32>)
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<7xf32>, tensor<7xf32>)
func.func @zeros_that_count(%x: tensor<11xf32>, %k: tensor<3xf32>, %z: tensor<7xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e7 = tensor.empty() : tensor<7xf32>
  %e5 = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<f32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e7 : tensor<7xf32>) -> tensor<7xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e7 : tensor<7xf32>) -> tensor<7xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %spread = tensor.insert_slice %k into %zeros[0] [3] [3] : tensor<3xf32> into tensor<7xf32>
  %behind = tensor.insert_slice %k into %zeros[1] [3] [2] : tensor<3xf32> into tensor<7xf32>
  %among = tensor.insert_slice %k into %ones[0] [3] [3] : tensor<3xf32> into tensor<7xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %spread : tensor<11xf32>, tensor<7xf32>) outs(%none : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.addf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %spread : tensor<11xf32>, tensor<7xf32>) outs(%none : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.mulf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %shifted = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %behind : tensor<11xf32>, tensor<7xf32>) outs(%none : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %beside = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %among : tensor<11xf32>, tensor<7xf32>) outs(%none : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %dot = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%z, %spread : tensor<7xf32>, tensor<7xf32>) outs(%nothing : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum, %product, %shifted, %beside, %dot : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>
}

// A reducer that calls functions on tensors of rank 0 combines scalars, which placement knows.
// CHECK-LABEL: func.func @a_reducer_that_calls(
// CHECK: (%[[IN:.*]]: f32, %[[OUT:.*]]: f32) {
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpf ogt, %[[IN]], %[[OUT]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.select %[[LESS]], %[[IN]], %[[OUT]] : f32
// CHECK-NEXT: linalg.yield %[[R]] : f32
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = arith.cmpf ogt, %a, %b : tensor<f32>
  %r = func.call @where(%c, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @where(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = arith.select %c, %a, %b : tensor<i1>, tensor<f32>
  return %r : tensor<f32>
}
func.func @a_reducer_that_calls(%x: tensor<4x3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  %s = linalg.reduce ins(%x : tensor<4x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0] (%in: f32, %out: f32) {
    %a = tensor.from_elements %in : tensor<f32>
    %b = tensor.from_elements %out : tensor<f32>
    %t = func.call @larger(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %r = tensor.extract %t[] : tensor<f32>
    linalg.yield %r : f32
  }
  return %s : tensor<3xf32>
}

// Nothing is computed of tensors without elements, and a sum over none is what it begins with.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %[[S:.*]]: tensor<3x0xf32>, %[[Z:.*]]: tensor<3xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<3x0xf32>
// CHECK-NEXT: return %[[E]], %[[Z]] : tensor<3x0xf32>, tensor<3xf32>
func.func @nothing(%s: tensor<3x0xf32>, %z: tensor<3xf32>) -> (tensor<3x0xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %d = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (tensor<3x0xf32>) {
    %u = arith.mulf %t, %t : tensor<3x0xf32>
    scf.yield %u : tensor<3x0xf32>
  }
  %r = linalg.reduce { arith.addf } ins(%d : tensor<3x0xf32>) outs(%z : tensor<3xf32>) dimensions = [1]
  return %d, %r : tensor<3x0xf32>, tensor<3xf32>
}

// Types lose their sign, since operations say how they read bits; samples of an unsigned type keep it as a role.
// CHECK-LABEL: func.func @types_without_a_sign(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xi8> {ds.batch = 0 : i64, ds.unsigned}, %[[S:.*]]: tensor<4xi32>) -> (tensor<8x4xi8>, tensor<4xf32>)
// CHECK-NOT: ui8
// CHECK-NOT: si32
// CHECK: %[[C:.*]] = arith.constant dense<-56> : tensor<8x4xi8>
// CHECK: %[[Y:.*]] = arith.divui %[[X]], %[[C]] : tensor<8x4xi8>
// CHECK: %[[F:.*]] = arith.sitofp %[[S]] : tensor<4xi32> to tensor<4xf32>
// CHECK: return %[[Y]], %[[F]]
ml_program.global private @of_bytes(dense<200> : tensor<8x4xui8>) : tensor<8x4xui8>
func.func private @as_bits(%x: tensor<8x4xui8>) -> tensor<8x4xi8> {
  %a = builtin.unrealized_conversion_cast %x : tensor<8x4xui8> to tensor<8x4xi8>
  return %a : tensor<8x4xi8>
}
func.func @types_without_a_sign(%x: tensor<8x4xui8> {ds.batch = 0 : i64}, %s: tensor<4xsi32>) -> (tensor<8x4xui8>, tensor<4xf32>) {
  %c = ml_program.global_load_const @of_bytes : tensor<8x4xui8>
  %a = func.call @as_bits(%x) : (tensor<8x4xui8>) -> tensor<8x4xi8>
  %b = func.call @as_bits(%c) : (tensor<8x4xui8>) -> tensor<8x4xi8>
  %q = arith.divui %a, %b : tensor<8x4xi8>
  %y = tensor.bitcast %q : tensor<8x4xi8> to tensor<8x4xui8>
  %t = tensor.bitcast %s : tensor<4xsi32> to tensor<4xi32>
  %f = arith.sitofp %t : tensor<4xi32> to tensor<4xf32>
  return %y, %f : tensor<8x4xui8>, tensor<4xf32>
}

// Blocks are branches and loops, in the step and in what it calls.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>, %[[FLAG:.*]]: i1, %[[N:.*]]: index)
// CHECK: %[[L:.*]]:2 = scf.while
// CHECK: scf.condition
// CHECK: %[[B:.*]] = scf.if %[[FLAG]] -> (tensor<3xf32>)
// CHECK: arith.mulf %[[L]]#1, %[[L]]#1
// CHECK-NOT: cf.br
// CHECK: return %[[B]]
func.func private @branches(%a: tensor<3xf32>, %b: i1) -> tensor<3xf32> {
  cf.cond_br %b, ^one, ^two
^one:
  %d = arith.mulf %a, %a : tensor<3xf32>
  cf.br ^end(%d : tensor<3xf32>)
^two:
  %twice = arith.addf %a, %a : tensor<3xf32>
  cf.br ^end(%twice : tensor<3xf32>)
^end(%c: tensor<3xf32>):
  return %c : tensor<3xf32>
}
func.func @blocks(%x: tensor<3xf32>, %flag: i1, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<3xf32>)
^head(%i: index, %y: tensor<3xf32>):
  %t = arith.cmpi slt, %i, %n : index
  cf.cond_br %t, ^body, ^end
^body:
  %z = arith.mulf %y, %x : tensor<3xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %z : index, tensor<3xf32>)
^end:
  %s = func.call @branches(%y, %flag) : (tensor<3xf32>, i1) -> tensor<3xf32>
  return %s : tensor<3xf32>
}
