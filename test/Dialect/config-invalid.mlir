// Every rule of the configuration, broken once. (C1) to (C4) are those of '#ds.config'.
// RUN: ds-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'device_num' must be an integer in [1, 4096], got 0}}
module attributes {ds.config = #ds.config<device_num = 0>} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got 4097}}
module attributes {ds.config = #ds.config<device_num = 4097>} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got -1}}
module attributes {ds.config = #ds.config<device_num = -1>} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got true}}
module attributes {ds.config = #ds.config<device_num = true>} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got 'four'}}
module attributes {ds.config = #ds.config<device_num = "four">} {}

// -----
// expected-error @below {{'global_rank' must be an integer in [0, 4095], got 4096}}
module attributes {ds.config = #ds.config<global_rank = 4096>} {}

// -----
// expected-error @below {{'global_rank' must be an integer in [0, 4095], got -1}}
module attributes {ds.config = #ds.config<global_rank = -1>} {}

// -----
// expected-error @below {{'global_rank' must be smaller than 'device_num', got 4 and 4}}
module attributes {ds.config = #ds.config<device_num = 4, global_rank = 4>} {}

// -----
// expected-error @below {{'largest_message' must be an integer in [1, 1048576], got 0}}
module attributes {ds.config = #ds.config<largest_message = 0>} {}

// -----
// expected-error @below {{'gradients_mean' must be true or false, got 1}}
module attributes {ds.config = #ds.config<gradients_mean = 1>} {}

// -----
// expected-error @below {{'gradient_fp32_sync' must be true or false, got 'yes'}}
module attributes {ds.config = #ds.config<gradient_fp32_sync = yes>} {}

// -----
// expected-error @below {{'batch' must be one of local, global, got 'everything'}}
module attributes {ds.config = #ds.config<batch = everything>} {}

// -----
// expected-error @below {{'parallel_mode' must be one of stand_alone, data_parallel, hybrid_parallel, semi_auto_parallel, auto_parallel, got 'model_parallel'}}
module attributes {ds.config = #ds.config<parallel_mode = model_parallel>} {}

// -----
// expected-error @below {{'local_state' must be one of mean, rank0, per_rank, got 'sum'}}
module attributes {ds.config = #ds.config<local_state = sum>} {}

// -----
// expected-error @below {{'fusion_order' must be one of ready, parameter, got 'backward'}}
module attributes {ds.config = #ds.config<fusion_order = backward>} {}

// -----
// expected-error @below {{'wire_type' must be one of auto, f32, f16, bf16, got 'i8'}}
module attributes {ds.config = #ds.config<wire_type = i8>} {}

// -----
// expected-error @below {{'auto_parallel_search_mode' must be one of recursive_programming, dynamic_programming, sharding_propagation, got 'greedy'}}
module attributes {ds.config = #ds.config<auto_parallel_search_mode = greedy>} {}

// -----
// expected-error @below {{'strategy_ckpt_load_file' must be a text that is not empty, got ''}}
module attributes {ds.config = #ds.config<strategy_ckpt_load_file = "">} {}

// -----
// expected-error @below {{'strategy_ckpt_load_file' must be a text that is not empty, got 3}}
module attributes {ds.config = #ds.config<strategy_ckpt_load_file = 3>} {}

// -----
// expected-error @below {{'optimizer_weight_shard_size' must be -1 or in [2, 4096], got 1}}
module attributes {ds.config = #ds.config<optimizer_weight_shard_size = 1>} {}

// -----
// expected-error @below {{'grad_accumulation_step' must be an integer in [1, 2147483647], got 0}}
module attributes {ds.config = #ds.config<grad_accumulation_step = 0>} {}

// -----
// expected-error @below {{'update' must be gradient, accumulate=K, average_parameters=H, delayed=S or asynchronous=S, got 3}}
module attributes {ds.config = #ds.config<update = 3>} {}

// -----
// expected-error @below {{'update' must be gradient, accumulate=K, average_parameters=H, delayed=S or asynchronous=S, got 'sometimes'}}
module attributes {ds.config = #ds.config<update = "sometimes">} {}

// -----
// expected-error @below {{'update' must be gradient, accumulate=K, average_parameters=H, delayed=S or asynchronous=S, got 'gradient=2'}}
module attributes {ds.config = #ds.config<update = "gradient=2">} {}

// -----
// expected-error @below {{'accumulate' must be an integer in [1, 2147483647], got '0'}}
module attributes {ds.config = #ds.config<update = "accumulate=0">} {}

// -----
// expected-error @below {{'average_parameters' must be an integer in [1, 2147483647], got ''}}
module attributes {ds.config = #ds.config<update = "average_parameters">} {}

// -----
// expected-error @below {{'delayed' must be an integer in [1, 8], got '9'}}
module attributes {ds.config = #ds.config<update = "delayed=9">} {}

// -----
// expected-error @below {{'update = delayed' takes a number alone, got 'warmup=3' after it}}
module attributes {ds.config = #ds.config<update = "delayed=2,warmup=3">} {}

// -----
// expected-error @below {{'elastic' must be a number above 0 and at most 1, got '1.5'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,elastic=1.5">} {}

// -----

// expected-error @below {{'update' holds 'elastic' and 'outer', but ranks that pull each other have no mean for it}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,elastic=0.5,outer=nesterov(0.7,0.9)">} {}

// -----

// expected-error @below {{'update = average_parameters' holds 'momentum', expected 'elastic', 'outer', 'warmup' or 'states'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,momentum=0.9">} {}

// -----
// expected-error @below {{'warmup' must be an integer in [0, 2147483647], got '-1'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,warmup=-1">} {}

// -----
// expected-error @below {{'update' holds 'warmup' twice}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,warmup=1,warmup=1">} {}

// -----
// expected-error @below {{'states' must be keep, mean or reset, got 'sum'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,states=sum">} {}

// -----
// expected-error @below {{'outer' must be nesterov(LR, MOMENTUM) or momentum(LR, MOMENTUM) with LR above 0 and MOMENTUM in [0, 1), got 'nesterov(0.7)'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,outer=nesterov(0.7)">} {}

// -----
// expected-error @below {{'outer' must be nesterov(LR, MOMENTUM) or momentum(LR, MOMENTUM) with LR above 0 and MOMENTUM in [0, 1), got 'momentum(0.7,1)'}}
module attributes {ds.config = #ds.config<update = "average_parameters=2,outer=momentum(0.7,1)">} {}

// -----
// expected-error @below {{'asynchronous' must be an integer in [0, 1024], got '-1'}}
module attributes {ds.config = #ds.config<update = "asynchronous=-1">} {}

// -----
// expected-error @below {{'gradient_compression' must be none, f16, bf16, power_sgd(RANK) or top_k(COUNT or FRACTION), and error_feedback after one of these, got true}}
module attributes {ds.config = #ds.config<gradient_compression = true>} {}

// -----
// expected-error @below {{'gradient_compression' must be none, f16, bf16, power_sgd(RANK) or top_k(COUNT or FRACTION), and error_feedback after one of these, got 'f8'}}
module attributes {ds.config = #ds.config<gradient_compression = "f8">} {}

// -----
// expected-error @below {{'gradient_compression' must be none, f16, bf16, power_sgd(RANK) or top_k(COUNT or FRACTION), and error_feedback after one of these, got 'none,error_feedback'}}
module attributes {ds.config = #ds.config<gradient_compression = "none,error_feedback">} {}

// -----
// expected-error @below {{'power_sgd' must be an integer in [1, 16], got '0'}}
module attributes {ds.config = #ds.config<gradient_compression = "power_sgd(0)">} {}

// -----
// expected-error @below {{'top_k' must be a number of elements or a fraction in (0, 1), got '1.5'}}
module attributes {ds.config = #ds.config<gradient_compression = "top_k(1.5)">} {}

// -----
// expected-error @below {{'top_k' must be a number of elements or a fraction in (0, 1), got '0'}}
module attributes {ds.config = #ds.config<gradient_compression = "top_k(0)">} {}

// -----
// expected-error @below {{'timeout' must be a time in [1ms, 86400s] such as 500ms or 30s, got 0}}
module attributes {ds.config = #ds.config<timeout = 0>} {}

// -----
// expected-error @below {{'timeout' must be a time in [1ms, 86400s] such as 500ms or 30s, got '1h'}}
module attributes {ds.config = #ds.config<timeout = "1h">} {}

// -----
// expected-error @below {{'timeout' must be a time in [1ms, 86400s] such as 500ms or 30s, got 86401}}
module attributes {ds.config = #ds.config<timeout = 86401>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must not be empty}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = []>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must be a list of integers, got 20}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = 20>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must not hold an index twice, got 20}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20, 20]>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must be in ascending order, got 20 after 35}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [35, 20]>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must not hold negative indices, got -1}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [-1, 20]>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must hold indices from 1 unless 'mindspore_inclusive' is true, got 0}}
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [0, 20]>} {}

// -----
// expected-error @below {{'comm_fusion' must be all, none, index, auto, planned, ddp, size:MB or size:MB:firstMB with MB in [1, 1048576], got 'everything'}}
module attributes {ds.config = #ds.config<comm_fusion = everything>} {}

// -----
// expected-error @below {{'comm_fusion' must be all, none, index, auto, planned, ddp, size:MB or size:MB:firstMB with MB in [1, 1048576], got 'size:0'}}
module attributes {ds.config = #ds.config<comm_fusion = "size:0">} {}

// -----
// expected-error @below {{'comm_fusion' with mode size needs an integer of MiB as 'config', got nothing}}
module attributes {ds.config = #ds.config<comm_fusion = {mode = "size"}>} {}

// -----
// expected-error @below {{'comm_fusion' holds 'size', expected 'mode' and 'config'}}
module attributes {ds.config = #ds.config<comm_fusion = {size = 3}>} {}

// -----
// expected-error @below {{'comm_fusion' needs a 'mode' beside 'config'}}
module attributes {ds.config = #ds.config<comm_fusion = {config = 3}>} {}

// -----
// expected-error @below {{'comm_fusion' must be all, none, index, auto, planned, ddp, size:MB or size:MB:firstMB with MB in [1, 1048576], got 'size:0'}}
module attributes {ds.config = #ds.config<comm_fusion = {mode = "size", config = 0}>} {}

// -----
// expected-error @below {{'comm_fusion' with mode index needs a list of integers as 'config', got '20'}}
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = {mode = "index", config = 20}}>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must be in ascending order, got 20 after 35}}
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = {mode = "index", config = [35, 20]}}>} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must hold indices from 1 unless 'mindspore_inclusive' is true, got 0}}
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = {mode = "index", config = [0, 20]}}>} {}

// -----
// expected-error @below {{'mode' of 'comm_fusion' must be auto, size or index, got 'Size'}}
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = {mode = "Size", config = 20}}>} {}

// -----
// expected-error @below {{'allreduce' of 'comm_fusion' must be a dictionary with 'mode' and 'config', got '25'}}
module attributes {ds.config = #ds.config<comm_fusion = {allreduce = 25}>} {}

// -----
// expected-error @below {{'openstate' of 'comm_fusion' must be true or false, got '1'}}
module attributes {ds.config = #ds.config<comm_fusion = {openstate = 1}>} {}

// -----
// expected-error @below {{'mode' of 'allgather' of 'comm_fusion' must be auto or size, got 'index'}}
module attributes {ds.config = #ds.config<comm_fusion = {allgather = {mode = "index", config = [3]}}>} {}

// -----
// expected-error @below {{'reducescatter' of 'comm_fusion' must be a dictionary with 'mode' and 'config', got '25'}}
module attributes {ds.config = #ds.config<comm_fusion = {reducescatter = 25}>} {}

// -----
// expected-error @below {{'allgather' of 'comm_fusion' must be all, none, auto or size:MB with MB in [1, 1048576], got 'size:25:1'}}
module attributes {ds.config = #ds.config<comm_fusion = "allgather=size:25:1">} {}

// -----
// expected-error @below {{'comm_fusion' holds 'allgather' twice}}
module attributes {ds.config = #ds.config<comm_fusion = "allgather=auto;allgather=all">} {}

// -----
// expected-error @below {{'comm_fusion' holds 'gather', expected 'allgather' or 'reducescatter' before '='}}
module attributes {ds.config = #ds.config<comm_fusion = "all;gather=auto">} {}

// -----
// expected-error @below {{'num_shards' and 'shard_id' are given together, got 'num_shards' alone}}
module attributes {ds.config = #ds.config<num_shards = 2>} {}

// -----
// expected-error @below {{'num_shards' and 'shard_id' are given together, got 'shard_id' alone}}
module attributes {ds.config = #ds.config<shard_id = 0>} {}

// -----
// expected-error @below {{'shard_id' must be smaller than 'num_shards', got 2 and 2}}
module attributes {ds.config = #ds.config<num_shards = 2, shard_id = 2>} {}

// -----
// expected-error @below {{'comm_fusion' holds 'allReduce', expected 'openstate', 'allreduce', 'allgather' and 'reducescatter'}}
module attributes {ds.config = #ds.config<comm_fusion = {openstate = true, allReduce = {mode = "auto"}}>} {}

// -----
// expected-error @below {{'comm_fusion = index' needs 'all_reduce_fusion_config'}}
module attributes {ds.config = #ds.config<comm_fusion = index>} {}

// -----
// expected-error @below {{'comm_fusion = all' and 'all_reduce_fusion_config' exclude one another}}
module attributes {ds.config = #ds.config<comm_fusion = all, all_reduce_fusion_config = [3]>} {}

// -----
// expected-error @below {{unknown configuration key 'divice_num', did you mean 'device_num'?}}
module attributes {ds.config = #ds.config<divice_num = 4>} {}

// -----
// expected-error @below {{unknown configuration key 'ranks', expected one of all_reduce_fusion_config, attention, auto_parallel_search_mode,}}
module attributes {ds.config = #ds.config<ranks = 4>} {}

// -----
// expected-error @below {{configuration key 'device_num' is given twice}}
module attributes {ds.config = #ds.config<device_num = 4, device_num = 4>} {}

// -----
// expected-error @below {{expected a value}}
module attributes {ds.config = #ds.config<device_num =>} {}

// -----
// expected-error @below {{integer value too large}}
module attributes {ds.config = #ds.config<device_num = 99999999999999999999>} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got 0}}
module attributes {ds.config = {device_num = 0 : i64}} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got '1.500000e+00 : f32'}}
module attributes {ds.config = {device_num = 1.5 : f32}} {}

// -----
// expected-error @below {{'device_num' must be an integer in [1, 4096], got '36893488147419103232 : i128'}}
module attributes {ds.config = {device_num = 36893488147419103232 : i128}} {}

// -----
// expected-error @below {{'all_reduce_fusion_config' must be a list of integers, got '[20, 3.500000e+01]'}}
module attributes {ds.config = {all_reduce_fusion_config = [20, 35.0]}} {}

// -----
// expected-error @below {{'global_rank' must be smaller than 'device_num', got 5 and 4}}
module attributes {ds.config = {device_num = 4 : i64, global_rank = 5 : i64}} {}

// -----
// expected-error @below {{unknown configuration key 'gradient_mean', did you mean 'gradients_mean'?}}
module attributes {ds.config = {gradient_mean = true}} {}

// -----
// expected-error @below {{'ds.config' must be #ds.config<...> or a dictionary, got 4 : i64}}
module attributes {ds.config = 4 : i64} {}

// -----
// expected-error @below {{'ds.config' belongs on a module}}
func.func private @configured() attributes {ds.config = #ds.config<device_num = 4>}

// -----
// expected-error @below {{unknown attribute 'ds.confg', did you mean 'ds.config'?}}
module attributes {ds.confg = {device_num = 4 : i64}} {}

// -----
// expected-error @below {{'ds.param' belongs on an argument or a result of a function}}
func.func private @role_on_function() attributes {ds.param = "w"}

// -----
// expected-error @below {{'decorrelate_seeds = true' needs 'batch = local'; with 'batch = global' all ranks compute one function of one key}}
module attributes {ds.config = #ds.config<batch = global, decorrelate_seeds = true>} {}

// -----
// expected-error @below {{'parallel_optimizer_config' must be a dictionary, got '64'}}
module attributes {ds.config = #ds.config<parallel_optimizer_config = 64>} {}

// -----
// expected-error @below {{'parallel_optimizer_config' holds 'level', expected 'gradient_accumulation_shard', 'parallel_optimizer_threshold', 'optimizer_weight_shard_size' or 'optimizer_level'}}
module attributes {ds.config = #ds.config<parallel_optimizer_config = {level = "level1"}>} {}

// -----

// expected-error @below {{'dataset_strategy' must be one of data_parallel, full_batch, got '((4, 1), (4,))'; say with ds.sharding on batch arguments which axes of the mesh divide them}}
module attributes {ds.config = {dataset_strategy = "((4, 1), (4,))"}} {}

// -----
// expected-error @below {{'comm_fusion = planned' plans gradients in the order in which they are ready, so it cannot be given with 'fusion_order = parameter'}}
module attributes {ds.config = #ds.config<comm_fusion = planned, fusion_order = parameter>} {}

// -----
// expected-error @below {{'comm_fusion = planned' plans gradients in the order in which they are ready, so it cannot be given with 'mindspore_inclusive = true'}}
module attributes {ds.config = #ds.config<comm_fusion = planned, mindspore_inclusive = true>} {}
