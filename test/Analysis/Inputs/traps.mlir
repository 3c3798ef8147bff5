// Small steps, each around one trap of placement. All train w from x on 16 samples; the sum over the batch is the gradient.
#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#b1 = affine_map<(b, i) -> (b)>
module {
  // A replicated init counts once, not once per rank.
  func.func @init_is_the_parameter(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Weight decay between two partial sums counts once.
  func.func @addend_between_partial_sums(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %d = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s1, %w : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.addf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %qe = tensor.empty() : tensor<16x3xf32>
    %q = linalg.generic {indexing_maps = [#bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%qe : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %s = arith.mulf %a0, %a0 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %s2 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%q : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%d, %s2 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.addf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A replicated minuend counts once, too.
  func.func @subtracted_addend(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %s1 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.subf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // select(c, partial, replicated): the replicated side counts once.
  func.func @alternative_of_a_select(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s1, %w : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %h = arith.constant 0.0 : f32
      %c = arith.cmpf ogt, %a1, %h : f32
      %s = arith.select %c, %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // x - max: the maximum is combined as a maximum before it meets samples.
  func.func @maximum_over_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %low = arith.constant 0xFF800000 : f32
    %lowest = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %max = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%lowest : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %ye = tensor.empty() : tensor<16x3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : tensor<16x3xf32>, tensor<3xf32>) outs(%ye : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.subf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A product over the batch starts from the parameter on one rank and from one elsewhere.
  func.func @product_with_an_init(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %k = arith.constant 1.5 : f32
      %p = arith.addf %a, %k : f32
      %s = arith.mulf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Positions are positions in the whole batch.
  func.func @index_of_the_sample(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %k = linalg.index 1 : index
      %ki = arith.index_cast %k : index to i32
      %kf = arith.sitofp %ki : i32 to f32
      %p = arith.mulf %a, %kf : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A mask made from positions: each rank makes its own rows of it.
  func.func @mask_of_the_whole_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %me = tensor.empty() : tensor<16x3xf32>
    %mask = linalg.generic {indexing_maps = [#bi], iterator_types = ["parallel", "parallel"]} outs(%me : tensor<16x3xf32>) {
    ^bb0(%o: f32):
      %k = linalg.index 0 : index
      %l = linalg.index 1 : index
      %m = arith.addi %k, %l : index
      %ki = arith.index_cast %m : index to i32
      %kf = arith.sitofp %ki : i32 to f32
      linalg.yield %kf : f32
    } -> tensor<16x3xf32>
    %ye = tensor.empty() : tensor<16x3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %mask : tensor<16x3xf32>, tensor<16x3xf32>) outs(%ye : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.mulf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Not linear in both: one factor is combined before the product.
  func.func @product_of_two_sums(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %qe = tensor.empty() : tensor<16x3xf32>
    %q = linalg.generic {indexing_maps = [#bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%qe : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %s = arith.mulf %a0, %a0 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %s2 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%q : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s1, %s2 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.mulf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A partial divisor is combined first.
  func.func @quotient_of_two_sums(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %qe = tensor.empty() : tensor<16x3xf32>
    %q = linalg.generic {indexing_maps = [#bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%qe : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %k = arith.constant 1.0 : f32
      %p = arith.mulf %a0, %a0 : f32
      %s = arith.addf %p, %k : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %s2 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%q : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s1, %s2 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.divf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // One value read twice is not linear.
  func.func @square_of_a_sum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s1, %s1 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.mulf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // BatchNorm: the deviation over the whole batch scales every sample.
  func.func @statistics_normalise_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %qe = tensor.empty() : tensor<16x3xf32>
    %q = linalg.generic {indexing_maps = [#bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%qe : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %s = arith.mulf %a0, %a0 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %s2 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%q : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %inv = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%s2 : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %s = math.rsqrt %a0 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %ye = tensor.empty() : tensor<16x3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %inv, %w : tensor<16x3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%ye : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %s = arith.mulf %p, %a2 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Halves of the batch stay on their ranks only if ranks alternate.
  func.func @first_halves_against_second(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %h1 = tensor.extract_slice %x[0, 0] [8, 3] [1, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %h2 = tensor.extract_slice %x[8, 0] [8, 3] [1, 1] : tensor<16x3xf32> to tensor<8x3xf32>
    %ye = tensor.empty() : tensor<8x3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%h1, %h2 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%ye : tensor<8x3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.mulf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // [16, 3] read as [48]: every rank's part is its samples' rows.
  func.func @batch_and_time_in_one_dimension(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<16x3xf32> into tensor<48xf32>
    %fe = tensor.empty() : tensor<48xf32>
    %sq = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%flat : tensor<48xf32>) outs(%fe : tensor<48xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.mulf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<48xf32>
    %back = tensor.expand_shape %sq [[0, 1]] output_shape [16, 3] : tensor<48xf32> into tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%back : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Padding beside the samples, with a value that is not zero.
  func.func @padded_features(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %half = arith.constant 0.5 : f32
    %pad = tensor.pad %x low[0, 1] high[0, 1] {
    ^bb0(%p: index, %q: index):
      tensor.yield %half : f32
    } : tensor<16x3xf32> to tensor<16x5xf32>
    %mid = tensor.extract_slice %pad[0, 0] [16, 3] [1, 1] : tensor<16x5xf32> to tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%mid : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The padding of a partial value counts once.
  func.func @padded_gradient(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %s1 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %half = arith.constant 0.5 : f32
    %pad = tensor.pad %s1 low[1] high[0] {
    ^bb0(%p: index):
      tensor.yield %half : f32
    } : tensor<3xf32> to tensor<4xf32>
    %cut = tensor.extract_slice %pad[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %qe = tensor.empty() : tensor<16x3xf32>
    %q = linalg.generic {indexing_maps = [#bi, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%qe : tensor<16x3xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %s = arith.mulf %a0, %a0 : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %s2 = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%q : tensor<16x3xf32>) outs(%z : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %g = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%cut, %s2 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %s = arith.addf %a0, %a1 : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %a1, %t : f32
      %n = arith.subf %a0, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
