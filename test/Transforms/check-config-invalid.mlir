// What is not built is refused in one line with what to do instead, and so is what contradicts itself.
// RUN: ds-opt %s --ds-check-config --split-input-file --verify-diagnostics

// expected-error @below {{'wire_type = bf16' is not built; gradient_fp32_sync = true sends gradients of 16 bits as f32, false as they are}}
module attributes {ds.config = #ds.config<wire_type = bf16>} {}

// -----
// expected-error @below {{'full_batch = true' is not built; give batch = global, which computes the whole batch and loads each row once}}
module attributes {ds.config = #ds.config<full_batch = true>} {}

// -----
// expected-error @below {{'cross_batch = true' is not built; give batch = local, where the loss is that of a rank's own samples}}
module attributes {ds.config = #ds.config<cross_batch = true>} {}

// -----
// expected-error @below {{'loss_repeated_mean = false' is not built; leave it out: what all ranks compute alike is counted once}}
module attributes {ds.config = #ds.config<loss_repeated_mean = false>} {}

// -----
// expected-error @below {{'force_fp32_communication = true' is not built; gradients travel as f32 with gradient_fp32_sync = true, which is the default; leave this key out}}
module attributes {ds.config = #ds.config<force_fp32_communication = true>} {}

// -----
// expected-error @below {{'auto_parallel_search_mode = recursive_programming' is not built; use dynamic_programming, which takes seconds for thousands of operations}}
module attributes {ds.config = #ds.config<auto_parallel_search_mode = recursive_programming>} {}

// -----
// expected-error @below {{'search_mode = recursive_programming' is not built; use dynamic_programming, which takes seconds for thousands of operations}}
module attributes {ds.config = #ds.config<search_mode = recursive_programming>} {}

// -----
// expected-error @below {{'pipeline_stages = 2' is not built; leave it out: every rank runs the whole step}}
module attributes {ds.config = #ds.config<pipeline_stages = 2>} {}

// -----
// expected-error @below {{'grad_accumulation_step = 2' is not built; write the accumulation into the step, where ds keeps it to one all-reduce}}
module attributes {ds.config = #ds.config<grad_accumulation_step = 2>} {}

// -----
// expected-error @below {{'optimizer_weight_shard_size = 4' is not built; leave it out: all ranks together divide a parameter}}
module attributes {ds.config = #ds.config<optimizer_weight_shard_size = 4>} {}

// -----
// expected-error @below {{'gradient_accumulation_shard = true' is not built; leave it out: accumulated gradients are whole on every rank}}
module attributes {ds.config = #ds.config<gradient_accumulation_shard = true>} {}

// -----
// expected-error @below {{'dataset_strategy = full_batch' is not built; give batch = global, which computes the whole batch and loads each row once}}
module attributes {ds.config = #ds.config<dataset_strategy = full_batch>} {}

// -----
// expected-error @below {{'communi_parallel_mode = no_group_parallel' is not built; leave it out: data parallel steps have one group}}
module attributes {ds.config = #ds.config<communi_parallel_mode = no_group_parallel>} {}

// -----
// The values that are in force anyway are no request for anything.
module attributes {ds.config = #ds.config<enable_parallel_optimizer = false, parallel_mode = data_parallel, comm_fusion = "size:25", wire_type = auto, optimizer_weight_shard_size = -1>} {}

// -----
// expected-warning @below {{'gradients_mean' does not apply to batch = global, where the step itself says what it averages}}
module attributes {ds.config = #ds.config<batch = global, gradients_mean = true>} {}
