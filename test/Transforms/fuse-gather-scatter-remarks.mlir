// RUN: ds-opt %s --ds-fuse-gather-scatter --split-input-file --verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all

module attributes {ds.config = #ds.config<comm_fusion = "allgather=all">} {
func.func @says_what_a_bucket_holds(%a: tensor<4xf32>, %b: tensor<2xf32>, %x: tensor<8xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<4xf32> into tensor<8xf32>
  // expected-remark @below {{state bucket", bytes=48, id=1024, members=2}}
  %1 = ds.all_gather %b into %y along 0 : tensor<2xf32> into tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "allgather=all">} {
func.func @says_why_a_bucket_is_split(%a: tensor<4xf32>, %x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-remark @below {{Reason="the next one depends on a member", Remark="state bucket", bytes=32, id=-1, members=1}}
  %0 = ds.all_gather %a into %x along 0 : tensor<4xf32> into tensor<8xf32>
  // expected-remark @below {{starts a bucket of its own because it depends on a member}}
  // expected-remark @below {{Reason="nothing else is left to share it", Remark="state bucket", bytes=64, id=-1, members=1}}
  %1 = ds.all_gather %0 into %y along 0 : tensor<8xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}
}
