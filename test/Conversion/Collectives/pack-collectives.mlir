// RUN: ds-opt %s -ds-pack-collectives -split-input-file -verify-diagnostics | FileCheck %s

// A bucket is one tensor, a scalar among it one element.
// CHECK-LABEL: func.func @a_bucket_is_one_tensor
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<f32>)
// CHECK-DAG: %[[FA:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
// CHECK-DAG: %[[FS:.*]] = tensor.expand_shape %[[S]] [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK: %[[I:.*]] = tensor.insert_slice %[[FA]] into %{{.*}}[0] [6] [1]
// CHECK: %[[P:.*]] = tensor.insert_slice %[[FS]] into %[[I]][6] [1] [1]
// CHECK: %[[R:.*]] = ds.all_reduce sum %[[P]] {fusion = 1024 : i64, names = {{\[}}["a", "s"]]} : tensor<7xf32>
// CHECK: tensor.extract_slice %[[R]][0] [6] [1]
// CHECK: tensor.extract_slice %[[R]][6] [1] [1]
func.func @a_bucket_is_one_tensor(%a: tensor<2x3xf32>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>) {
  %r:2 = ds.all_reduce sum %a, %s {fusion = 1024 : i64, names = [["a"], ["s"]]} : tensor<2x3xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @what_is_flat_stays
// CHECK-NEXT: %[[R:.*]] = ds.all_reduce max %{{.*}} {names = {{\[}}["a"]]} : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @what_is_flat_stays(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce max %a {names = [["a"]]} : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Blocks of the first dimension lie one after another as they are; those of another one are moved together.
// CHECK-LABEL: func.func @blocks_lie_one_after_another
// CHECK-SAME: (%[[A:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<5x2xf32>
// CHECK-NOT: transpose
// CHECK: ds.reduce_scatter sum %{{.*}} into %{{.*}} along 0 : tensor<12xf32> into tensor<6xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<5x2x1xf32>) outs(%{{.*}} : tensor<2x5x1xf32>) permutation = [1, 0, 2]
// CHECK: ds.reduce_scatter sum %{{.*}} into %{{.*}} along 0 : tensor<10xf32> into tensor<5xf32>
// CHECK-NOT: transpose
// CHECK: return
func.func @blocks_lie_one_after_another(%a: tensor<4x3xf32>, %b: tensor<5x2xf32>, %oa: tensor<2x3xf32>, %ob: tensor<5x1xf32>)
    -> (tensor<2x3xf32>, tensor<5x1xf32>) {
  %r = ds.reduce_scatter sum %a into %oa along 0 : tensor<4x3xf32> into tensor<2x3xf32>
  %s = ds.reduce_scatter sum %b into %ob along 1 : tensor<5x2xf32> into tensor<5x1xf32>
  return %r, %s : tensor<2x3xf32>, tensor<5x1xf32>
}

// -----

// Row r of a packed bucket is block r of each value.
// CHECK-LABEL: func.func @a_bucket_has_a_row_for_each_rank
// CHECK: ds.all_gather %{{.*}} into %{{.*}} along 0 : tensor<5xf32> into tensor<10xf32>
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [2, 5]
// CHECK: tensor.extract_slice %[[ROWS]][0, 0] [2, 3] [1, 1]
// CHECK: tensor.extract_slice %[[ROWS]][0, 3] [2, 2] [1, 1]
func.func @a_bucket_has_a_row_for_each_rank(%a: tensor<1x3xf32>, %b: tensor<2xf32>, %oa: tensor<2x3xf32>, %ob: tensor<4xf32>)
    -> (tensor<2x3xf32>, tensor<4xf32>) {
  %r:2 = ds.all_gather %a, %b into %oa, %ob along 0 : tensor<1x3xf32>, tensor<2xf32> into tensor<2x3xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @blocks_are_split_and_put_together_in_their_dimensions
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x2x4xf32>)
// CHECK: ds.all_to_all %{{.*}} into %{{.*}} split 0 concat 0 : tensor<16xf32> into tensor<16xf32>
// CHECK-NOT: transpose
// CHECK: return
func.func @blocks_are_split_and_put_together_in_their_dimensions(%x: tensor<2x8xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = ds.all_to_all %x into %o split 1 concat 0 : tensor<2x8xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// A start packs, its wait unpacks and keeps what was packed.
// CHECK-LABEL: func.func @a_start_packs_and_its_wait_unpacks
// CHECK: %[[P:.*]] = tensor.collapse_shape
// CHECK: %[[S:.*]], %[[H:.*]] = ds.reduce_scatter_start sum %[[P]] into %{{.*}} along 0 : tensor<12xf32> into tensor<6xf32>
// CHECK: math.exp
// CHECK: %[[W:.*]] = ds.wait %[[H]], %[[S]] : tensor<6xf32> keeping %[[P]] : tensor<12xf32>
// CHECK: tensor.expand_shape %[[W]]
func.func @a_start_packs_and_its_wait_unpacks(%a: tensor<4x3xf32>, %o: tensor<2x3xf32>, %x: tensor<8xf32>) -> (tensor<2x3xf32>, tensor<8xf32>) {
  %s, %p = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4x3xf32> into tensor<2x3xf32>
  %e = math.exp %x : tensor<8xf32>
  %r = ds.wait %p, %s : tensor<2x3xf32> keeping %a : tensor<4x3xf32>
  return %r, %e : tensor<2x3xf32>, tensor<8xf32>
}

// -----

// Buffers are in place: they are not packed.
// CHECK-LABEL: func.func @buffers_stay
// CHECK-NEXT: ds.all_reduce sum %{{.*}}, %{{.*}} : memref<2x3xf32>, memref<f32>
func.func @buffers_stay(%a: memref<2x3xf32>, %s: memref<f32>) {
  ds.all_reduce sum %a, %s : memref<2x3xf32>, memref<f32>
  return
}

// -----

func.func @blocks_within_one_dimension_need_the_number_of_ranks(%x: tensor<2x8xf32>, %o: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{within dimension 1 cannot be executed; expected 'ds.config' to say how many ranks there are, or a 'group'}}
  %r = ds.all_to_all %x into %o split 1 concat 1 : tensor<2x8xf32> into tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
