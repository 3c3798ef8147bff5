// RUN: ds-opt %s -ds-fuse-siblings -split-input-file | FileCheck %s

#v = affine_map<(d0) -> (d0)>

// A parameter and its momentum: one pass over memory, what is common is computed once.
// CHECK-LABEL: func.func @siblings
// CHECK-SAME: %[[P:.*]]: tensor<4096xf32>, %[[M:.*]]: tensor<4096xf32>, %[[G:.*]]: tensor<4096xf32>
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[M]], %[[G]], %[[P]] :
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: arith.subf
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @siblings(%p: tensor<4096xf32>, %m: tensor<4096xf32>, %g: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %momentum = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%m, %g : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %parameter = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
      ins(%p, %m, %g : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.addf %b, %c : f32
    %1 = arith.subf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4096xf32>
  return %parameter, %momentum : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d1)>

// Two sums over the same matrix; the mean's use stands in between, so the second sum moves up.
// CHECK-LABEL: func.func @sums
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK: arith.mulf
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.generic
func.func @sums(%x: tensor<128x64xf32>) -> (tensor<1x64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %wide = tensor.expand_shape %s [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %q = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %wide, %q : tensor<1x64xf32>, tensor<64xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>

// What the first computes, element by element, and what others need of it.
// CHECK-LABEL: func.func @computed
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}} : tensor<4096xf32>)
// CHECK: %[[N:.*]] = arith.negf
// CHECK: %[[S:.*]] = arith.mulf %[[N]], %[[N]]
// CHECK: linalg.yield %[[N]], %[[S]]
// CHECK-NOT: linalg.generic
func.func @computed(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%n : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %n, %s : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#t = affine_map<(d0) -> (-d0 + 4095)>

// Another element of it is not there yet.
// CHECK-LABEL: func.func @another_element
// CHECK-COUNT-2: linalg.generic
func.func @another_element(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %s = linalg.generic {indexing_maps = [#t, #v, #v], iterator_types = ["parallel"]}
      ins(%n, %x : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %n, %s : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>

// The second needs what the first's user makes.
// CHECK-LABEL: func.func @in_between
// CHECK: linalg.generic
// CHECK: ds.all_reduce
// CHECK: linalg.generic
func.func @in_between(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %g = ds.all_reduce sum %n : tensor<4096xf32>
  %s = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%g, %x : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %g, %s : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// What reads a value still reads it when the kernel that computes it has become another: the two that walk it by columns
// are one, and so are the two that walk %x by rows.
// CHECK-LABEL: func.func @readers_stay
// CHECK: %[[N:.*]]:2 = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[N]]#0, %[[N]]#0 :
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK-NOT: linalg.generic
func.func @readers_stay(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %n = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %by_columns = linalg.generic {indexing_maps = [#t, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%n, %n : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %by_rows = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %again = linalg.generic {indexing_maps = [#t, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%n, %n : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %by_columns, %by_rows, %again : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>

// %c moves up to %a, whose user stands before it; %b, which shares an input with both and needs more, stays where it is.
// CHECK-LABEL: func.func @moved_up
// CHECK: %[[A:.*]]:2 = linalg.generic
// CHECK: %[[R:.*]] = tensor.expand_shape %[[A]]#0
// CHECK: %[[S:.*]] = tensor.collapse_shape %[[R]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[S]] :
// CHECK-NOT: linalg.generic
func.func @moved_up(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %a = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.negf %i : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %r = tensor.expand_shape %a [[0, 1]] output_shape [64, 64] : tensor<4096xf32> into tensor<64x64xf32>
  %s = tensor.collapse_shape %r [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %b = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%y, %s : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.mulf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %c = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %b, %c : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d1)>

// Where a collective stands decides nothing, or the order of a sum would depend on the buckets: gradients that are combined one by
// one and together come from the same kernel. What the second is written into moves up with it.
// CHECK-LABEL: func.func @combined_one_by_one
// CHECK: %[[S:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK: ds.all_reduce sum %[[S]]#0 :
// CHECK-NOT: linalg.generic
// CHECK: ds.all_reduce sum %[[S]]#1 :
func.func @combined_one_by_one(%x: tensor<128x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %first = ds.all_reduce sum %s : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%f : tensor<64xf32>) {
  ^bb0(%o: f32):
    linalg.yield %zero : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %second = ds.all_reduce sum %q : tensor<64xf32>
  return %first, %second : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @combined_together
// CHECK: %[[S:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK-NOT: linalg.generic
// CHECK: ds.all_reduce sum %[[S]]#0, %[[S]]#1 :
func.func @combined_together(%x: tensor<128x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %both:2 = ds.all_reduce sum %s, %q : tensor<64xf32>, tensor<64xf32>
  return %both#0, %both#1 : tensor<64xf32>, tensor<64xf32>
}

// A sum whose operand is only there after the first has been combined stays apart in either case: it does not take the first along.
// CHECK-LABEL: func.func @made_later
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK: ds.all_reduce
func.func @made_later(%x: tensor<128x64xf32>, %p: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%p : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x, %w : tensor<128x64xf32>, tensor<64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %both:2 = ds.all_reduce sum %s, %q : tensor<64xf32>, tensor<64xf32>
  return %both#0, %both#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>

// Padding in between is no barrier.
// CHECK-LABEL: func.func @padding_in_between
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @padding_in_between(%x: tensor<4096xf32>) -> (tensor<4098xf32>, tensor<4096xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %padded = tensor.pad %n low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4096xf32> to tensor<4098xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %padded, %s : tensor<4098xf32>, tensor<4096xf32>
}
