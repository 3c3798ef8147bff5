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
// expected-warning @below {{'gradients_mean' does not apply to batch = global, where the step itself says what it averages}}
module attributes {ds.config = #ds.config<batch = global, gradients_mean = true>} {}
