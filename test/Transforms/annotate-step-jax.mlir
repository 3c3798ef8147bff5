// Two exports of JAX with donated parameters and momentum, which differ only in what they return first. Pairing by type, as
// JAX does, would be wrong for the second.
// RUN: ds-opt %S/Inputs/donated_params_first.mlir --inline --symbol-dce --canonicalize --cse --ds-annotate-step | FileCheck %s --check-prefixes=CHECK,PARAMS
// RUN: sed -f %S/Inputs/donated_state_first.sed %S/Inputs/donated_params_first.mlir > %t.mlir
// RUN: ds-opt %t.mlir --inline --symbol-dce --canonicalize --cse --ds-annotate-step | FileCheck %s --check-prefixes=CHECK,STATE
// A step on several devices carries another mark of donation, which names no result.
// RUN: sed 's/tf.aliasing_output = [0-9]* : i32/jax.buffer_donor = true/g' %S/Inputs/donated_params_first.mlir | ds-opt --inline --symbol-dce --canonicalize --cse --ds-annotate-step | FileCheck %s --check-prefixes=CHECK,PARAMS
// RUN: sed 's/tf.aliasing_output = [0-9]* : i32/jax.buffer_donor = true/g' %t.mlir | ds-opt --inline --symbol-dce --canonicalize --cse --ds-annotate-step | FileCheck %s --check-prefixes=CHECK,STATE
// .. and the samples may be donated as well, as memory alone.
// RUN: sed 's/tf.aliasing_output = [0-9]* : i32/jax.buffer_donor = true/g; s/\(%%arg8: tensor<8x12xf32>\),/\1 {jax.buffer_donor = true},/' %S/Inputs/donated_params_first.mlir | ds-opt --inline --symbol-dce --canonicalize --cse --ds-annotate-step | FileCheck %s --check-prefixes=CHECK,PARAMS

// CHECK: func.func public @main(
// CHECK-SAME: tensor<6xf32> {ds.param = "arg0"}, %{{.*}}: tensor<12x6xf32> {ds.param = "arg1"}, %{{.*}}: tensor<4xf32> {ds.param = "arg2"}, %{{.*}}: tensor<6x4xf32> {ds.param = "arg3"}
// CHECK-SAME: tensor<6xf32> {ds.state = "arg4"}, %{{.*}}: tensor<12x6xf32> {ds.state = "arg5"}, %{{.*}}: tensor<4xf32> {ds.state = "arg6"}, %{{.*}}: tensor<6x4xf32> {ds.state = "arg7"}
// CHECK-SAME: tensor<8x12xf32> {ds.batch = 0 : i64, ds.name = "arg8"}, %{{.*}}: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "arg9"}
// CHECK-NOT: {{tf.aliasing_output|jax.buffer_donor}}
// PARAMS-SAME: tensor<6xf32> {ds.updates = "arg0",{{.*}}ds.updates = "arg1",{{.*}}ds.updates = "arg2",{{.*}}ds.updates = "arg3",
// PARAMS-SAME: ds.updates = "arg4",{{.*}}ds.updates = "arg5",{{.*}}ds.updates = "arg6",{{.*}}ds.updates = "arg7",
// STATE-SAME: tensor<6xf32> {ds.updates = "arg4",{{.*}}ds.updates = "arg5",{{.*}}ds.updates = "arg6",{{.*}}ds.updates = "arg7",
// STATE-SAME: ds.updates = "arg0",{{.*}}ds.updates = "arg1",{{.*}}ds.updates = "arg2",{{.*}}ds.updates = "arg3",
// CHECK-SAME: tensor<f32> {ds.metric = "result[2]"
