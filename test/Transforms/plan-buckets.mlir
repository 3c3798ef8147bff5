// Buckets by what an exchange takes and when gradients are ready. Each operation takes 2.048 ms here; a gradient of 1 KiB is
// 1.024 ms on the wire between 2 ranks.
// RUN: split-file %s %t
// RUN: ds-opt %t/short.mlir --ds-fuse-all-reduce --split-input-file | FileCheck %t/short.mlir
// RUN: cd %t && ds-opt files.mlir --ds-fuse-all-reduce --split-input-file | FileCheck files.mlir
// RUN: cd %t && ds-opt invalid.mlir --ds-fuse-all-reduce --split-input-file --verify-diagnostics

//--- short.mlir
// A short latency: each gradient leaves as soon as it is made, and the last one alone is exposed, for 2.024 ms.
// CHECK: ds.bucket_plan = {bound_ps = 2024000000 : i64, buckets = 3 : i64, bytes = 3072 : i64, compute_ps = 6144000000 : i64, exposed_ps = 2024000000 : i64, gap_ppm = 0 : i64, gradients = 3 : i64, hash = "{{[0-9a-f]+}}", presets = {
// CHECK-SAME: each = 2024000000 : i64
// CHECK-SAME: one = 4072000000 : i64
// CHECK-LABEL: func.func @each_leaves_alone(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1026 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_fusion = planned, comm_costs = "1ms:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @each_leaves_alone(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
}

// -----
// A long one: all wait for the last. Without a word, and with auto, costs plan.
// CHECK: buckets = 1 : i64
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}}, %{{.*}} {fusion = 1024 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "10ms:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @all_leave_together(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
}

// -----
// Where exchanges block nothing is gained by leaving early: fewer messages are better, whatever the latency.
// CHECK: buckets = 1 : i64{{.*}}exposed_ps = 4072000000 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_fusion = auto, overlap = off, comm_costs = "1ms:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @blocking(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
}

// -----
// What waits for an exchange itself does not come before it: a gradient of 2.048 ms, and behind its arrival an update of 3.072 ms.
// CHECK: compute_ps = 5120000000 : i64, exposed_ps = 2024000000 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @updates_come_behind(%x: tensor<256xf32>, %w: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = arith.subf %w, %0 : tensor<256xf32>
  return %1 : tensor<256xf32>
}
}

// -----
// Types never share a bucket, whatever the plan would like.
// CHECK: buckets = 3 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "10ms:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @types(%x: tensor<256xf32>, %y: tensor<256xf64>) -> (tensor<256xf32>, tensor<256xf64>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %y : tensor<256xf64>
  %c = math.exp %a : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf64>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf64>, tensor<256xf32>
}
}

// -----
// The second bucket, of 1.025 ms, is sent beside the update behind the first, which takes 3.072 ms.
// CHECK: buckets = 2 : i64{{.*}}exposed_ps = 0 : i64{{.*}}one = 2049000000 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1us:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @updates_hide_what_follows(%x: tensor<256xf32>, %w: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = arith.subf %w, %0 : tensor<256xf32>
  %2 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  return %1, %2 : tensor<256xf32>, tensor<256xf32>
}
}

// -----
// A sum that the step itself needs waits for what is in flight: of 2.048 ms of a gradient 1.024 ms are left behind other work, and then
// nothing hides of 0.512 + 0.512 ms.
// CHECK: compute_ps = 6144000000 : i64, exposed_ps = 2048000000 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "0us:1MB", cost_flop = 0, cost_memory = 1000000>} {
func.func @needed_by_the_step(%x: tensor<128xf32>, %y: tensor<512xf32>) -> (tensor<128xf32>, tensor<512xf32>) {
  %a = math.exp %y : tensor<512xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<512xf32>
  %c = math.exp %x : tensor<128xf32>
  %s = ds.all_reduce sum %c {purpose = #ds<purpose activation>} : tensor<128xf32>
  %b = math.exp %s : tensor<128xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<128xf32>
  return %1, %0 : tensor<128xf32>, tensor<512xf32>
}
}

//--- files.mlir
// A file of costs with a knee, and measured times that are another order of magnitude.
// CHECK: buckets = 2 : i64{{.*}}compute_ps = 9000000000 : i64
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"a"]]}
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"b"], ["c"]]}
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "costs.json", plan_profile = "ready.json">} {
func.func @measured(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
}

// -----
// Starts of 10 ms: one bucket, although the first gradient could leave 7 ms earlier. That of a metric comes first.
// CHECK: buckets = 1 : i64{{.*}}compute_ps = 9000100000 : i64, exposed_ps = 23072100000 : i64
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1MB", plan_profile = "launch.json">} {
func.func @starts_cost(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<256xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<256xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<256xf32>
  return %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
}

//--- launch.json
{"ds_profile": 1, "ranks": 2, "compute_ns": 9000000, "launch_ns": 10000000, "others": [{"bytes": 4, "ready_ns": 0}], "gradients": [
  {"names": "a", "bytes": 1024, "ready_ns": 1000000}, {"names": "b", "bytes": 1024, "ready_ns": 8000000, "update_ns": 100},
  {"names": "c", "bytes": 1024, "ready_ns": 8000100}]}
//--- costs.json
{"ds_costs": 1, "ranks": 2, "backend": "local", "pieces": [{"from_bytes": 0, "start_ps": 2000000000, "ps_per_kib": 1000000},
                                                           {"from_bytes": 2049, "start_ps": 20000000000, "ps_per_kib": 1000000}]}
//--- ready.json
{"ds_profile": 1, "ranks": 2, "compute_ns": 9000000, "gradients": [
  {"names": "a", "bytes": 1024, "ready_ns": 1000000}, {"names": "b", "bytes": 1024, "ready_ns": 8000000},
  {"names": "c", "bytes": 1024, "ready_ns": 8000100}]}
//--- three.json
{"ds_costs": 1, "ranks": 3, "pieces": [{"from_bytes": 0, "start_ps": 0, "ps_per_kib": 0}]}
//--- falls.json
{"ds_costs": 1, "ranks": 2, "pieces": [{"from_bytes": 0, "start_ps": 9, "ps_per_kib": 0}, {"from_bytes": 8, "start_ps": 0, "ps_per_kib": 0}]}
//--- text.json
pieces
//--- half.json
{"ds_costs": 1, "ranks": 2, "pieces": [{"from_bytes": 0, "start_ps": 0.5, "ps_per_kib": 0}]}

//--- invalid.mlir
module attributes {ds.config = #ds.config<device_num = 2, comm_fusion = planned>} {
// expected-error @below {{'comm_fusion = planned' needs 'comm_costs', a link LATENCY:RATE or a file of ds-run --probe-link}}
func.func @no_costs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_costs = "1ms:1MB">} {
// expected-error @below {{'comm_fusion = planned' needs 'device_num', since what an exchange takes depends on the number of ranks}}
func.func @no_ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "/dev/zero">} {
// expected-error @below {{'comm_costs' file '/dev/zero' cannot be read: it is no file}}
func.func @no_end(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "none.json">} {
// expected-error @below {{'comm_costs' file 'none.json' cannot be read: no such file or directory}}
func.func @no_file(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "text.json">} {
// expected-error @below {{'comm_costs' file 'text.json' is not JSON: }}
func.func @no_json(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "ready.json">} {
// expected-error @below {{'comm_costs' file 'ready.json' is no costs: expected an object with "ds_costs": 1}}
func.func @another_file(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "three.json">} {
// expected-error @below {{'comm_costs' file 'three.json' is of 3 ranks, expected 2}}
func.func @other_ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "falls.json">} {
// expected-error @below {{'comm_costs' file 'falls.json' holds no costs: the piece from 8 bytes on takes less time than a shorter message}}
func.func @falls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "half.json">} {
// expected-error @below {{'comm_costs' file 'half.json' holds a piece without whole numbers "from_bytes", "start_ps" and "ps_per_kib"}}
func.func @half(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["a"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1MB", plan_profile = "ready.json">} {
// expected-error @below {{'plan_profile' file 'ready.json' has no gradient of 'd': it is of another step}}
func.func @another_step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["d"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 2, comm_costs = "1ms:1MB", plan_profile = "three.json">} {
// expected-error @below {{'plan_profile' file 'three.json' is no profile: expected an object with "ds_profile": 1}}
func.func @no_profile(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %x {names = [["d"]]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
