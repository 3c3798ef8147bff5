// The whole way of a small step: w -= lr * d/dw sum_i (x_i w)^2 / 2, in both semantics.
// RUN: ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=4,batch=global})' | FileCheck %s --check-prefix=GLOBAL
// RUN: ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=4,gradients_mean=true})' | FileCheck %s --check-prefix=LOCAL
// RUN: ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=parallel_mode=stand_alone,device_num=1})' | FileCheck %s --check-prefix=ALONE
// RUN: rm -rf %t && ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=4 dump-dir=%t})' -o /dev/null && ls %t | FileCheck %s --check-prefix=STAGES
// RUN: FileCheck %s --check-prefix=MARK --input-file %t/09-detect-gradients.mlir
// RUN: not ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=pipeline_stages=2})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=3,batch=global})' 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not ds-opt %s --pass-pipeline='builtin.module(ds-data-parallel{dump-dir=/dev/null/nowhere})' 2>&1 | FileCheck %s --check-prefix=NOWHERE

// GLOBAL: #ds.config<batch = global, device_num = 4>
// GLOBAL-LABEL: func.func @step(
// GLOBAL-SAME: tensor<2x3xf32> {ds.batch = 0 : i64, ds.layout = "{{block|cyclic}}", ds.name = "x"}
// GLOBAL: %[[G:.*]] = ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"w"]]} : tensor<3xf32>
// GLOBAL-NOT: 2.500000e-01
// GLOBAL-NOT: ds.all_reduce

// LOCAL-LABEL: func.func @step(
// LOCAL-SAME: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}
// LOCAL: %[[FACTOR:.*]] = arith.constant 2.500000e-01 : f32
// LOCAL: %[[G:.*]] = ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"w"]]} : tensor<3xf32>
// LOCAL: linalg.generic {{.*}} ins(%[[G]] : tensor<3xf32>)
// LOCAL: arith.mulf %{{.*}}, %[[FACTOR]]

// ALONE-LABEL: func.func @step(
// ALONE-NOT: ds.all_reduce
// ALONE: return

// STAGES: 00-config.mlir
// STAGES-NEXT: 01-prepare-step.mlir
// STAGES-NEXT: 02-annotate-step.mlir
// STAGES-NEXT: 03-accumulate-gradients.mlir
// STAGES-NEXT: 04-add-gradient-norm.mlir
// STAGES-NEXT: 05-schedule-update.mlir
// STAGES-NEXT: 06-load-strategy.mlir
// STAGES-NEXT: 07-prepare-hybrid.mlir
// STAGES-NEXT: 08-find-index-ranges.mlir
// STAGES-NEXT: 09-detect-gradients.mlir
// STAGES-NEXT: 10-shard-axes.mlir
// STAGES-NEXT: 11-insert-all-reduce.mlir
// STAGES-NEXT: 12-decorrelate-seeds.mlir
// STAGES-NEXT: 13-localize-batch.mlir
// STAGES-NEXT: 14-shard-optimizer.mlir
// STAGES-NEXT: 15-permute-shards.mlir
// STAGES-NEXT: 16-expand-replicated-to-partial.mlir
// STAGES-NEXT: 17-sync-precision.mlir
// STAGES-NEXT: 18-apply-mean.mlir
// STAGES-NEXT: 19-narrow-gradients.mlir
// STAGES-NEXT: 20-gather-rows.mlir
// STAGES-NEXT: 21-fuse-gather-scatter.mlir
// STAGES-NEXT: 22-fuse-all-reduce.mlir
// STAGES-NEXT: 23-clean-up.mlir
// STAGES-NEXT: 24-verify-spmd.mlir
// MARK: ds.gradient %{{.*}} of "w" : tensor<3xf32>

// REFUSED: error: 'pipeline_stages = 2' is not built; leave it out: every rank runs the whole step
// ODD: error: {{.*}}'x'{{.*}}8{{.*}}3
// NOWHERE: error: cannot write '/dev/null/nowhere': Not a directory

func.func private @scale(%v: tensor<3xf32>) -> tensor<3xf32> {
  %rate = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.map ins(%v : tensor<3xf32>) outs(%e : tensor<3xf32>) (%a: f32, %o: f32) {
    %1 = arith.mulf %a, %rate : f32
    linalg.yield %1 : f32
  }
  return %r : tensor<3xf32>
}

func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<8xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  %g = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
  %s = call @scale(%g) : (tensor<3xf32>) -> tensor<3xf32>
  %new = linalg.sub ins(%w, %s : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
