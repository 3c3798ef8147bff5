// Fifty parameters in the buckets of the configuration.
// RUN: ds-opt %S/Inputs/fifty_parameters.mlir --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global,all_reduce_fusion_config=[20,35]})' | FileCheck %s --check-prefix=SPLIT
// RUN: ds-opt %S/Inputs/fifty_parameters.mlir --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global})' | FileCheck %s --check-prefix=ONE
// RUN: ds-opt %S/Inputs/fifty_parameters.mlir --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global,all_reduce_fusion_config=[20,35],mindspore_inclusive=true})' | FileCheck %s --check-prefix=INCLUSIVE
// RUN: ds-opt %S/Inputs/fifty_parameters.mlir --pass-pipeline='builtin.module(ds-data-parallel{config=gradients_mean=true,all_reduce_fusion_config=[20,35]})' | FileCheck %s --check-prefix=LOCAL
// RUN: ds-opt %S/Inputs/fifty_parameters.mlir --pass-pipeline='builtin.module(ds-data-parallel{config=device_num=2,batch=global,comm_fusion=none})' | FileCheck %s --check-prefix=NONE

// The last layer's gradients are ready first; the loss is not counted and comes last.
// SPLIT: %{{.*}}:20 = ds.all_reduce sum {{.*}}{fusion = 1024 : i64
// SPLIT: %{{.*}}:15 = ds.all_reduce sum {{.*}}{fusion = 1025 : i64
// SPLIT: %{{.*}}:15 = ds.all_reduce sum {{.*}}{fusion = 1026 : i64
// SPLIT: ds.all_reduce sum {{.*}}purpose = #ds<purpose metric>
// SPLIT-NOT: ds.all_reduce

// ONE: %{{.*}}:50 = ds.all_reduce sum {{.*}}{fusion = 1024 : i64
// ONE: ds.all_reduce sum {{.*}}purpose = #ds<purpose metric>
// ONE-NOT: ds.all_reduce

// Indices end their bucket, and parameters count in their own order: the last of them are ready first.
// INCLUSIVE: %{{.*}}:14 = ds.all_reduce sum {{.*}}{fusion = 1026 : i64
// INCLUSIVE: %{{.*}}:15 = ds.all_reduce sum {{.*}}{fusion = 1025 : i64
// INCLUSIVE: %{{.*}}:21 = ds.all_reduce sum {{.*}}{fusion = 1024 : i64
// INCLUSIVE: ds.all_reduce sum {{.*}}purpose = #ds<purpose metric>
// INCLUSIVE-NOT: ds.all_reduce

// The number of ranks may be left to run time; metrics stay with their rank.
// LOCAL-DAG: ds.num_ranks
// LOCAL-DAG: %{{.*}}:20 = ds.all_reduce sum
// LOCAL: %{{.*}}:15 = ds.all_reduce sum
// LOCAL: %{{.*}}:15 = ds.all_reduce sum
// LOCAL-NOT: ds.all_reduce

// NONE-COUNT-51: ds.all_reduce sum
// NONE-NOT: ds.all_reduce
