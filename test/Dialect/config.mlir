// The configuration attribute: syntax, normal form, plain dictionaries.
// RUN: ds-opt %s --split-input-file | FileCheck %s
// RUN: ds-opt %s --split-input-file | ds-opt --split-input-file | FileCheck %s

// CHECK: module attributes {ds.config = #ds.config<>}
module attributes {ds.config = #ds.config<>} {}

// -----
// Keys are printed in alphabetical order, words bare, numbers without their type.
// CHECK: #ds.config<all_reduce_fusion_config = [20, 35], batch = global, device_num = 4, gradients_mean = true>
module attributes {ds.config = #ds.config<gradients_mean = true, device_num = 4 : i64, batch = "global", all_reduce_fusion_config = [20, 35]>} {}

// -----
// The least and the greatest value of each range.
// CHECK: #ds.config<device_num = 1, global_rank = 0>
module attributes {ds.config = #ds.config<device_num = 1, global_rank = 0>} {}

// -----
// CHECK: #ds.config<device_num = 4096, global_rank = 4095>
module attributes {ds.config = #ds.config<device_num = 4096, global_rank = 4095>} {}

// -----
// CHECK: timeout = "500ms"
module attributes {ds.config = #ds.config<timeout = "500ms">} {}

// -----
// A number without unit counts seconds.
// CHECK: timeout = "30s"
module attributes {ds.config = #ds.config<timeout = 30>} {}

// -----
// CHECK: comm_fusion = "size:25:1"
module attributes {ds.config = #ds.config<comm_fusion = "size:25:1">} {}

// -----
// The field's dictionary for comm_fusion.
// CHECK: #ds.config<comm_fusion = "size:25">
module attributes {ds.config = #ds.config<comm_fusion = {openstate = true, allreduce = {mode = "size", config = 25}}>} {}

// -----
// CHECK: #ds.config<comm_fusion = "size:25;allgather=size:64;reducescatter=auto">
module attributes {ds.config = #ds.config<comm_fusion = {reducescatter = {mode = "auto", config = 1}, allgather = {mode = "size", config = 64}, allreduce = {mode = "size", config = 25}}>} {}

// -----
// What is said of other collectives alone leaves the list of indices in force.
// CHECK: #ds.config<all_reduce_fusion_config = [20], comm_fusion = "allgather=auto">
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20], comm_fusion = {allgather = {mode = "auto"}}>} {}

// -----
// Keys of a dictionary of the field stand by themselves.
// CHECK: #ds.config<optimizer_level = level1, parallel_optimizer_threshold = 64>
module attributes {ds.config = #ds.config<parallel_optimizer_config = {optimizer_level = "level1", parallel_optimizer_threshold = 64}>} {}

// -----
// CHECK: #ds.config<comm_fusion = "index:20:35">
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = {mode = "index", config = [20, 35]}}>} {}

// -----
// Python's words.
// CHECK: #ds.config<gradients_mean = true, parallel_mode = data_parallel>
module attributes {ds.config = #ds.config<gradients_mean = True, parallel_mode = DATA_PARALLEL>} {}

// -----
// CHECK: #ds.config<comm_fusion = all>
module attributes {ds.config = #ds.config<comm_fusion = {openstate = true}>} {}

// -----
// CHECK: #ds.config<comm_fusion = none>
module attributes {ds.config = #ds.config<comm_fusion = {openstate = false}>} {}

// -----
// Index 0 is a bucket of its own where indices are the ends of buckets.
// CHECK: #ds.config<all_reduce_fusion_config = [0], mindspore_inclusive = true>
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [0], mindspore_inclusive = true>} {}

// -----
// An update mode in its one form.
// CHECK: #ds.config<device_num = 4, update = "average_parameters=8,elastic=0.225">
module attributes {ds.config = #ds.config<update = "average_parameters=8, elastic=0.2250", device_num = 4>} {}

// -----

// CHECK: #ds.config<update = "average_parameters=16,outer=nesterov(0.7,0.9),warmup=3,states=mean">
module attributes {ds.config = #ds.config<update = "average_parameters=16, states=mean, warmup=3, outer=nesterov(0.70, 0.9)">} {}

// -----
// CHECK: #ds.config<update = "delayed=2">
module attributes {ds.config = #ds.config<update = "delayed=2">} {}

// -----
// Every key of the table; those not built yet are parsed and printed all the same.
// CHECK: #ds.config<all_reduce_fusion_config = [1, 2], auto_parallel_search_mode = dynamic_programming,
// CHECK-SAME: batch = local, comm_fusion = index, communi_parallel_mode = no_group_parallel, cross_batch = true,
// CHECK-SAME: dataset_strategy = data_parallel, decorrelate_seeds = true, deterministic = false, device_num = 8,
// CHECK-SAME: enable_parallel_optimizer = true, force_fp32_communication = true, full_batch = false,
// CHECK-SAME: fusion_order = parameter, global_rank = 7, grad_accumulation_step = 2, gradient_accumulation_shard = true,
// CHECK-SAME: gradient_fp32_sync = false, gradients_mean = true, largest_message = 200, local_state = per_rank, loss_repeated_mean = false,
// CHECK-SAME: mindspore_inclusive = true, optimizer_level = level3, optimizer_weight_shard_size = 2,
// CHECK-SAME: parallel_mode = semi_auto_parallel, parallel_optimizer_threshold = 0, parameter_broadcast = true,
// CHECK-SAME: pipeline_stages = 2, search_mode = dynamic_programming, strategy_ckpt_load_file = "in.json",
// CHECK-SAME: strategy_ckpt_save_file = "out.json", sync_metrics = true, timeout = "1ms", update = "accumulate=2", wire_type = auto>
module attributes {ds.config = #ds.config<
    all_reduce_fusion_config = [1, 2], auto_parallel_search_mode = dynamic_programming,
    batch = local, comm_fusion = index, communi_parallel_mode = no_group_parallel, cross_batch = true,
    dataset_strategy = data_parallel, decorrelate_seeds = true, deterministic = false, device_num = 8,
    enable_parallel_optimizer = true, force_fp32_communication = true, full_batch = false,
    fusion_order = parameter, global_rank = 7, grad_accumulation_step = 2, gradient_accumulation_shard = true,
    gradient_fp32_sync = false, gradients_mean = true, largest_message = 200, local_state = per_rank, loss_repeated_mean = false,
    mindspore_inclusive = true, optimizer_level = level3, optimizer_weight_shard_size = 2,
    parallel_mode = semi_auto_parallel, parallel_optimizer_threshold = 0, parameter_broadcast = true,
    pipeline_stages = 2, search_mode = dynamic_programming, strategy_ckpt_load_file = "in.json",
    strategy_ckpt_save_file = "out.json", sync_metrics = true, timeout = "1ms", update = "accumulate=2", wire_type = auto>} {}

// -----
// A plain dictionary stays as it is written until a pass reads it.
// CHECK: module attributes {ds.config = {batch = "global", device_num = 4 : i64}}
module attributes {ds.config = {device_num = 4 : i64, batch = "global"}} {}
