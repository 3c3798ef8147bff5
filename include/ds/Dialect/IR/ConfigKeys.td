//===- ConfigKeys.td - the table of configuration keys -*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every fact about a key stands here, once. The compiler's table, 'ds-run --help-config',
// the reference (scripts/generate-docs) and the docstrings of python/dstep/base/config.py are made of it.
//
//===----------------------------------------------------------------------===//

#ifndef DS_DIALECT_IR_CONFIGKEYS_TD
#define DS_DIALECT_IR_CONFIGKEYS_TD

include "llvm/TableGen/SearchableTable.td"

/// A record is named like its key.
class Key<string type, string default> {
  string Name = NAME;
  string Kind = type; // of KeyKind
  string Default = default; // in force where nothing is written; "" for a key without default
  list<string> WordList = [];
  string Words = !interleave(WordList, " ");
  int Least = 0;
  int Most = 0;
  string Range = !cast<string>(Least) # " " # !cast<string>(Most);
  bit Hole = false; // of the numbers, 0 and 1 are no values
  list<string> BuiltList = [];
  string Built = !interleave(BuiltList, " "); // the values that work; "" where all do
  bit Nothing = false;                        // no value works
  string Effect = ?;
  string Instead = ""; // what to do where a value is refused
  string Test = ?;     // a file that shows the key at work, or refused
}

class Flag<string default> : Key<"Flag", default>;
class Number<string default, int least, int most> : Key<"Number", default> {
  let Least = least;
  let Most = most;
}
class Word<string default, list<string> words> : Key<"Word", default> {
  let WordList = words;
}
class Text : Key<"Text", "">;
class Indices : Key<"Indices", "">;
class Fusion : Key<"Fusion", "">;
class MeshAxes : Key<"Mesh", "">;
class DimensionSizes : Key<"Sizes", "">;
class Update<string default> : Key<"Update", default>;
class Compression<string default> : Key<"Compression", default>;
class Duration<string default> : Key<"Duration", default>;

defvar searchModes = ["recursive_programming", "dynamic_programming", "sharding_propagation"];
defvar mostRanks = 4096;
defvar mostMebibytes = 1048576;
defvar mostCost = 1000000000;
defvar mostSteps = 2147483647;
defvar refusedTest = "test/Transforms/check-config-invalid.mlir";

// clang-format off

//===----------------------------------------------------------------------===//
// Ranks and what a batch means
//===----------------------------------------------------------------------===//

def parallel_mode : Word<"data_parallel", ["stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel", "auto_parallel"]> {
  let Effect = "data_parallel and semi_auto_parallel shard the batch over the first axis of the mesh, reduce gradients, and shard over the other axes what is annotated; auto_parallel searches what the other axes shard, and the mesh where it is not set; in hybrid_parallel the step itself is sharded over the other axes, with collectives of its own; stand_alone compiles for one rank. One rank is stand_alone unless this is set";
  let Test = "test/Run/bad-input.test";
}
def device_num : Number<"", 1, mostRanks> {
  let Effect = "number of ranks; must be that of --ranks and of the launcher where these are given, and is theirs where it is not set";
  let Test = "test/Run/bad-input.test";
}
def mesh : MeshAxes {
  let Effect = "the axes that the ranks form, the last one fastest: [dp=2, tp=4] is 8 ranks. The batch is sharded over the first axis, and over the others by ds.sharding. Not set: all ranks are one axis, dp";
  let Test = "test/Transforms/shard-axes-invalid.mlir";
}
def global_rank : Number<"", 0, 4095> {
  let Effect = "the rank that this process must be; less than device_num. May differ from rank to rank, as shard_id";
  let Test = "test/Run/bad-input.test";
}
def num_shards : Number<"", 1, mostRanks> {
  let Effect = "parts into which a rank divides its files, of which it reads one; given together with shard_id. Not set: one part per rank, or 1 where every rank brings files of its own (x=part-{rank}.npy, or other contents under the same name)";
  let Test = "test/Run/shards.test";
}
def shard_id : Number<"", 0, 4095> {
  let Effect = "the part of its files that this process reads; less than num_shards, and like global_rank a key that may differ from rank to rank. Not set: the rank";
  let Test = "test/Run/shards.test";
}
def sizes : DimensionSizes {
  let Effect = "what dynamic dimensions of the step's arguments are: batch is the dimension of the samples, x.1 dimension 1 of the argument x, as in [batch=64, x.1=28]. Each set of sizes is a program of its own. Not set: every dimension is static";
  let Test = "test/Transforms/specialize-invalid.mlir";
}
def batch : Word<"local", ["local", "global"]> {
  let Effect = "local: the step is what each rank does with its own samples. global: n ranks together compute the function that was written. Not set: local, but global in auto_parallel unless cross_batch is true";
  let Test = "test/Run/replay.test";
}
def full_batch : Flag<"false"> {
  let Effect = "with batch = global, in semi_auto_parallel and auto_parallel: every rank loads the global batch and computes with its part of it. The same as dataset_strategy = full_batch";
  let Test = "test/Run/full-batch.test";
}
def dataset_strategy : Word<"data_parallel", ["data_parallel", "full_batch"]> {
  let Effect = "data_parallel: every rank loads the samples that it computes with. full_batch: as the key of that name says. How other dimensions of a batch argument are sharded is said by its ds.sharding";
  let Instead = "say with ds.sharding on batch arguments which axes of the mesh divide them";
  let Test = "test/Run/full-batch.test";
}
def cross_batch : Flag<"false"> {
  let Effect = "with batch = local: states what that means, a loss of the samples of one rank along the first axis, whatever the other axes shard. Refused with batch = global, whose loss is that of all samples";
  let Test = "test/Run/cross-batch.test";
}
def loss_repeated_mean : Flag<"true"> {
  let Effect = "a loss that ranks along other axes than the first one compute alike counts once. false, with batch = local: gradients are multiplied by the number of these ranks";
  let Test = "test/Run/cross-batch.test";
}
def local_state : Word<"mean", ["mean", "rank0", "per_rank"]> {
  let Effect = "what becomes of a state that each rank updates from its own samples (running statistics) with batch = local: the mean of the ranks, the one of rank 0, or each keeps its own";
  let Test = "test/Transforms/insert-all-reduce-statistics.mlir";
}
def sync_metrics : Flag<"false"> {
  let Effect = "with batch = local: metrics are reduced in the step, over all ranks, instead of beside it";
  let Test = "test/Semantics/metrics-are-combined-as-they-say.test";
}
def decorrelate_seeds : Flag<"false"> {
  let Effect = "with batch = local: random keys get the rank mixed in, so that ranks draw different masks";
  let Test = "test/Semantics/seeds-are-decorrelated-on-request.test";
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

def update : Update<"gradient"> {
  let Effect = "when ranks exchange what they train. gradient: the gradients of every step. accumulate=K: as grad_accumulation_step=K. average_parameters=H, with batch = local: the mean of the parameters after every H steps that each rank takes alone; [average_parameters=H, outer=nesterov(LR, MOMENTUM), warmup=N, states=mean] takes the mean difference for the gradient of an outer optimizer (or outer=momentum(LR, MOMENTUM)), averages after each of the first N steps, and sets what an average does to optimizer states: keep (default), mean or reset. [average_parameters=H, elastic=A] takes no mean: after every H steps each rank and what all share move to one another by the part A of what they differ by. delayed=S, with batch = local: the gradients of step t are exchanged during step t + S and update there. asynchronous=S, with batch = local: a rank updates the parameters by its own gradients as soon as it has them, and is at most S steps ahead of the slowest";
  let Test = "test/Run/update-modes.test";
}
def gradients_mean : Flag<"false"> {
  let Effect = "with batch = local: gradients are divided by the number of ranks after their sum";
  let Test = "test/Run/check.test";
}
def gradient_fp32_sync : Flag<"true"> {
  let Effect = "gradients of fewer than 32 bits are widened to f32 for their all-reduce";
  let Test = "test/Transforms/sync-precision.mlir";
}
def force_fp32_communication : Flag<"false"> {
  let Effect = "every all-reduce and reduce-scatter of floats of fewer than 32 bits travels as f32, whatever it reduces and whatever gradient_fp32_sync is";
  let Test = "test/Transforms/sync-precision.mlir";
}
def wire_type : Word<"auto", ["auto", "f32", "f16", "bf16"]> {
  let Effect = "the type in which gradients travel: with f16 or bf16 they are rounded to it, and ranks add in it. auto: as gradient_fp32_sync says";
  let Test = "test/Run/wire-type.test";
}
def gradient_compression : Compression<"none"> {
  let Effect = "what travels in the place of a gradient. f16, bf16: the same as wire_type. power_sgd(RANK), with batch = local and gradients_mean = true: of a gradient of two and more dimensions, as a matrix, two factors of so many columns, where they are smaller than it. top_k(K) or top_k(FRACTION), under the same conditions: of each rank the elements of the largest magnitude, and where they are. With error_feedback after it, as in [power_sgd(4), error_feedback], and with batch = local, each rank adds what it did not send to its gradient of the next step";
  let Test = "test/Run/gradient-compression.test";
}
def gradient_norm : Flag<"false"> {
  let Effect = "the step has one more metric, gradient_norm: the square root of the sum of the squares of all elements of the gradients that the update uses, after their reduction and before clipping. With update = average_parameters or asynchronous the mean of those of the ranks";
  let Test = "test/Run/gradient-norm.test";
}
def deterministic : Flag<"true"> {
  let Effect = "ranks are added in their order, so that the same run gives the same bits on every backend that can";
  let Test = "test/Transforms/apply-mean.mlir";
}

//===----------------------------------------------------------------------===//
// Fusion of all-reduces
//===----------------------------------------------------------------------===//

def all_reduce_fusion_config : Indices {
  let Effect = "the gradients at which a bucket ends: [20, 35] makes buckets of the first 20, the next 15 and the rest";
  let Test = "test/Transforms/fuse-all-reduce-mindspore.mlir";
}
def mindspore_inclusive : Flag<"false"> {
  let Effect = "all_reduce_fusion_config counts from 0 and names the last gradient of each bucket, in the order of parameters, as MindSpore's code does";
  let Test = "test/Transforms/fuse-all-reduce-mindspore.mlir";
}
def comm_fusion : Fusion {
  let Effect = "which gradients travel together. all: one bucket. none: one each. size:MB[:firstMB]: buckets of so many MiB. planned: the buckets with which the step ends first by comm_costs and the times at which gradients are ready (plan_profile, or the costs cost_flop and cost_memory): starting a bucket takes time of the step, too, and what hides behind updates is free. auto: planned where comm_costs is set, else size:64. ddp: size:25:1. index: as all_reduce_fusion_config says. Also as a dictionary {allreduce: {mode: size, config: 25}} with the modes auto, size and index. Not set: planned where comm_costs is set, else one bucket. All-gathers and reduce-scatters have entries of their own, allgather and reducescatter with the modes auto and size, in text size:25;allgather=auto;reducescatter=size:64; not set: one each";
  let Test = "test/Transforms/fuse-all-reduce.mlir";
}
def fusion_order : Word<"ready", ["ready", "parameter"]> {
  let Effect = "the order in which gradients fill buckets: as they become ready, or that of the parameters";
  let Test = "test/Transforms/fuse-all-reduce.mlir";
}
def largest_message : Number<"", 1, mostMebibytes> {
  let Effect = "MiB that a bucket holds at most; not set: what the backend moves at full speed in one message";
  let Test = "test/Transforms/fuse-all-reduce.mlir";
}

def comm_costs : Text {
  let Effect = "what an exchange between the ranks takes, for comm_fusion = planned: a link LATENCY:RATE such as 50us:2.5Gbit, or a file that ds-run --probe-link wrote. Not set: the link of --link, if there is one";
  let Test = "test/Transforms/plan-buckets.mlir";
}
def plan_profile : Text {
  let Effect = "a file that ds-run --profile wrote: when each gradient is ready, for comm_fusion = planned. Not set: by cost_flop and cost_memory";
  let Test = "test/Transforms/plan-buckets.mlir";
}
def overlap : Word<"auto", ["auto", "on", "off"]> {
  let Effect = "on: gradients and metrics are exchanged while the step computes on, and parameters updated in the order in which their buckets arrive; the bits are the same. off: each exchange blocks. auto: on over a network, with nccl and hccl, with --link, and where comm_costs is set; off on one host, where every core computes and nothing is gained";
  let Test = "test/Conversion/overlap.mlir";
}
def overlap_memory : Number<"", 1, mostMebibytes> {
  let Effect = "MiB of gradients in flight at most, with overlap: before one more bucket starts, the oldest is waited for. Not set: any number";
  let Test = "test/Conversion/overlap.mlir";
}
def shared_replicas : Word<"auto", ["auto", "on", "off"]> {
  let Effect = "on: the ranks, threads of one process, hold parameters and optimizer states once; each reads the gradients of all for its share of the elements and updates that in place. The bits are the same. What is not updated element by element, or differs from rank to rank, each rank holds for itself. Not with overlap, an update mode, or a mesh of several axes. off: every rank holds all. auto: ds-run has it on where all ranks are threads of one process that exchange nothing over a link, and parameters and states are 64 MiB or more, or 1 MiB where ranks outnumber the cores; with less it saves little memory and no time";
  let Test = "test/Conversion/share-replicas.mlir";
}

//===----------------------------------------------------------------------===//
// Sharded optimizer
//===----------------------------------------------------------------------===//

def enable_parallel_optimizer : Flag<"false"> {
  let Effect = "each rank holds and updates one shard of every large parameter and of its optimizer states: gradients are reduce-scattered, and parameters gathered where the step reads them. Checkpoints hold global values";
  let Test = "test/Run/parallel-optimizer.test";
}
def parallel_optimizer_threshold : Number<"64", 0, mostSteps> {
  let Effect = "KB from which a parallel optimizer shards a parameter or state";
  let Test = "test/Transforms/shard-optimizer.mlir";
}
def optimizer_level : Word<"level1", ["level1", "level2", "level3"]> {
  let Effect = "what a parallel optimizer shards. level1: parameters and states. level2: gradients as well; the same here, since they leave their reduction as shards. level3: a parameter is gathered where the forward pass reads it and again where the backward pass does, and is not kept in between";
  let Test = "test/Transforms/shard-optimizer.mlir";
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

def timeout : Duration<"600s"> {
  let Effect = "how long a rank waits for the others before it ends with their names";
  let Test = "test/Run/suspend.test";
}
def parameter_broadcast : Flag<"false"> {
  let Effect = "parameters and states of rank 0 reach all ranks before the first step, bit for bit; without it ranks that start with different values are an error";
  let Test = "test/Run/agreement.test";
}

def precision : Word<"ieee", ["ieee", "tf32", "bf16"]> {
  let Effect = "of products and convolutions of f32. ieee: in f32. tf32: on a GPU the factors are rounded to 11 bits, which tensor cores multiply several times as fast, with relative errors near 3e-4; a CPU computes in f32. bf16: factors are rounded to bf16, to 8 bits, on CPUs and GPUs alike, and sums stay in f32, as do statistics, losses, optimizer states and updates; docs/Numerics.md lists what is rounded and how far results differ. A product of f64 is refused with bf16";
  let Test = "test/Run/bf16-factors.test";
}
def attention : Word<"auto", ["auto", "blocked", "plain"]> {
  let Effect = "on a CPU. blocked: softmax(Q K^T) V, with its scale, masks and dropout, and its gradient, are computed for a block of queries at a time, and the gradient computes scores and weights again, so that no tensor has an element for each pair of a query and a key; blocks that a causal mask hides are not computed. plain: as the step says. auto: blocked from 65536 pairs of a head on";
  let Test = "test/Conversion/block-attention.mlir";
}

//===----------------------------------------------------------------------===//
// Keys of other modes, known so that a script of the field meets a sentence
//===----------------------------------------------------------------------===//

def optimizer_weight_shard_size : Number<"-1", -1, mostRanks> {
  let Hole = true;
  let BuiltList = ["-1"];
  let Effect = "ranks over which a parallel optimizer shards a parameter";
  let Instead = "leave it out, so that all ranks together divide a parameter, or give them one more axis, as in mesh=[dp=2,fsdp=4], that ds.sharding divides samples and parameters over";
  let Test = refusedTest;
}
def gradient_accumulation_shard : Flag<"false"> {
  let BuiltList = ["false"];
  let Effect = "shards accumulated gradients over the ranks";
  let Instead = "leave it out: accumulated gradients are whole on every rank";
  let Test = refusedTest;
}
def grad_accumulation_step : Number<"1", 1, mostSteps> {
  let Effect = "microbatches of the step's size per update: their gradients are averaged, and travel once. The same as update = accumulate=K, and beside other modes of update";
  let Test = "test/Transforms/accumulate-gradients.mlir";
}
def pipeline_stages : Number<"1", 1, mostRanks> {
  let BuiltList = ["1"];
  let Effect = "stages of a pipeline of ranks";
  let Instead = "leave it out: every rank runs the whole step";
  let Test = refusedTest;
}
def communi_parallel_mode : Word<"all_group_parallel", ["all_group_parallel", "same_server_group_parallel", "no_group_parallel"]> {
  let BuiltList = ["all_group_parallel"];
  let Effect = "which groups communicate at once";
  let Instead = "leave it out: data parallel steps have one group";
  let Test = refusedTest;
}
def search_mode : Word<"dynamic_programming", searchModes> {
  let Effect = "how auto_parallel searches: dynamic_programming for the least time of the cost model, with a lower bound of any plan; recursive_programming quickly, without a bound, the mesh by one prime factor of the ranks after another; sharding_propagation for the fewest bytes from rank to rank beside what is annotated";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def auto_parallel_search_mode : Word<"dynamic_programming", searchModes> {
  let Effect = "the former name of search_mode";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def cost_flop : Number<"20", 0, mostCost> {
  let Effect = "picoseconds that a rank takes for one floating-point operation, by which auto_parallel reckons: 20 are 50 GFLOP/s";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def cost_memory : Number<"100", 0, mostCost> {
  let Effect = "picoseconds that a rank takes to read or write one byte of memory: 100 are 10 GB/s";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def cost_wire : Number<"200", 0, mostCost> {
  let Effect = "picoseconds that one byte takes from rank to rank: 200 are 5 GB/s";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def cost_message : Number<"5000", 0, mostCost> {
  let Effect = "nanoseconds that a message takes from rank to rank, however short it is";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def memory_limit : Number<"", 1, mostMebibytes> {
  let Effect = "MiB that one rank may take in auto_parallel, for parameters, states, samples and all that a step computes: the fastest plan that stays below. ds-opt, which compiles nothing, counts parameters, states and samples";
  let Test = "test/Transforms/assign-shardings.mlir";
}
def strategy_ckpt_load_file : Text {
  let Effect = "a file with the shardings of arguments, in place of ds.sharding in the step: JSON with a list of axes for each dimension of an argument (ds-load-strategy); of a folder such as ./ it is strategy.json";
  let Test = "test/Transforms/load-strategy.mlir";
}
def strategy_ckpt_save_file : Text {
  let Effect = "the file into which semi_auto_parallel and auto_parallel write how arguments are sharded, for strategy_ckpt_load_file; in a folder such as ./ it is strategy.json";
  let Test = "test/Run/auto-parallel.test";
}

// clang-format on

def KeyRows : GenericTable {
  let FilterClass = "Key";
  let CppTypeName = "KeyRow";
  let Fields = ["Name", "Kind", "Default", "Words", "Range", "Hole", "Built", "Nothing", "Effect", "Instead", "Test"];
}

#endif // DS_DIALECT_IR_CONFIGKEYS_TD
