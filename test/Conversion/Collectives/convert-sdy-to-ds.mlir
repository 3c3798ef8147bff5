// RUN: ds-opt %s -allow-unregistered-dialect -convert-shard-to-ds -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-NOT: sdy.
// CHECK-LABEL: func.func @step
// CHECK-SAME: %[[W:.*]]: tensor<4x8xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {ds.batch = 0 : i64, ds.sharding = #ds.sharding<[{"dp", ?}, {}]>}
// CHECK-SAME: %[[R:.*]]: tensor<8xf32>)
// CHECK-SAME: -> (tensor<4x8xf32> {ds.sharding = #ds.sharding<[{}, {"tp"}]>, ds.updates = "w"}, tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK: %[[RC:.*]] = ds.sharding_constraint %[[R]] <[{"tp"}]> : tensor<8xf32>
// CHECK: %[[E:.*]] = math.exp %[[RC]]
// CHECK: %[[H:.*]] = linalg.matmul
// CHECK: %[[HC:.*]] = ds.sharding_constraint %[[H]] <[{"dp"}, {"tp", ?}]> : tensor<8x8xf32>
// CHECK: %[[OUT:.*]] = ds.sharding_constraint %[[HC]] <[{"dp"}, {}]> : tensor<8x8xf32>
// CHECK: return %[[W]], %[[HC]], %[[OUT]]
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=2,tp=2">} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["tp"=2, "dp"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @step(%w: tensor<4x8xf32> {ds.param = "w", sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                  %x: tensor<8x4xf32> {ds.batch = 0 : i64, sdy.sharding = #sdy.sharding<@mesh, [{"dp", ?}, {}]>},
                  %r: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>})
      -> (tensor<4x8xf32> {ds.updates = "w", sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
          tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>},
          tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}) {
    %e = math.exp %r : tensor<8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %h = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
    %c = "sdy.sharding_constraint"(%h) <{sharding = #sdy.sharding<@mesh, [{"dp"}, {"tp", ?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %o = "sdy.sharding_constraint"(%c) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %w, %o, %o : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

// expected-error@+1 {{'sdy.mesh' op has an axis 'dp' of 2 devices; expected an axis of that name and size in 'mesh' of 'ds.config'}}
"sdy.mesh"() <{mesh = #sdy.mesh<["dp"=2]>, sym_name = "mesh"}> : () -> ()

// -----

module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=4">} {
  // expected-error@+1 {{has an axis 'dp' of 2 devices}}
  "sdy.mesh"() {mesh = #sdy.mesh<["dp"=2]>, sym_name = "mesh"} : () -> ()
}

// -----

// expected-error@+1 {{'sdy.manual_computation' op is no annotation of values; expected 'sdy.mesh' and 'sdy.sharding_constraint'}}
"sdy.manual_computation"() : () -> ()

// -----

// expected-error@+1 {{'sdy.mesh' op has no attribute 'mesh' of the form #sdy.mesh<["dp"=2]>}}
"sdy.mesh"() {sym_name = "mesh"} : () -> ()

// -----

// expected-error@+1 {{has an axis "dp":2, expected a name and a size, as in "dp"=2}}
"sdy.mesh"() {mesh = #sdy.mesh<["dp":2]>, sym_name = "mesh"} : () -> ()

// -----

// expected-error@+1 {{'sdy.mesh' op is <device_ids=[0]>, expected axes as in <["dp"=2, "tp"=2]>}}
"sdy.mesh"() {mesh = #sdy.mesh<device_ids=[0]>, sym_name = "mesh"} : () -> ()

// -----

// The mesh of a single device constrains nothing.
// CHECK-LABEL: func.func @single_device
"sdy.mesh"() {mesh = #sdy.mesh<[]>, sym_name = "mesh"} : () -> ()
func.func @single_device() {
  return
}

// -----

// expected-error@+1 {{the sharding #sdy.sharding<@mesh, [{}], unreduced={"dp"}> leaves a value unreduced, expected the dimensions alone}}
func.func @unreduced(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"dp"}>}) {
  return
}

// -----

// expected-error@+1 {{lists what is replicated, expected the dimensions alone}}
func.func @replicated(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"dp"}>}) {
  return
}

// -----

// expected-error@+1 {{shards over a part of an axis, expected whole axes; name its parts as axes}}
func.func @part(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp":(1)2}]>}) {
  return
}

// -----

// expected-error@+1 {{has priorities, expected dimensions without them}}
func.func @priority(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}p1]>}) {
  return
}

// -----

// expected-error@+1 {{names no mesh or no dimensions, expected @mesh, [{"dp"}, {}]}}
func.func @no_mesh(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<[{"dp"}]>}) {
  return
}

// -----

// expected-error@+1 {{'sdy.sharding' is "dp", expected #sdy.sharding<@mesh, [..]>}}
func.func @text(%a: tensor<4xf32> {sdy.sharding = "dp"}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op shards argument 1 as #ds.sharding<[{"dp"}]>, which has #ds.sharding<[{"tp"}]>}}
func.func @known(%a: tensor<4xf32> {ds.param = "a", ds.sharding = #ds.sharding<[{"tp"}]>, sdy.sharding = #sdy.sharding<@mesh, [{"dp"}]>}) {
  return
}

// -----

func.func @two(%a: tensor<4xf32>) {
  // expected-error@+1 {{'sdy.sharding_constraint' op expected one operand and one result}}
  "sdy.sharding_constraint"(%a, %a) <{sharding = #sdy.sharding<@mesh, [{"dp"}]>}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
