// RUN: ds-opt %s --ds-fuse-all-reduce --split-input-file --verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all

module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1]>} {
func.func @says_what_a_bucket_holds(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<6xf32>) -> (tensor<4xf32>, tensor<5xf32>, tensor<6xf32>) {
  // expected-remark @below {{Reason="an index of the policy ends it", Remark="gradient bucket", bytes=16, id=1024, members=1}}
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  %1 = ds.all_reduce sum %b : tensor<5xf32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=44, id=1025, members=2}}
  %2 = ds.all_reduce sum %c : tensor<6xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<5xf32>, tensor<6xf32>
}
}

// -----
func.func @says_why_a_bucket_is_split(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="the next one depends on a member", Remark="gradient bucket", bytes=16, id=1024, members=1}}
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  // expected-remark @below {{starts a bucket of its own because it depends on a member}}
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=16, id=1025, members=1}}
  %1 = ds.all_reduce sum %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
module attributes {ds.config = #ds.config<largest_message = 1>} {
func.func @says_that_a_bucket_is_full(%a: tensor<262144xf32>, %b: tensor<5xf32>, %c: tensor<6xf32>) -> (tensor<262144xf32>, tensor<5xf32>, tensor<6xf32>) {
  // expected-remark @below {{Reason="the next one would exceed the largest message", Remark="gradient bucket", bytes=1048576, id=1024, members=1}}
  %0 = ds.all_reduce sum %a : tensor<262144xf32>
  // expected-remark @below {{starts a bucket of its own because the one before would exceed the largest message", largest_message=1048576}}
  %1 = ds.all_reduce sum %b : tensor<5xf32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=44, id=1025, members=2}}
  %2 = ds.all_reduce sum %c : tensor<6xf32>
  return %0, %1, %2 : tensor<262144xf32>, tensor<5xf32>, tensor<6xf32>
}
}

// -----
// The last index that splits, and the first that does not.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1, 2]>} {
// expected-warning @below {{'all_reduce_fusion_config' index 2 is ignored, because only 2 gradients are counted}}
func.func @warns_of_an_index_that_splits_nothing(%a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  // expected-remark @below {{Reason="an index of the policy ends it", Remark="gradient bucket", bytes=16, id=1024, members=1}}
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=20, id=1025, members=1}}
  %1 = ds.all_reduce sum %b : tensor<5xf32>
  return %0, %1 : tensor<4xf32>, tensor<5xf32>
}
}

// -----
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1], mindspore_inclusive = true>} {
// expected-warning @below {{'all_reduce_fusion_config' is ignored, because parameters carry different 'ds.fusion'}}
func.func @warns_of_mixed_ids(%a: tensor<4xf32> {ds.param = "a", ds.fusion = 2 : i64}, %b: tensor<5xf32> {ds.param = "b"}) -> (tensor<4xf32>, tensor<5xf32>) {
  // expected-remark @below {{Reason="nothing else has its id", Remark="gradient bucket", bytes=16, id=2, members=1}}
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<4xf32>
  // expected-remark @below {{Reason="nothing else has its id", Remark="gradient bucket", bytes=20, id=1, members=1}}
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<5xf32>
  return %0, %1 : tensor<4xf32>, tensor<5xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "none">} {
func.func @says_that_fusion_is_off(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="fusion is off"}}
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "size:1">} {
func.func @says_that_a_bucket_has_its_size(%a: tensor<262144xf32>, %b: tensor<5xf32>) -> (tensor<262144xf32>, tensor<5xf32>) {
  // expected-remark @below {{Reason="it has the bytes of the policy"}}
  %0 = ds.all_reduce sum %a : tensor<262144xf32>
  // expected-remark @below {{Reason="nothing else is left to share it"}}
  %1 = ds.all_reduce sum %b : tensor<5xf32>
  return %0, %1 : tensor<262144xf32>, tensor<5xf32>
}
}

// -----
// A member of another type ends a bucket only where none of its own type follows.
func.func @says_what_differs(%a: tensor<4xf32>, %b: tensor<5xbf16>, %c: tensor<6xf32>, %d: tensor<7xf16>, %m: tensor<f32>, %n: tensor<f32>)
    -> (tensor<4xf32>, tensor<5xbf16>, tensor<6xf32>, tensor<7xf16>, tensor<f32>, tensor<f32>) {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  // expected-remark @below {{Reason="the next one has another wire type", Remark="gradient bucket", bytes=10}}
  %1 = ds.all_reduce sum %b : tensor<5xbf16>
  // expected-remark @below {{Reason="the next one has another wire type", Remark="gradient bucket", bytes=40, id=1024, members=2}}
  %2 = ds.all_reduce sum %c : tensor<6xf32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=14}}
  %3 = ds.all_reduce sum %d : tensor<7xf16>
  // expected-remark @below {{Reason="the next one is another reduction", Remark="metric bucket"}}
  %4 = ds.all_reduce sum %m {purpose = #ds<purpose metric>} : tensor<f32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="metric bucket"}}
  %5 = ds.all_reduce max %n {purpose = #ds<purpose metric>} : tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<5xbf16>, tensor<6xf32>, tensor<7xf16>, tensor<f32>, tensor<f32>
}

// -----
func.func @a_member_that_joins_takes_the_reason_away(%a: tensor<4xf32>, %b: tensor<5xbf16>, %c: tensor<6xf32>) -> (tensor<4xf32>, tensor<5xbf16>, tensor<6xf32>) {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=10}}
  %1 = ds.all_reduce sum %b : tensor<5xbf16>
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="gradient bucket", bytes=40}}
  %2 = ds.all_reduce sum %c : tensor<6xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<5xbf16>, tensor<6xf32>
}
