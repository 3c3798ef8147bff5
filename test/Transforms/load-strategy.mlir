// RUN: rm -rf %t && mkdir %t
// RUN: echo '{"ds_strategy": 1, "mesh": "dp=2,tp=2", "arguments": {"w": [[], ["tp"]], "x": [["dp"], []]}}' > %t/good.json
// RUN: ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/good.json" -ds-load-strategy | FileCheck %s

// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/none.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: strategy file '{{.*}}/none.json' cannot be read: no such file or directory

// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: strategy file '{{.*}}/strategy.json' cannot be read: no such file or directory

// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=/dev/zero" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: strategy file '/dev/zero' cannot be read: it is no file

// RUN: truncate -s 2G %t/long.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/long.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: strategy file '{{.*}}/long.json' cannot be read: it has more than 1.0 GiB

// RUN: echo '{"ds_strategy": 1,' > %t/text.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/text.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: strategy file '{{.*}}/text.json' is not JSON: [{{.*}}]

// RUN: %python -c 'print("{\"ds_strategy\": 1, \"arguments\": {\"w\": " + "[" * 200000)' > %t/deep.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/deep.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: strategy file '{{.*}}/deep.json' is not JSON: more than 500 brackets inside each other

// RUN: echo '[1]' > %t/list.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/list.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: strategy file '{{.*}}/list.json' is no strategy: expected an object with "ds_strategy": 1

// RUN: echo '{"ds_strategy": 2, "arguments": {}}' > %t/newer.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/newer.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: strategy file '{{.*}}/newer.json' has version 2, but this program reads version 1

// RUN: echo '{"ds_strategy": 1, "mesh": "dp=4", "arguments": {}}' > %t/mesh.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/mesh.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: error: strategy file '{{.*}}/mesh.json' is for the mesh 'dp=4', but this one is 'dp=2,tp=2'

// RUN: echo '{"ds_strategy": 1}' > %t/empty.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/empty.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: strategy file '{{.*}}/empty.json' has no "arguments"; expected an object of a list per argument

// RUN: echo '{"ds_strategy": 1, "arguments": {"weight": []}}' > %t/name.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/name.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: strategy file '{{.*}}/name.json' names 'weight', which is no argument of the step

// RUN: echo '{"ds_strategy": 1, "arguments": {"rate": []}}' > %t/rate.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/rate.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=RATE
// RATE: error: strategy file '{{.*}}/rate.json' names 'rate', which is neither a parameter nor a state nor samples

// RUN: echo '{"ds_strategy": 1, "arguments": {"w": [["tp"]]}}' > %t/rank.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/rank.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: echo '{"ds_strategy": 1, "arguments": {"w": [["tp"], ["tp"]]}}' > %t/rank.json
// RUN: not ds-opt %s -ds-check-config=config="strategy_ckpt_load_file=%t/rank.json" -ds-load-strategy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: strategy file '{{.*}}/rank.json' gives 'w' no sharding: expected 2 lists of distinct axes, one per dimension

module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2">} {
  // CHECK-LABEL: func.func @step(
  // CHECK-SAME: tensor<4x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
  // CHECK-SAME: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x", ds.sharding = #ds.sharding<[{"dp"}, {}]>}
  func.func @step(%w: tensor<4x4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"}, %rate: f32 {ds.name = "rate"}) -> (tensor<4x4xf32> {ds.updates = "w"}) {
    return %w : tensor<4x4xf32>
  }
}
