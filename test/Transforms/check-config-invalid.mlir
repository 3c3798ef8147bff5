// What is not built is refused in one line with what to do instead, and so is what contradicts itself.
// RUN: ds-opt %s --ds-check-config --split-input-file --verify-diagnostics

// expected-error @below {{'full_batch = true' needs 'parallel_mode = semi_auto_parallel' or 'auto_parallel', got 'data_parallel'}}
module attributes {ds.config = #ds.config<batch = global, full_batch = true>} {}

// -----
// expected-error @below {{'dataset_strategy = full_batch' needs 'parallel_mode = semi_auto_parallel' or 'auto_parallel', got 'hybrid_parallel'}}
module attributes {ds.config = #ds.config<batch = global, dataset_strategy = full_batch, parallel_mode = hybrid_parallel>} {}

// -----
// expected-error @below {{'full_batch = true' needs 'batch = global'; with 'batch = local' each rank has samples of its own}}
module attributes {ds.config = #ds.config<full_batch = true, batch = local, parallel_mode = auto_parallel>} {}

// -----
// expected-error @below {{'full_batch' and 'dataset_strategy' are one key, got true and 'data_parallel'}}
module attributes {ds.config = #ds.config<batch = global, dataset_strategy = data_parallel, full_batch = true, parallel_mode = auto_parallel>} {}

// -----
// expected-error @below {{'cross_batch = true' needs 'batch = local', where the loss is that of a rank's own samples; with 'batch = global' it is that of all}}
module attributes {ds.config = #ds.config<batch = global, cross_batch = true>} {}

// -----
// expected-error @below {{'loss_repeated_mean = false' needs 'batch = local'; with 'batch = global' ranks compute one function, in which nothing counts twice}}
module attributes {ds.config = #ds.config<batch = global, loss_repeated_mean = false>} {}

// -----
// expected-error @below {{'wire_type = bf16' and 'gradient_fp32_sync' both say in which type gradients travel; leave out one of them}}
module attributes {ds.config = #ds.config<gradient_fp32_sync = true, wire_type = bf16>} {}

// -----
// expected-error @below {{'wire_type = f16' and 'force_fp32_communication = true' exclude one another}}
module attributes {ds.config = #ds.config<force_fp32_communication = true, wire_type = f16>} {}

// -----
// expected-error @below {{'update = accumulate=3' and 'grad_accumulation_step' say the same, got 2}}
module attributes {ds.config = #ds.config<grad_accumulation_step = 2, update = "accumulate=3">} {}

// -----
// expected-error @below {{'update = average_parameters=3' needs 'batch = local': between averages each rank trains with a loss of its own samples}}
module attributes {ds.config = #ds.config<batch = global, update = "average_parameters=3">} {}

// -----
// expected-error @below {{'update = delayed=1' needs 'batch = local': a rank keeps gradients of a loss of its own samples}}
module attributes {ds.config = #ds.config<batch = global, update = "delayed=1">} {}

// -----
// expected-error @below {{'update = delayed=1' needs ranks along one axis, got 'mesh = [dp=2,tp=2]'}}
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", parallel_mode = semi_auto_parallel, update = "delayed=1">} {}

// -----
// expected-error @below {{'update = average_parameters=3' and 'enable_parallel_optimizer = true' exclude one another}}
module attributes {ds.config = #ds.config<enable_parallel_optimizer = true, update = "average_parameters=3">} {}

// -----
// expected-error @below {{'update = average_parameters=2,elastic=0.2': what 8 ranks share would go beyond their mean; expected 'elastic' of at most 1 / 8}}
module attributes {ds.config = #ds.config<device_num = 8, update = "average_parameters=2,elastic=0.2">} {}

// -----

// expected-error @below {{'update = average_parameters=3' averages running statistics with the parameters, so it cannot be given with 'local_state = rank0'}}
module attributes {ds.config = #ds.config<local_state = rank0, update = "average_parameters=3">} {}

// -----
// expected-error @below {{'shared_replicas = on' and 'overlap = on' exclude one another}}
module attributes {ds.config = #ds.config<overlap = on, shared_replicas = on>} {}

// -----
// Costs alone start no exchanges of what ranks hold once.
module attributes {ds.config = #ds.config<comm_costs = "20us:100MB", shared_replicas = on>} {}

// -----
// expected-error @below {{'shared_replicas = on' and 'update = delayed=1' exclude one another}}
module attributes {ds.config = #ds.config<shared_replicas = on, update = "delayed=1">} {}

// -----
// expected-error @below {{'shared_replicas = on' and 'mesh = [dp=2,tp=2]' exclude one another}}
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", parallel_mode = semi_auto_parallel, shared_replicas = on>} {}

// -----
// expected-error @below {{'gradient_compression = bf16' and 'wire_type' both say in which type gradients travel; leave out one of them}}
module attributes {ds.config = #ds.config<gradient_compression = "bf16", wire_type = f16>} {}

// -----
// expected-error @below {{'gradient_compression = power_sgd(2)' needs 'gradients_mean = true': the error of a rank is what its gradient and the mean differ by}}
module attributes {ds.config = #ds.config<gradient_compression = "power_sgd(2)">} {}

// -----
// expected-error @below {{'gradient_compression = f16,error_feedback' needs 'batch = local', where a rank has a gradient of its own to compress}}
module attributes {ds.config = #ds.config<batch = global, gradient_compression = "f16,error_feedback">} {}

// -----
// expected-error @below {{'gradient_compression = f16' and 'update = average_parameters=3', where ranks reduce no gradients, exclude one another}}
module attributes {ds.config = #ds.config<gradient_compression = "f16", update = "average_parameters=3">} {}

// -----
// expected-error @below {{'gradient_compression = top_k(8)' needs 'gradients_mean = true': the error of a rank is what its gradient and the mean differ by}}
module attributes {ds.config = #ds.config<gradient_compression = "top_k(8)">} {}

// -----
// expected-error @below {{'gradient_compression = top_k(0.01)' sends what is large in this step, so 'update = delayed=3' cannot delay it}}
module attributes {ds.config = #ds.config<gradient_compression = "top_k(0.01)", gradients_mean = true, update = "delayed=3">} {}

// -----
// expected-error @below {{'gradient_compression = bf16' and 'update = asynchronous=4', where ranks reduce no gradients, exclude one another}}
module attributes {ds.config = #ds.config<gradient_compression = "bf16", update = "asynchronous=4">} {}

// -----
// expected-error @below {{'update = asynchronous=4' needs 'batch = local': a rank updates by the gradients of a loss of its own samples}}
module attributes {ds.config = #ds.config<batch = global, update = "asynchronous=4">} {}

// -----
// expected-error @below {{'update = asynchronous=4' and 'grad_accumulation_step' exclude one another: a rank pushes the gradients of each step}}
module attributes {ds.config = #ds.config<grad_accumulation_step = 2, update = "asynchronous=4">} {}

// -----
// expected-error @below {{'update = asynchronous=4' and 'overlap = on' exclude one another: ranks exchange nothing that could hide behind work}}
module attributes {ds.config = #ds.config<overlap = on, update = "asynchronous=4">} {}

// -----
// expected-error @below {{'gradient_compression = power_sgd(2)' exchanges a gradient in two parts, of which one needs the other, so 'update = delayed=3' cannot delay it}}
module attributes {ds.config = #ds.config<gradient_compression = "power_sgd(2)", gradients_mean = true, update = "delayed=3">} {}

// -----
// expected-error @below {{'gradient_compression = bf16,error_feedback' needs ranks along one axis and whole gradients, so it cannot be given with 'mesh' or 'enable_parallel_optimizer'}}
module attributes {ds.config = #ds.config<enable_parallel_optimizer = true, gradient_compression = "bf16,error_feedback">} {}

// -----
// expected-error @below {{'pipeline_stages = 2' is not built; leave it out: every rank runs the whole step}}
module attributes {ds.config = #ds.config<pipeline_stages = 2>} {}

// -----
// expected-error @below {{'optimizer_weight_shard_size = 4' is not built; leave it out, so that all ranks together divide a parameter, or give them one more axis, as in mesh=[dp=2,fsdp=4], that ds.sharding divides samples and parameters over}}
module attributes {ds.config = #ds.config<optimizer_weight_shard_size = 4>} {}

// -----
// expected-error @below {{'gradient_accumulation_shard = true' is not built; leave it out: accumulated gradients are whole on every rank}}
module attributes {ds.config = #ds.config<gradient_accumulation_shard = true>} {}

// -----
// expected-error @below {{'communi_parallel_mode = no_group_parallel' is not built; leave it out: data parallel steps have one group}}
module attributes {ds.config = #ds.config<communi_parallel_mode = no_group_parallel>} {}

// -----
// The values that are in force anyway are no request for anything.
module attributes {ds.config = #ds.config<enable_parallel_optimizer = false, parallel_mode = data_parallel, comm_fusion = "size:25", wire_type = auto, optimizer_weight_shard_size = -1>} {}

// -----
// expected-warning @below {{'gradients_mean' does not apply to batch = global, where the step itself decides what it averages}}
module attributes {ds.config = #ds.config<batch = global, gradients_mean = true>} {}
