// Results live in their operands' memory; an operand that is needed afterwards is copied first.
// RUN: ds-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// CHECK-LABEL: func.func @an_all_reduce_is_in_place(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<2xf32>)
// CHECK-NEXT: ds.all_reduce sum %[[A]], %[[B]] {fusion = 3 : i64, names = {{\[\[}}"w"], ["b"]]} : memref<4xf32>, memref<2xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @an_all_reduce_is_in_place(%a: tensor<4xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %r:2 = ds.all_reduce sum %a, %b {fusion = 3 : i64, names = [["w"], ["b"]]} : tensor<4xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @an_operand_that_lives_on_is_copied(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[COPY]]
// CHECK: ds.all_reduce sum %[[COPY]]
// CHECK: return %[[COPY]], %[[A]]
func.func @an_operand_that_lives_on_is_copied(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r, %a : tensor<4xf32>, tensor<4xf32>
}

// A slice at a position that only the run knows has no address of its own.
// CHECK-LABEL: func.func @a_slice_at_a_loops_position_is_copied(
// CHECK: %[[SLICE:.*]] = memref.subview
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK: memref.copy %[[SLICE]], %[[COPY]]
// CHECK: ds.all_reduce sum %[[COPY]]
// CHECK: memref.copy %[[COPY]], %[[SLICE]]
func.func @a_slice_at_a_loops_position_is_copied(%a: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %s = tensor.extract_slice %a[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r = ds.all_reduce sum %s : tensor<4xf32>
  %o = tensor.insert_slice %r into %a[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %o : tensor<16xf32>
}

// CHECK-LABEL: func.func @a_gradient_mark_vanishes(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK-NEXT: return %[[A]]
func.func @a_gradient_mark_vanishes(%a: tensor<4xf32>) -> tensor<4xf32> {
  %g = ds.gradient %a of "w" : tensor<4xf32>
  return %g : tensor<4xf32>
}

// The buffer in flight is not the one that is filled meanwhile.
// CHECK-LABEL: func.func @a_buffer_in_flight_is_left_alone(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: %[[P:.*]] = ds.all_reduce_start sum %[[COPY]] : memref<4xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[A]]
// CHECK: ds.wait %[[P]], %[[COPY]] : memref<4xf32>
// CHECK: return %[[COPY]], %[[A]]
func.func @a_buffer_in_flight_is_left_alone(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = ds.wait %p, %t : tensor<4xf32>
  return %r, %f : tensor<4xf32>, tensor<4xf32>
}

// A slice in flight cannot be copied back before the wait: from the start on its copy is read, and what is put back comes from there.
// CHECK-LABEL: func.func @a_slice_in_flight_is_a_copy(
// CHECK-SAME: %[[A:.*]]: memref<4x4xf32>)
// CHECK: %[[SLICE:.*]] = memref.subview %[[A]][0, 1] [4, 2] [1, 1]
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %[[SLICE]], %[[COPY]]
// CHECK: %[[P:.*]] = ds.all_reduce_start sum %[[COPY]] : memref<4x2xf32>
// CHECK-NOT: memref.copy
// CHECK: ds.wait %[[P]], %[[COPY]] : memref<4x2xf32>
// CHECK: memref.copy %[[COPY]], %{{.*}} : memref<4x2xf32>
// CHECK: return %[[A]]
func.func @a_slice_in_flight_is_a_copy(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %a[0, 1] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %t, %p = ds.all_reduce_start sum %s : tensor<4x2xf32>
  %r = ds.wait %p, %t : tensor<4x2xf32>
  %b = tensor.insert_slice %r into %a[0, 1] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @a_broadcast_is_in_place(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK-NEXT: ds.broadcast %[[A]] from 1 : memref<4xf32>
// CHECK-NEXT: return %[[A]]
func.func @a_broadcast_is_in_place(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.broadcast %a from 1 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @shares_go_to_their_destination(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[S:.*]]: memref<2xf32>)
// CHECK-NEXT: ds.reduce_scatter sum %[[A]] into %[[S]] along 0 : memref<4xf32> into memref<2xf32>
// CHECK-NEXT: ds.all_gather %[[S]] into %[[A]] along 0 : memref<2xf32> into memref<4xf32>
// CHECK-NEXT: return %[[A]]
func.func @shares_go_to_their_destination(%a: tensor<4xf32>, %s: tensor<2xf32>) -> tensor<4xf32> {
  %x = ds.reduce_scatter sum %a into %s along 0 : tensor<4xf32> into tensor<2xf32>
  %y = ds.all_gather %x into %a along 0 : tensor<2xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}

// What leaves stays as it is until the wait: who would overwrite it in between gets memory of its own.
// CHECK-LABEL: func.func @what_leaves_is_kept_until_the_wait(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[S:.*]]: memref<2xf32>)
// CHECK-NEXT: %[[P:.*]] = ds.reduce_scatter_start sum %[[A]] into %[[S]] along 0 : memref<4xf32> into memref<2xf32>
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: outs(%[[COPY]]
// CHECK: ds.wait %[[P]], %[[S]] : memref<2xf32> keeping %[[A]] : memref<4xf32>
func.func @what_leaves_is_kept_until_the_wait(%a: tensor<4xf32>, %s: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %t, %p = ds.reduce_scatter_start sum %a into %s along 0 : tensor<4xf32> into tensor<2xf32>
  %d = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = ds.wait %p, %t : tensor<2xf32> keeping %a : tensor<4xf32>
  return %r, %d : tensor<2xf32>, tensor<4xf32>
}

// Columns of a matrix do not lie side by side: they are exchanged through a copy.
// CHECK-LABEL: func.func @a_slice_is_exchanged_through_a_copy(
// CHECK-SAME: %[[A:.*]]: memref<4x4xf32>)
// CHECK: %[[PART:.*]] = memref.subview %[[A]]
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}: memref<4x2xf32>
// CHECK: memref.copy %[[PART]], %[[COPY]]
// CHECK: ds.all_reduce sum %[[COPY]] : memref<4x2xf32>
// CHECK: memref.copy %[[COPY]], %[[PART]]
func.func @a_slice_is_exchanged_through_a_copy(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %a[0, 1] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %r = ds.all_reduce sum %s : tensor<4x2xf32>
  %b = tensor.insert_slice %r into %a[0, 1] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @rows_lie_side_by_side(
// CHECK-NOT: memref.alloc
// CHECK: ds.broadcast %{{.*}} from 0 : memref<2x4xf32, strided<[4, 1], offset: 4>>
// CHECK-NOT: memref.alloc
func.func @rows_lie_side_by_side(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %a[1, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %r = ds.broadcast %s from 0 : tensor<2x4xf32>
  %b = tensor.insert_slice %r into %a[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// What is gathered is read only, so the copy is not written back.
// CHECK-LABEL: func.func @columns_are_gathered_from_a_copy(
// CHECK-SAME: %[[A:.*]]: memref<4x4xf32>, %[[OUT:.*]]: memref<8x2xf32>)
// CHECK: %[[PART:.*]] = memref.subview %[[A]]
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}: memref<4x2xf32>
// CHECK: memref.copy %[[PART]], %[[COPY]]
// CHECK: ds.all_gather %[[COPY]] into %[[OUT]] along 0
// CHECK-NOT: memref.copy
func.func @columns_are_gathered_from_a_copy(%a: tensor<4x4xf32>, %out: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %s = tensor.extract_slice %a[0, 1] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %r = ds.all_gather %s into %out along 0 : tensor<4x2xf32> into tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// It reads its operand while it writes: a destination that is the operand is another buffer.
// CHECK-LABEL: func.func @an_exchange_has_memory_of_its_own(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK-NOT: ds.all_to_all %[[A]] into %[[A]]
// CHECK: ds.all_to_all %{{.*}} into %{{.*}} split 0 concat 0 : memref<4xf32> into memref<4xf32>
// CHECK: return
func.func @an_exchange_has_memory_of_its_own(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_to_all %a into %a split 0 concat 0 : tensor<4xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @an_exchange_goes_to_its_destination(
// CHECK-SAME: %[[A:.*]]: memref<4x2xf32>, %[[O:.*]]: memref<2x4xf32>)
// CHECK-NEXT: ds.all_to_all %[[A]] into %[[O]] split 0 concat 1 : memref<4x2xf32> into memref<2x4xf32>
// CHECK-NEXT: return %[[O]]
func.func @an_exchange_goes_to_its_destination(%a: tensor<4x2xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = ds.all_to_all %a into %o split 0 concat 1 : tensor<4x2xf32> into tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @a_permutation_has_memory_of_its_own(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>)
// CHECK: memref.alloc() {{.*}}: memref<4xf32>
// CHECK-NOT: ds.collective_permute %[[A]] into %[[A]]
// CHECK: ds.collective_permute %{{.*}} into %{{.*}} from [1, 0] : memref<4xf32> into memref<4xf32>
// CHECK: return
func.func @a_permutation_has_memory_of_its_own(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.collective_permute %a into %a from [1, 0] : tensor<4xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// A half of a buffer is another type of memref, and of the same shape.
// CHECK-LABEL: func.func @a_permutation_goes_to_its_destination(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[O:.*]]: memref<2xf32>)
// CHECK-NEXT: %[[HALF:.*]] = memref.subview %[[A]][2] [2] [1]
// CHECK-NEXT: ds.collective_permute %[[HALF]] into %[[O]] from [1, 0] : memref<2xf32, strided<[1], offset: 2>> into memref<2xf32>
// CHECK-NEXT: return %[[O]]
func.func @a_permutation_goes_to_its_destination(%a: tensor<4xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  %half = tensor.extract_slice %a[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %r = ds.collective_permute %half into %o from [1, 0] : tensor<2xf32> into tensor<2xf32>
  return %r : tensor<2xf32>
}
