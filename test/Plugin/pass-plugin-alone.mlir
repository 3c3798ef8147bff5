// A pass plugin brings passes, but no rules of upstream's operations: one sentence says so.
// RUN: not mlir-opt --load-pass-plugin=%ds_lib/libds-plugin.so --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global})' %s 2>&1 | FileCheck %s

// CHECK: pass-plugin-alone.mlir:5:1: error: the rules of ds for upstream's operations are not registered; load its plugin with --load-dialect-plugin, too, or call ds::registerDsDialect
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  return %g : tensor<3xf32>
}
