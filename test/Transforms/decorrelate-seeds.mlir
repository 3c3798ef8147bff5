// RUN: ds-opt %s -split-input-file -ds-decorrelate-seeds -verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all | FileCheck %s

module attributes {ds.config = #ds.config<decorrelate_seeds = true>} {
  // Wide words take the hash in their low half; of several words only the first is hashed.
  // CHECK-LABEL: func.func @hashes_word_0_of_every_key
  // CHECK: %[[R:.*]] = ds.rank
  // CHECK: %[[X:.*]] = arith.index_cast %[[R]] : index to i32
  // CHECK: arith.extui %{{.*}} : i32 to i64
  // CHECK: %[[KEY:.*]] = linalg.generic
  // CHECK: linalg.index 0
  // CHECK: arith.xori
  // CHECK: arith.select
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  // CHECK: %[[BYTE:.*]] = linalg.generic
  // CHECK: return %[[KEY]], %[[BYTE]]
  // expected-remark @below {{argument 1 is hashed with the rank}}
  // expected-remark @below {{argument 2 is hashed with the rank}}
  func.func @hashes_word_0_of_every_key(%w: tensor<3xf32> {ds.param = "w"}, %key: tensor<4xi64> {ds.seed}, %byte: tensor<i8> {ds.seed})
      -> (tensor<4xi64>, tensor<i8>) {
    return %key, %byte : tensor<4xi64>, tensor<i8>
  }
}

// -----

module {
  // CHECK-LABEL: func.func @leaves_keys_alone_unless_asked
  // CHECK-NOT: ds.rank
  func.func @leaves_keys_alone_unless_asked(%key: tensor<2xi32> {ds.seed}) -> tensor<2xi32> {
    return %key : tensor<2xi32>
  }
}

// -----

module attributes {ds.config = #ds.config<decorrelate_seeds = true, device_num = 1>} {
  // CHECK-LABEL: func.func @one_rank_keeps_the_key
  // CHECK-NOT: ds.rank
  func.func @one_rank_keeps_the_key(%key: tensor<2xi32> {ds.seed}) -> tensor<2xi32> {
    return %key : tensor<2xi32>
  }
}
