module {
  module attributes {ds.config = #ds.config<>} {
  }
  module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20, 35], batch = global, device_num = 4, gradients_mean = true>} {
  }
  module attributes {ds.config = #ds.config<device_num = 1, global_rank = 0>} {
  }
  module attributes {ds.config = #ds.config<device_num = 4096, global_rank = 4095>} {
  }
  module attributes {ds.config = #ds.config<timeout = "500ms">} {
  }
  module attributes {ds.config = #ds.config<timeout = "30s">} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = "size:25:1">} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = "size:25">} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = "size:25;allgather=size:64;reducescatter=auto">} {
  }
  module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20], comm_fusion = "allgather=auto">} {
  }
  module attributes {ds.config = #ds.config<optimizer_level = level1, parallel_optimizer_threshold = 64>} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = "index:20:35">} {
  }
  module attributes {ds.config = #ds.config<gradients_mean = true, parallel_mode = data_parallel>} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = all>} {
  }
  module attributes {ds.config = #ds.config<comm_fusion = none>} {
  }
  module attributes {ds.config = #ds.config<all_reduce_fusion_config = [0], mindspore_inclusive = true>} {
  }
  module attributes {ds.config = #ds.config<device_num = 4, update = "average_parameters=8,elastic=0.225">} {
  }
  module attributes {ds.config = #ds.config<update = "average_parameters=16,outer=nesterov(0.7,0.9),warmup=3,states=mean">} {
  }
  module attributes {ds.config = #ds.config<update = "delayed=2">} {
  }
  module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1, 2], auto_parallel_search_mode = dynamic_programming, batch = local, comm_fusion = index, communi_parallel_mode = no_group_parallel, cross_batch = true, dataset_strategy = data_parallel, decorrelate_seeds = true, deterministic = false, device_num = 8, enable_parallel_optimizer = true, force_fp32_communication = true, full_batch = false, fusion_order = parameter, global_rank = 7, grad_accumulation_step = 2, gradient_accumulation_shard = true, gradient_fp32_sync = false, gradients_mean = true, largest_message = 200, local_state = per_rank, loss_repeated_mean = false, mindspore_inclusive = true, optimizer_level = level3, optimizer_weight_shard_size = 2, parallel_mode = semi_auto_parallel, parallel_optimizer_threshold = 0, parameter_broadcast = true, pipeline_stages = 2, search_mode = dynamic_programming, strategy_ckpt_load_file = "in.json", strategy_ckpt_save_file = "out.json", sync_metrics = true, timeout = "1ms", update = "accumulate=2", wire_type = auto>} {
  }
  module attributes {ds.config = {batch = "global", device_num = 4 : i64}} {
  }
}
