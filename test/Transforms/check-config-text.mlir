// The same sentences for keys given as text.
// RUN: not ds-opt %s --ds-check-config="config=device_num=0" 2>&1 | FileCheck %s --check-prefix=TEXT0
// TEXT0: error: 'device_num' must be an integer in [1, 4096], got 0
// RUN: not ds-opt %s --ds-check-config="config=device_num=four" 2>&1 | FileCheck %s --check-prefix=TEXT1
// TEXT1: error: 'device_num' must be an integer in [1, 4096], got 'four'
// RUN: not ds-opt %s --ds-check-config="config=device_num" 2>&1 | FileCheck %s --check-prefix=TEXT2
// TEXT2: error: expected key=value, got 'device_num'
// RUN: not ds-opt %s --ds-check-config="config=divice_num=4" 2>&1 | FileCheck %s --check-prefix=TEXT3
// TEXT3: error: unknown configuration key 'divice_num', did you mean 'device_num'?
// RUN: not ds-opt %s --ds-check-config="config=gradients_mean=yes" 2>&1 | FileCheck %s --check-prefix=TEXT4
// TEXT4: error: 'gradients_mean' must be true or false, got 'yes'
// RUN: not ds-opt %s --ds-check-config="config=all_reduce_fusion_config=[35,20]" 2>&1 | FileCheck %s --check-prefix=TEXT5
// TEXT5: error: 'all_reduce_fusion_config' must be in ascending order, got 20 after 35
// RUN: not ds-opt %s --ds-check-config="config=all_reduce_fusion_config=20" 2>&1 | FileCheck %s --check-prefix=TEXT6
// TEXT6: error: 'all_reduce_fusion_config' must be a list of integers, got '20'
// RUN: not ds-opt %s --ds-check-config="config=all_reduce_fusion_config=[]" 2>&1 | FileCheck %s --check-prefix=TEXT7
// TEXT7: error: 'all_reduce_fusion_config' must not be empty
// RUN: not ds-opt %s --ds-check-config="config=global_rank=4,device_num=4" 2>&1 | FileCheck %s --check-prefix=TEXT8
// TEXT8: error: 'global_rank' must be smaller than 'device_num', got 4 and 4
// RUN: not ds-opt %s --ds-check-config="config=pipeline_stages=2" 2>&1 | FileCheck %s --check-prefix=TEXT9
// TEXT9: error: 'pipeline_stages = 2' is not built; leave it out: every rank runs the whole step
module {}
