// nn's pipeline calls ds's: the step of one of two ranks, on linalg.
// RUN: nn-opt %inputs/step.mlir --nn-distribute='ranks=2' | FileCheck %s
// RUN: nn-opt %inputs/step.mlir --nn-distribute='ranks=2 batch=local' | FileCheck %s --check-prefix=LOCAL
// RUN: not nn-opt %inputs/step.mlir --nn-distribute='ranks=3' 2>&1 | FileCheck %s --check-prefix=THREE

// CHECK: func.func @step({{.*}}%[[X:.*]]: tensor<8x6xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"}
// CHECK-NOT: nn.
// CHECK: %[[ALL:.*]]:3 = ds.all_reduce sum %{{.*}}, %{{.*}}, %{{.*}} {{.*}} : tensor<3xf32>, tensor<16x3xf32>, tensor<6x4xf32>
// The optimizer reads what is complete.
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %[[ALL]]#1, %{{.*}}
// CHECK-NOT: nn.

// LOCAL: func.func @step({{.*}}: tensor<16x6xf32> {ds.batch = 0 : i64
// LOCAL-COUNT-1: ds.all_reduce
// LOCAL-NOT: ds.all_reduce

// THREE: step.mlir:3:1: error: the batch of argument 'x' has 16 samples, which 3 ranks cannot divide
