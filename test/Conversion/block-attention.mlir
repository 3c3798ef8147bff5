// RUN: ds-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(ds-block-attention))' | FileCheck %s

// Each quarter of the queries reads the keys up to its last one.
// CHECK-LABEL: func.func @causal
// CHECK-NOT:     tensor<2x512x512xf32>
// CHECK:         scf.for %[[HEAD:[a-z0-9]+]] = %{{.*}} iter_args
// CHECK:           tensor.extract_slice %arg1[%[[HEAD]], 0, 0] [1, 512, 64]
// CHECK:           tensor.extract_slice %arg2[%[[HEAD]], 0, 0] [1, 512, 64]
// CHECK:           scf.for %[[FIRST:[a-z0-9]+]] =
// CHECK:             tensor.extract_slice %arg0[%[[HEAD]], %[[FIRST]], 0] [1, 128, 64]
// CHECK:             arith.mulf
// CHECK:             arith.addi %{{.*}}, %[[FIRST]] : index
// CHECK:             -> tensor<128x128xf32>
// CHECK:             math.exp
// CHECK:             tensor.insert_slice %{{.*}} into %{{.*}}[%[[HEAD]], %[[FIRST]], 0] [1, 128, 64]
// CHECK:           scf.for
// CHECK:             -> tensor<128x256xf32>
// CHECK:           scf.for
// CHECK:             -> tensor<128x384xf32>
// CHECK:           scf.for
// CHECK:             -> tensor<128x512xf32>
// CHECK-NOT:     scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @causal(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// The gradient computes weights again from the maximum and the sum of each row.
// CHECK-LABEL: func.func @gradient
// CHECK-NOT:     tensor<2x512x512xf32>
// CHECK:         %[[FORWARD:[0-9]+]]:3 = scf.for {{.*}} -> (tensor<2x512xf32>, tensor<2x512xf32>, tensor<2x512x64xf32>)
// CHECK:         %[[BACK:[0-9]+]]:3 = scf.for %[[HEAD:[a-z0-9]+]] = {{.*}} -> (tensor<2x512x64xf32>, tensor<2x512x64xf32>, tensor<2x512x64xf32>)
// CHECK:           scf.for %[[FIRST:[a-z0-9]+]] = {{.*}} iter_args
// CHECK-DAG:         tensor.extract_slice %[[FORWARD]]#0[%[[HEAD]], %[[FIRST]]] [1, 128]
// CHECK-DAG:         tensor.extract_slice %[[FORWARD]]#1[%[[HEAD]], %[[FIRST]]] [1, 128]
// CHECK-NOT:         arith.maximumf
// CHECK:             math.exp
// CHECK:         return %[[FORWARD]]#2, %[[BACK]]#1, %[[BACK]]#2, %[[BACK]]#0
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @gradient(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>, tensor<2x512x64xf32>, tensor<2x512x64xf32>, tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(h, q, d) -> (h, q, d)>, affine_map<(h, q, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out : tensor<2x512x64xf32>) outs(%en : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x64xf32>
  %dv = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%weights, %g : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g, %v : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %both = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%dw, %weights : tensor<2x512x512xf32>, tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %along = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%both : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %ds = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%dw, %along, %weights : tensor<2x512x512xf32>, tensor<2x512xf32>, tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = arith.mulf %x, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %dq = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%ds, %k : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  %dk = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%ds, %q : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out, %dq, %dk, %dv : tensor<2x512x64xf32>, tensor<2x512x64xf32>, tensor<2x512x64xf32>, tensor<2x512x64xf32>
}
}

// -----

// A mask of keys besides: a row may have no key at all, and then weighs all of them equally.
// CHECK-LABEL: func.func @padded
// CHECK:         scf.for %[[HEAD:[a-z0-9]+]] =
// CHECK:           scf.for %[[FIRST:[a-z0-9]+]] =
// CHECK:             tensor.extract_slice %arg3[0] [512]
// CHECK:             -> tensor<128x512xf32>
// CHECK-NOT:         128x256
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @padded(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>, %bias: tensor<512xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant -1.0e30 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %bias : tensor<2x512x512xf32>, tensor<512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %x = arith.addf %a, %b : f32
    %r = arith.select %later, %fill, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// Such a row is NaN if masked scores are infinite, whatever is left out.
// CHECK-LABEL: func.func @padded_infinitely
// CHECK:             -> tensor<128x256xf32>
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @padded_infinitely(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>, %bias: tensor<512xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %bias : tensor<2x512x512xf32>, tensor<512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %x = arith.addf %a, %b : f32
    %r = arith.select %later, %fill, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// A later key counts, since its score is low but finite.
// CHECK-LABEL: func.func @mild
// CHECK:         scf.for
// CHECK:             -> tensor<128x512xf32>
// CHECK-NOT:         128x256
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @mild(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant -1.0e4 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// Queries in blocks, and all keys.
// CHECK-LABEL: func.func @bias
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             -> tensor<128x512xf32>
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @bias(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>, %bias: tensor<512xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %bias : tensor<2x512x512xf32>, tensor<512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// A result of the step needs all weights.
// CHECK-LABEL: func.func @returned
// CHECK-NOT:     scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @returned(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>, tensor<2x512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out, %weights : tensor<2x512x64xf32>, tensor<2x512x512xf32>
}
}

// -----

// The last layer of a language model multiplies by the same matrix again.
// CHECK-LABEL: func.func @same_factor
// CHECK-NOT:     scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = blocked>} {
func.func @same_factor(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %k : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// As the step says.
// CHECK-LABEL: func.func @plain
// CHECK-NOT:     scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = plain>} {
func.func @plain(%q: tensor<2x512x64xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x512x64xf32>) -> (tensor<2x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x512x512xf32>
  %en = tensor.empty() : tensor<2x512x64xf32>
  %er = tensor.empty() : tensor<2x512xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x512x512xf32>) -> tensor<2x512x512xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x512x64xf32>) -> tensor<2x512x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x512xf32>) -> tensor<2x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x512x64xf32>, tensor<2x512x64xf32>) outs(%zt : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x512xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x512x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x512x512xf32>) outs(%lr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x512x512xf32>) outs(%zr : tensor<2x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x512xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x512x512xf32>, tensor<2x512xf32>) outs(%et : tensor<2x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x512x512xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x512x512xf32>, tensor<2x512x64xf32>) outs(%zn : tensor<2x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512x64xf32>
  return %out : tensor<2x512x64xf32>
}
}

// -----

// By default from 65536 pairs on.
// CHECK-LABEL: func.func @few
// CHECK-NOT:     scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = auto>} {
func.func @few(%q: tensor<2x255x64xf32>, %k: tensor<2x255x64xf32>, %v: tensor<2x255x64xf32>) -> (tensor<2x255x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x255x255xf32>
  %en = tensor.empty() : tensor<2x255x64xf32>
  %er = tensor.empty() : tensor<2x255xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x255x255xf32>) -> tensor<2x255x255xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x255x64xf32>) -> tensor<2x255x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x255xf32>) -> tensor<2x255xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x255xf32>) -> tensor<2x255xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x255x64xf32>, tensor<2x255x64xf32>) outs(%zt : tensor<2x255x255xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x255x255xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x255x255xf32>) outs(%et : tensor<2x255x255xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x255x255xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x255x255xf32>) outs(%lr : tensor<2x255xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x255xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x255x255xf32>, tensor<2x255xf32>) outs(%et : tensor<2x255x255xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x255x255xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x255x255xf32>) outs(%zr : tensor<2x255xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x255xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x255x255xf32>, tensor<2x255xf32>) outs(%et : tensor<2x255x255xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x255x255xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x255x255xf32>, tensor<2x255x64xf32>) outs(%zn : tensor<2x255x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x255x64xf32>
  return %out : tensor<2x255x64xf32>
}
}

// -----

// 256 queries and keys.
// CHECK-LABEL: func.func @many
// CHECK:         scf.for
// CHECK:         return
module attributes {ds.config = #ds.config<attention = auto>} {
func.func @many(%q: tensor<2x256x64xf32>, %k: tensor<2x256x64xf32>, %v: tensor<2x256x64xf32>) -> (tensor<2x256x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant 0xFF800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %et = tensor.empty() : tensor<2x256x256xf32>
  %en = tensor.empty() : tensor<2x256x64xf32>
  %er = tensor.empty() : tensor<2x256xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x256xf32>) -> tensor<2x256xf32>
  %lr = linalg.fill ins(%low : f32) outs(%er : tensor<2x256xf32>) -> tensor<2x256xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, d)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x256x64xf32>, tensor<2x256x64xf32>) outs(%zt : tensor<2x256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x256x256xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x256x256xf32>) outs(%et : tensor<2x256x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.cmpi ugt, %j, %i : index
    %r = arith.select %later, %fill, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x256x256xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%masked : tensor<2x256x256xf32>) outs(%lr : tensor<2x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x256xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%masked, %most : tensor<2x256x256xf32>, tensor<2x256xf32>) outs(%et : tensor<2x256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %x = arith.subf %a, %b : f32
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x256x256xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<2x256x256xf32>) outs(%zr : tensor<2x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x256xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(h, q, k) -> (h, q, k)>, affine_map<(h, q, k) -> (h, q)>, affine_map<(h, q, k) -> (h, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x256x256xf32>, tensor<2x256xf32>) outs(%et : tensor<2x256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x256x256xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, k, d) -> (h, q, k)>, affine_map<(h, q, k, d) -> (h, k, d)>, affine_map<(h, q, k, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%weights, %v : tensor<2x256x256xf32>, tensor<2x256x64xf32>) outs(%zn : tensor<2x256x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x256x64xf32>
  return %out : tensor<2x256x64xf32>
}
}
