// nn in a stock mlir-opt: alone, as it carries ds within itself, and beside ds's own plugin, in either order.
// RUN: mlir-opt --load-dialect-plugin=%nn_plugin --load-pass-plugin=%nn_plugin --pass-pipeline='builtin.module(nn-distribute{ranks=2})' %inputs/step.mlir | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%nn_plugin --load-dialect-plugin=%ds_plugin --load-pass-plugin=%nn_plugin --load-pass-plugin=%ds_plugin --pass-pipeline='builtin.module(ds-data-parallel{config=batch=global,device_num=2},nn-lower)' %inputs/step.mlir | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%ds_plugin --load-dialect-plugin=%nn_plugin --load-pass-plugin=%ds_plugin --load-pass-plugin=%nn_plugin --pass-pipeline='builtin.module(ds-data-parallel{config=batch=global,device_num=2},nn-lower)' %inputs/step.mlir | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%ds_plugin --load-dialect-plugin=%nn_plugin --load-pass-plugin=%nn_plugin --load-pass-plugin=%ds_plugin --pass-pipeline='builtin.module(nn-distribute{ranks=2},ds-verify-spmd)' %inputs/step.mlir | FileCheck %s
// The same program as the compiler's own tool makes.
// RUN: nn-opt %inputs/step.mlir --nn-distribute='ranks=2' > %t.own
// RUN: mlir-opt --load-dialect-plugin=%ds_plugin --load-dialect-plugin=%nn_plugin --load-pass-plugin=%ds_plugin --load-pass-plugin=%nn_plugin --pass-pipeline='builtin.module(nn-distribute{ranks=2})' %inputs/step.mlir | diff %t.own -

// CHECK-NOT: nn.
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}}, %{{.*}} {{.*}} : tensor<3xf32>, tensor<16x3xf32>, tensor<6x4xf32>
// CHECK-NOT: nn.
