// The documented command: a stock mlir-opt loads dialect, passes and pipelines from one shared library.
// RUN: mlir-opt --load-dialect-plugin=%ds_lib/libds-plugin.so --load-pass-plugin=%ds_lib/libds-plugin.so --pass-pipeline='builtin.module(ds-check-config{config=device_num=4},ds-fuse-all-reduce)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%ds_lib/libds-plugin.so --load-pass-plugin=%ds_lib/libds-plugin.so --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global})' %S/../Pipelines/Inputs/fifty_parameters.mlir | FileCheck %s --check-prefix=STEP
// RUN: mlir-opt --load-dialect-plugin=%ds_lib/libds-plugin.so --load-pass-plugin=%ds_lib/libds-plugin.so --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map})' %s | FileCheck %s --check-prefix=BUFFER

// CHECK: ds.config = #ds.config<device_num = 4>
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64}
// STEP: %{{.*}}:50 = ds.all_reduce sum
// BUFFER: ds.all_reduce sum %{{.*}} : memref<4xf32>
func.func @step(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  %1 = ds.all_reduce sum %b : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
