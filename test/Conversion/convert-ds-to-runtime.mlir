// RUN: ds-opt %s -convert-ds-to-runtime -split-input-file -verify-diagnostics | FileCheck %s

// One call per bucket; names and the bucket's number are no part of the call.
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr {ds.context}, %[[A:.*]]: memref<3xf32>, %[[B:.*]]: memref<2x2xf32>)
// CHECK: call @all_reduce_0(%[[CTX]], %[[A]], %[[B]]) : (!llvm.ptr, memref<3xf32>, memref<2x2xf32>) -> ()
// CHECK: call @all_reduce_0(%[[CTX]], %[[A]], %[[B]])
// CHECK: %[[R:.*]] = call @dsrt_rank(%[[CTX]]) : (!llvm.ptr) -> i32
// CHECK: arith.index_cast %[[R]] : i32 to index
// CHECK: call @barrier_1(%[[CTX]])
// CHECK: func.func private @all_reduce_0(%[[C:.*]]: !llvm.ptr, %[[X:.*]]: memref<3xf32>, %[[Y:.*]]: memref<2x2xf32>) attributes {ds.collective}
// CHECK-DAG: arith.constant 3 : i64
// CHECK-DAG: arith.constant 4 : i64
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: call @dsrt_all_reduce(%[[C]]
func.func @step(%a: memref<3xf32>, %b: memref<2x2xf32>) -> index {
  ds.all_reduce sum %a, %b {fusion = 1024 : i64, names = [["a"], ["b"]]} : memref<3xf32>, memref<2x2xf32>
  ds.all_reduce sum %a, %b {fusion = 1025 : i64} : memref<3xf32>, memref<2x2xf32>
  %r = ds.rank : index
  ds.barrier
  return %r : index
}

// -----

// The wait names the buffers too, so that they live until it.
// CHECK-LABEL: func.func @started
// CHECK: %[[P:.*]] = call @all_reduce_start_0({{.*}}) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
// CHECK: call @wait_1({{.*}}, %[[P]], {{.*}}) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
func.func @started(%a: memref<4xf32>) {
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @loop_ends_after_a_failure
// CHECK: scf.while
// CHECK: %[[F:.*]] = func.call @dsrt_failed
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[F]]
// CHECK: %[[GO:.*]] = arith.andi {{.*}}, %[[OK]]
// CHECK: scf.condition(%[[GO]])
func.func @loop_ends_after_a_failure(%a: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %v = memref.load %a[] : memref<f32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go)
  } do {
    ds.all_reduce sum %a : memref<f32>
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @loop_without_collectives_is_left_alone
// CHECK-NOT: dsrt_failed
func.func @loop_without_collectives_is_left_alone(%a: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %v = memref.load %a[] : memref<f32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go)
  } do {
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @group
// CHECK: func.func private @all_reduce_0
// CHECK: call @dsrt_group_create
// CHECK: call @dsrt_all_reduce
func.func @group(%a: memref<4xf32>) {
  ds.all_reduce max %a {group = array<i64: 0, 2>} : memref<4xf32>
  return
}

// -----

func.func @tensors_are_refused(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'ds.all_reduce' op works on tensors; expected buffers, as bufferization leaves them}}
  %r = ds.all_reduce sum %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @inner_dimension_is_refused(%a: memref<2x4xf32>, %b: memref<2x2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op along dimension 1 cannot be executed; expected dimension 0}}
  ds.reduce_scatter sum %a into %b along 1 : memref<2x4xf32> into memref<2x2xf32>
  return
}

// -----

func.func @unknown_wire_type_is_refused(%a: memref<4xi4>) {
  // expected-error @below {{'ds.broadcast' op moves elements of type 'i4', which the runtime does not know}}
  ds.broadcast %a from 0 : memref<4xi4>
  return
}

// -----

func.func @a() {
  return
}
// expected-error @below {{'b' is a second public function beside 'a'; expected one step}}
func.func @b() {
  return
}

// -----

// The number of each type and reduction in the runtime's interface.
// CHECK-LABEL: func.func @types_have_their_numbers
// CHECK: func.func private @all_reduce_0({{.*}}memref<3xf64>)
// CHECK: %[[TYPE0:.*]] = arith.constant 0 : i32
// CHECK: %[[KIND0:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD0:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE0]], %[[KIND0]], %[[WORLD0]])
// CHECK: func.func private @all_reduce_1({{.*}}memref<3xf32>)
// CHECK: %[[TYPE1:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND1:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD1:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE1]], %[[KIND1]], %[[WORLD1]])
// CHECK: func.func private @all_reduce_2({{.*}}memref<3xf16>)
// CHECK: %[[TYPE2:.*]] = arith.constant 2 : i32
// CHECK: %[[KIND2:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD2:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE2]], %[[KIND2]], %[[WORLD2]])
// CHECK: func.func private @all_reduce_3({{.*}}memref<3xbf16>)
// CHECK: %[[TYPE3:.*]] = arith.constant 3 : i32
// CHECK: %[[KIND3:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD3:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE3]], %[[KIND3]], %[[WORLD3]])
// CHECK: func.func private @all_reduce_4({{.*}}memref<3xi64>)
// CHECK: %[[TYPE4:.*]] = arith.constant 4 : i32
// CHECK: %[[KIND4:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD4:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE4]], %[[KIND4]], %[[WORLD4]])
// CHECK: func.func private @all_reduce_5({{.*}}memref<3xi32>)
// CHECK: %[[TYPE5:.*]] = arith.constant 5 : i32
// CHECK: %[[KIND5:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD5:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE5]], %[[KIND5]], %[[WORLD5]])
// CHECK: func.func private @all_reduce_6({{.*}}memref<3xi16>)
// CHECK: %[[TYPE6:.*]] = arith.constant 6 : i32
// CHECK: %[[KIND6:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD6:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE6]], %[[KIND6]], %[[WORLD6]])
// CHECK: func.func private @all_reduce_7({{.*}}memref<3xi8>)
// CHECK: %[[TYPE7:.*]] = arith.constant 7 : i32
// CHECK: %[[KIND7:.*]] = arith.constant 0 : i32
// CHECK: %[[WORLD7:.*]] = arith.constant 0 : i64
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE7]], %[[KIND7]], %[[WORLD7]])
func.func @types_have_their_numbers(%x0: memref<3xf64>, %x1: memref<3xf32>, %x2: memref<3xf16>, %x3: memref<3xbf16>, %x4: memref<3xi64>, %x5: memref<3xi32>, %x6: memref<3xi16>, %x7: memref<3xi8>) {
  ds.all_reduce sum %x0 : memref<3xf64>
  ds.all_reduce sum %x1 : memref<3xf32>
  ds.all_reduce sum %x2 : memref<3xf16>
  ds.all_reduce sum %x3 : memref<3xbf16>
  ds.all_reduce sum %x4 : memref<3xi64>
  ds.all_reduce sum %x5 : memref<3xi32>
  ds.all_reduce sum %x6 : memref<3xi16>
  ds.all_reduce sum %x7 : memref<3xi8>
  return
}

// -----

// CHECK-LABEL: func.func @reductions_have_their_numbers
// CHECK: func.func private @all_reduce_0(
// CHECK: %[[TYPE0:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND0:.*]] = arith.constant 0 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE0]], %[[KIND0]], %{{.*}})
// CHECK: func.func private @all_reduce_1(
// CHECK: %[[TYPE1:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND1:.*]] = arith.constant 1 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE1]], %[[KIND1]], %{{.*}})
// CHECK: func.func private @all_reduce_2(
// CHECK: %[[TYPE2:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND2:.*]] = arith.constant 2 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE2]], %[[KIND2]], %{{.*}})
// CHECK: func.func private @all_reduce_3(
// CHECK: %[[TYPE3:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND3:.*]] = arith.constant 3 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE3]], %[[KIND3]], %{{.*}})
// CHECK: func.func private @all_reduce_4(
// CHECK: %[[TYPE4:.*]] = arith.constant 1 : i32
// CHECK: %[[KIND4:.*]] = arith.constant 4 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE4]], %[[KIND4]], %{{.*}})
// CHECK: func.func private @all_reduce_5(
// CHECK: %[[TYPE5:.*]] = arith.constant 5 : i32
// CHECK: %[[KIND5:.*]] = arith.constant 5 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE5]], %[[KIND5]], %{{.*}})
// CHECK: func.func private @all_reduce_6(
// CHECK: %[[TYPE6:.*]] = arith.constant 5 : i32
// CHECK: %[[KIND6:.*]] = arith.constant 6 : i32
// CHECK: call @dsrt_all_reduce({{.*}}, %[[TYPE6]], %[[KIND6]], %{{.*}})
func.func @reductions_have_their_numbers(%x: memref<3xf32>, %n: memref<3xi32>) {
  ds.all_reduce sum %x : memref<3xf32>
  ds.all_reduce mean %x : memref<3xf32>
  ds.all_reduce max %x : memref<3xf32>
  ds.all_reduce min %x : memref<3xf32>
  ds.all_reduce prod %x : memref<3xf32>
  ds.all_reduce and %n : memref<3xi32>
  ds.all_reduce or %n : memref<3xi32>
  return
}

// -----

// The ranks of a group, the root and both buffers of a share; counts are those of the smaller side.
// CHECK-LABEL: func.func @groups_roots_and_shares
// CHECK: func.func private @broadcast_0(
// CHECK: %[[ROOT:.*]] = arith.constant 3 : i32
// CHECK: llvm.alloca %{{.*}} x i32
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[0]
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: llvm.store %[[ONE]], %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %{{.*}}[1]
// CHECK: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: llvm.store %[[THREE]], %[[SECOND]]
// CHECK: %[[SIZE:.*]] = arith.constant 2 : i32
// CHECK: call @dsrt_group_create(%{{.*}}, %[[SIZE]], %{{.*}}, %[[OUT:[0-9]+]])
// CHECK: %[[GROUP:.*]] = llvm.load %[[OUT]]
// CHECK: call @dsrt_broadcast({{.*}}, %[[ROOT]], %[[GROUP]])
// CHECK: func.func private @reduce_scatter_1(%{{.*}}: !llvm.ptr, %[[WHOLE:.*]]: memref<8xf32>, %[[PART:.*]]: memref<2xf32>)
// CHECK: memref.extract_aligned_pointer_as_index %[[WHOLE]]
// CHECK: memref.extract_aligned_pointer_as_index %[[PART]]
// CHECK: %[[COUNT:.*]] = arith.constant 2 : i64
// CHECK-NEXT: llvm.store %[[COUNT]]
// CHECK: call @dsrt_reduce_scatter
// CHECK: func.func private @all_gather_2(%{{.*}}: !llvm.ptr, %[[MINE:.*]]: memref<2xf32>, %[[ALL:.*]]: memref<8xf32>)
// CHECK: memref.extract_aligned_pointer_as_index %[[MINE]]
// CHECK: memref.extract_aligned_pointer_as_index %[[ALL]]
// CHECK: %[[ROWS:.*]] = arith.constant 2 : i64
// CHECK-NEXT: llvm.store %[[ROWS]]
// CHECK: call @dsrt_all_gather
func.func @groups_roots_and_shares(%x: memref<8xf32>, %s: memref<2xf32>) {
  ds.broadcast %x from 3 {group = array<i64: 1, 3>} : memref<8xf32>
  ds.reduce_scatter sum %x into %s along 0 : memref<8xf32> into memref<2xf32>
  ds.all_gather %s into %x along 0 : memref<2xf32> into memref<8xf32>
  return
}

// -----

// Another root is another call; another bucket is not.
// CHECK-LABEL: func.func @what_the_runtime_must_know_makes_a_call
// CHECK: call @broadcast_0(
// CHECK: call @broadcast_1(
// CHECK: call @broadcast_0(
// CHECK: call @broadcast_2(
func.func @what_the_runtime_must_know_makes_a_call(%x: memref<8xf32>) {
  ds.broadcast %x from 0 : memref<8xf32>
  ds.broadcast %x from 1 : memref<8xf32>
  ds.broadcast %x from 0 {names = [["w"]]} : memref<8xf32>
  ds.broadcast %x from 0 {group = array<i64: 0, 1>} : memref<8xf32>
  return
}

// -----

// The address of a view is that of its first element: 5 floats on.
// CHECK-LABEL: func.func @a_view_starts_at_its_offset
// CHECK: func.func private @all_reduce_0(
// CHECK: %[[ADDRESS:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[OFFSET:.*]] = arith.constant 20 : i64
// CHECK: arith.addi %[[ADDRESS]], %[[OFFSET]] : i64
func.func @a_view_starts_at_its_offset(%x: memref<3xf32, strided<[1], offset: 5>>) {
  ds.all_reduce sum %x : memref<3xf32, strided<[1], offset: 5>>
  return
}

// -----

// expected-error @below {{the runtime has 'dsrt_rank', expected a function of type '(!llvm.ptr) -> i32'}}
func.func private @dsrt_rank(index) -> i32
func.func @a_function_is_called_like_one_of_the_runtime() -> index {
  %rank = ds.rank : index
  return %rank : index
}

// -----

// expected-error @below {{the runtime has 'dsrt_group_create', expected a declaration of a function that returns i32}}
func.func private @dsrt_group_create(memref<4xf32>)
func.func @a_function_is_called_like_one_that_groups_need(%a: memref<4xf32>) {
  ds.all_reduce sum %a {group = array<i64: 0, 1>} : memref<4xf32>
  return
}

// -----

// Along the last axis of 2 x 3 ranks: those from rank - rank % 3 on.
// CHECK-LABEL: func.func @along_an_axis
module attributes {ds.config = #ds.config<device_num = 6, mesh = "dp=2,tp=3">} {
  // CHECK: call @all_reduce_0
  // CHECK: func.func private @all_reduce_0
  // CHECK: call @dsrt_rank
  // CHECK-DAG: arith.divui %{{.*}}, %{{.*}} : i32
  // CHECK-DAG: arith.remui %{{.*}}, %{{.*}} : i32
  // CHECK: call @dsrt_group_create
  func.func @along_an_axis(%a: memref<4xf32>) {
    ds.all_reduce sum %a {group = ["tp"]} : memref<4xf32>
    return
  }
}

// -----

func.func @unknown_axes_are_refused(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op meets along ["tp"], which the mesh does not have}}
  ds.all_reduce sum %a {group = ["tp"]} : memref<4xf32>
  return
}

// -----

func.func @unknown_axes_are_not_counted() -> index {
  // expected-error @below {{'ds.rank' op counts ranks along ["tp"], which the mesh does not have}}
  %r = ds.rank {group = ["tp"]} : index
  return %r : index
}

// -----

// The runtime counts the elements of one block: two here, by the shapes, and three, by the ranks of the configuration.
module attributes {ds.config = #ds.config<device_num = 4>} {
// CHECK-LABEL: func.func @exchanges
// CHECK: call @all_to_all_0(
// CHECK: call @all_to_all_1(
// CHECK: func.func private @all_to_all_0(%{{.*}}: !llvm.ptr, %[[A:.*]]: memref<4x2xf32>, %[[O:.*]]: memref<1x8xf32>)
// CHECK: memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: memref.extract_aligned_pointer_as_index %[[O]]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK-NEXT: llvm.store %[[TWO]]
// CHECK: call @dsrt_all_to_all
// CHECK: func.func private @all_to_all_1(%{{.*}}: !llvm.ptr, %[[B:.*]]: memref<12xf32>, %[[P:.*]]: memref<12xf32>)
// CHECK: memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: memref.extract_aligned_pointer_as_index %[[P]]
// CHECK: %[[ELEMENTS:.*]] = arith.constant 3 : i64
// CHECK-NEXT: llvm.store %[[ELEMENTS]]
// CHECK: call @dsrt_all_to_all
func.func @exchanges(%a: memref<4x2xf32>, %o: memref<1x8xf32>, %b: memref<12xf32>, %p: memref<12xf32>) {
  ds.all_to_all %a into %o split 0 concat 1 : memref<4x2xf32> into memref<1x8xf32>
  ds.all_to_all %b into %p split 0 concat 0 : memref<12xf32> into memref<12xf32>
  return
}
}

// -----

func.func @exchange_of_columns(%a: memref<2x4xf32>, %o: memref<4x2xf32>) {
  // expected-error @below {{'ds.all_to_all' op along dimension 1 cannot be executed; expected dimension 0}}
  ds.all_to_all %a into %o split 1 concat 0 : memref<2x4xf32> into memref<4x2xf32>
  return
}

// -----

func.func @exchange_among_nobody_knows_how_many(%a: memref<4xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op within dimension 0 cannot be executed; expected 'ds.config' to say how many ranks there are, or a 'group'}}
  ds.all_to_all %a into %o split 0 concat 0 : memref<4xf32> into memref<4xf32>
  return
}

// -----

module attributes {ds.config = #ds.config<device_num = 3>} {
func.func @exchange_of_uneven_blocks(%a: memref<4xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op among 3 ranks cannot divide dimension 0 of size 4}}
  ds.all_to_all %a into %o split 0 concat 0 : memref<4xf32> into memref<4xf32>
  return
}
}

// -----

// Sources stand behind the dtype, as a root does.
module attributes {ds.config = #ds.config<mesh = "dp=2,tp=2", device_num = 4>} {
// CHECK-LABEL: func.func @permutes
// CHECK: call @collective_permute_0(
// CHECK: call @collective_permute_1(
// CHECK: call @collective_permute_0(
// CHECK-NOT: @collective_permute_2
// CHECK: func.func private @collective_permute_0(%{{.*}}: !llvm.ptr, %[[A:.*]]: memref<6xf32>, %[[O:.*]]: memref<6xf32>)
// CHECK: memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: memref.extract_aligned_pointer_as_index %[[O]]
// CHECK: %[[SIX:.*]] = arith.constant 6 : i64
// CHECK-NEXT: llvm.store %[[SIX]]
// CHECK: %[[F32:.*]] = arith.constant 1 : i32
// CHECK: %[[SOURCES:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[SOURCES]][0]
// CHECK: %[[NOBODY:.*]] = arith.constant -1 : i64
// CHECK-NEXT: llvm.store %[[NOBODY]], %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[SOURCES]][1]
// CHECK: %[[MEMBER:.*]] = arith.constant 0 : i64
// CHECK-NEXT: llvm.store %[[MEMBER]], %[[SECOND]]
// CHECK: call @dsrt_group_create
// CHECK: %[[GROUP:.*]] = llvm.load
// CHECK: call @dsrt_collective_permute(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[F32]], %[[SOURCES]], %[[GROUP]])
func.func @permutes(%a: memref<6xf32>, %o: memref<6xf32>) {
  ds.collective_permute %a into %o from [-1, 0] {group = ["tp"]} : memref<6xf32> into memref<6xf32>
  ds.collective_permute %a into %o from [1, 0] {group = ["tp"]} : memref<6xf32> into memref<6xf32>
  ds.collective_permute %a into %o from [-1, 0] {group = ["tp"], names = [["h"]]} : memref<6xf32> into memref<6xf32>
  return
}
}

// -----

func.func @permutation_among_nobody_knows_how_many(%a: memref<4xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op of 2 sources cannot be executed; expected 'ds.config' to say how many ranks there are, or a 'group'}}
  ds.collective_permute %a into %o from [1, 0] : memref<4xf32> into memref<4xf32>
  return
}

// -----

module attributes {ds.config = #ds.config<device_num = 3>} {
func.func @permutation_among_others(%a: memref<4xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op of 2 sources is of 3 ranks}}
  ds.collective_permute %a into %o from [1, 0] : memref<4xf32> into memref<4xf32>
  return
}
}
