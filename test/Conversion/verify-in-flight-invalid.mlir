// RUN: ds-opt %s -ds-verify-in-flight -split-input-file -verify-diagnostics

// Faults of overlapped exchanges that other systems have had, as the least IR that has them.

// An update reads the bucket before it has arrived, and so old gradients (Megatron-LM 950, with parameters).
func.func @reads_before_the_wait(%w: memref<4xf32>, %g: memref<4xf32>) {
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  linalg.sub ins(%w, %g : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  // expected-note @below {{waited for here}}
  ds.wait %p, %g : memref<4xf32>
  return
}

// -----

// A second microbatch adds to a gradient that has left already (Megatron-LM 4609).
func.func @accumulates_in_flight(%g: memref<4xf32>, %more: memref<4xf32>) {
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  linalg.add ins(%g, %more : memref<4xf32>, memref<4xf32>) outs(%g : memref<4xf32>)
  // expected-note @below {{waited for here}}
  ds.wait %p, %g : memref<4xf32>
  return
}

// -----

// The next bucket is packed into the memory of one that is under way (DeepSpeed 5606, 7965).
func.func @packs_the_next_bucket_over_it(%bucket: memref<8xf32>, %g: memref<4xf32>) {
  %part = memref.subview %bucket[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %bucket : memref<8xf32>
  // expected-error @below {{touches a buffer in flight}}
  memref.copy %g, %part : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-note @below {{waited for here}}
  ds.wait %p, %bucket : memref<8xf32>
  return
}

// -----

// It is freed while it is under way (DeepSpeed 8061).
func.func @frees_in_flight() {
  %g = memref.alloc() : memref<4xf32>
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  memref.dealloc %g : memref<4xf32>
  // expected-note @below {{waited for here}}
  ds.wait %p, %g : memref<4xf32>
  return
}

// -----

func.func @starts_the_same_twice(%g: memref<4xf32>) {
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  %q = ds.all_reduce_start max %g : memref<4xf32>
  // expected-note @below {{waited for here}}
  ds.wait %p, %g : memref<4xf32>
  ds.wait %q, %g : memref<4xf32>
  return
}

// -----

// One of two buffers that a branch may have chosen.
func.func @touches_what_may_be_it(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %i: index, %v: f32) {
  %g = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  memref.store %v, %b[%i] : memref<4xf32>
  // expected-note @below {{waited for here}}
  ds.wait %p, %g : memref<4xf32>
  return
}

// -----

// Where one path waits and another does not, the others stall (Horovod's stalled ranks).
func.func @waits_on_one_path(%g: memref<4xf32>, %c: i1) {
  // expected-error @below {{expected its 'ds.wait' in the same block, so that every path waits}}
  %p = ds.all_reduce_start sum %g : memref<4xf32>
  scf.if %c {
    // expected-note @below {{waited for here}}
    ds.wait %p, %g : memref<4xf32>
  }
  return
}

// -----

// The arena gives bytes of a bucket to something else before the bucket has arrived.
module {
  func.func private @all_reduce_start_0(%c: !llvm.ptr, %g: memref<4xf32>) -> !llvm.ptr attributes {ds.collective} {
    return %c : !llvm.ptr
  }
  func.func private @wait_1(%c: !llvm.ptr, %p: !llvm.ptr, %g: memref<4xf32>) attributes {ds.collective} {
    return
  }
  func.func private @kernel(memref<4xf32>)
  func.func @shares_bytes_of_the_arena(%c: !llvm.ptr, %arena: memref<64xi8>) {
    %c0 = arith.constant 0 : index
    %c12 = arith.constant 12 : index
    %g = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
    %other = memref.view %arena[%c12][] : memref<64xi8> to memref<4xf32>
    // expected-note @below {{started here}}
    %p = func.call @all_reduce_start_0(%c, %g) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
    // expected-error @below {{touches a buffer in flight}}
    func.call @kernel(%other) : (memref<4xf32>) -> ()
    // expected-note @below {{waited for here}}
    func.call @wait_1(%c, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
    return
  }
}

// -----

module {
  func.func private @all_reduce_start_0(%c: !llvm.ptr, %g: memref<4xf32>) -> !llvm.ptr attributes {ds.collective} {
    return %c : !llvm.ptr
  }
  func.func private @wait_1(%c: !llvm.ptr, %p: !llvm.ptr, %g: memref<4xf32>) attributes {ds.collective} {
    return
  }
  func.func @is_waited_for_twice(%c: !llvm.ptr, %g: memref<4xf32>) {
    // expected-error @below {{expected its handle to be waited for once, got 2 waits}}
    %p = func.call @all_reduce_start_0(%c, %g) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
    // expected-note @below {{waited for here}}
    func.call @wait_1(%c, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
    // expected-note @below {{waited for here}}
    func.call @wait_1(%c, %p, %g) : (!llvm.ptr, !llvm.ptr, memref<4xf32>) -> ()
    return
  }
}

// -----

module {
  func.func private @all_reduce_start_0(%c: !llvm.ptr, %g: memref<4xf32>) -> !llvm.ptr attributes {ds.collective} {
    return %c : !llvm.ptr
  }
  func.func @is_never_waited_for(%c: !llvm.ptr, %g: memref<4xf32>) {
    // expected-error @below {{expected its handle to be waited for once, got 0 waits}}
    %p = func.call @all_reduce_start_0(%c, %g) : (!llvm.ptr, memref<4xf32>) -> !llvm.ptr
    return
  }
}

// -----

// What leaves the rank is in flight, too: a gradient that is zeroed for the next step while it is reduced and scattered.
func.func @zeroes_what_leaves(%g: memref<4xf32>, %s: memref<2xf32>, %zero: f32) {
  // expected-note @below {{started here}}
  %p = ds.reduce_scatter_start sum %g into %s along 0 : memref<4xf32> into memref<2xf32>
  // expected-error @below {{touches a buffer in flight}}
  linalg.fill ins(%zero : f32) outs(%g : memref<4xf32>)
  // expected-note @below {{waited for here}}
  ds.wait %p, %s : memref<2xf32> keeping %g : memref<4xf32>
  return
}

// -----

// A layer computes with parameters that are still gathered (Megatron-LM 950).
func.func @reads_what_is_gathered(%s: memref<2xf32>, %w: memref<4xf32>, %x: memref<4xf32>) {
  // expected-note @below {{started here}}
  %p = ds.all_gather_start %s into %w along 0 : memref<2xf32> into memref<4xf32>
  // expected-error @below {{touches a buffer in flight}}
  linalg.mul ins(%w, %x : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  // expected-note @below {{waited for here}}
  ds.wait %p, %w : memref<4xf32> keeping %s : memref<2xf32>
  return
}

// -----

// A rank reads the gradient of another, whose bytes the own arena uses again too early.
module {
  func.func private @barrier_0(%c: !llvm.ptr) attributes {ds.collective} {
    return
  }
  func.func private @kernel(memref<16xf32>)
  func.func @reuses_what_others_read(%c: !llvm.ptr {ds.context}, %arena: memref<128xi8> {ds.arena}, %peer: memref<128xi8> {ds.peer_arena = 1 : i64}) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    // expected-note @below {{the ranks meet before that here}}
    func.call @barrier_0(%c) : (!llvm.ptr) -> ()
    %theirs = memref.view %peer[%c0][] : memref<128xi8> to memref<16xf32>
    func.call @kernel(%theirs) : (memref<16xf32>) -> ()
    %mine = memref.view %arena[%c32][] : memref<128xi8> to memref<16xf32>
    // expected-error @below {{touches memory that other ranks read}}
    func.call @kernel(%mine) : (memref<16xf32>) -> ()
    // expected-note @below {{and after it here}}
    func.call @barrier_0(%c) : (!llvm.ptr) -> ()
    return
  }
}

// -----

// Nobody waits for those that still read.
module {
  func.func private @barrier_0(%c: !llvm.ptr) attributes {ds.collective} {
    return
  }
  func.func private @kernel(memref<16xf32>)
  func.func @leaves_early(%c: !llvm.ptr {ds.context}, %arena: memref<128xi8> {ds.arena}, %peer: memref<128xi8> {ds.peer_arena = 1 : i64}) {
    %c0 = arith.constant 0 : index
    func.call @barrier_0(%c) : (!llvm.ptr) -> ()
    // expected-error @below {{expected the ranks to meet before and after what reads this}}
    %theirs = memref.view %peer[%c0][] : memref<128xi8> to memref<16xf32>
    func.call @kernel(%theirs) : (memref<16xf32>) -> ()
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>

// Shared values: all is written, a share while others read, read while others write, and at the end.
func.func @writes_all(%w: memref<8xf32> {ds.param = "w", ds.shared}, %x: memref<8xf32>) {
  ds.barrier
  // expected-error @below {{writes all of 'w', which the ranks hold once}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%w : memref<8xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  }
  ds.barrier
  return
}

// -----

#id = affine_map<(i) -> (i)>

func.func @writes_what_others_read(%w: memref<8xf32> {ds.param = "w", ds.shared}, %x: memref<8xf32>, %at: index) {
  %share = memref.subview %w[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %zero = arith.constant 0.0 : f32
  ds.barrier
  // expected-note @below {{the other use}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : memref<8xf32>) outs(%x : memref<8xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  }
  // expected-error @below {{writes a share while another rank may still read 'w', which the ranks hold once}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%share : memref<4xf32, strided<[1], offset: ?>>) {
    ^bb0(%out: f32):
      linalg.yield %zero : f32
  }
  ds.barrier
  return
}

// -----

#id = affine_map<(i) -> (i)>

func.func @reads_what_others_write(%w: memref<8xf32> {ds.param = "w", ds.shared}, %x: memref<8xf32>, %at: index) {
  %share = memref.subview %w[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %zero = arith.constant 0.0 : f32
  ds.barrier
  // expected-note @below {{the other use}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%share : memref<4xf32, strided<[1], offset: ?>>) {
    ^bb0(%out: f32):
      linalg.yield %zero : f32
  }
  // expected-error @below {{reads all while another rank may still write its share of 'w', which the ranks hold once}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : memref<8xf32>) outs(%x : memref<8xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  }
  ds.barrier
  return
}

// -----

#id = affine_map<(i) -> (i)>

func.func @ends_without_the_others(%w: memref<8xf32> {ds.param = "w", ds.shared}, %at: index) {
  %share = memref.subview %w[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %zero = arith.constant 0.0 : f32
  ds.barrier
  // expected-note @below {{the other use}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%share : memref<4xf32, strided<[1], offset: ?>>) {
    ^bb0(%out: f32):
      linalg.yield %zero : f32
  }
  // expected-error @below {{ends the step while another rank may still write its share of 'w', which the ranks hold once}}
  return
}

// -----

// Where a gradient of another rank lies is known when the step is compiled.
func.func @lies_anywhere(%c: !llvm.ptr {ds.context}, %arena: memref<128xi8> {ds.arena}, %peer: memref<128xi8> {ds.peer_arena = 1 : i64}, %at: index) {
  // expected-error @below {{expected a view at known bytes of the arena of another rank}}
  %theirs = memref.view %peer[%at][] : memref<128xi8> to memref<16xf32>
  return
}
