// Small steps, each around one trap of placement in control flow. All train w from x on 16 samples. Helpers are private
// functions, so that calls in loops and branches are met, too.
#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#b1 = affine_map<(b, i) -> (b)>
module {
  func.func private @zeros() -> tensor<3xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    return %z : tensor<3xf32>
  }
  func.func private @add(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %e = tensor.empty() : tensor<3xf32>
    %s = linalg.add ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    return %s : tensor<3xf32>
  }
  // w - 0.01 g
  func.func private @sgd(%w: tensor<3xf32>, %g: tensor<3xf32>) -> tensor<3xf32> {
    %e = tensor.empty() : tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = arith.constant 0.01 : f32
      %m = arith.mulf %b, %t : f32
      %n = arith.subf %a, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
  // The gradient of half the sum of (x . w)^2 over the batch.
  func.func private @gradient16(%w: tensor<3xf32>, %x: tensor<16x3xf32>) -> tensor<3xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16xf32>
    %z16 = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z16 : tensor<16xf32>) -> tensor<16xf32>
    %z = call @zeros() : () -> tensor<3xf32>
    %g = linalg.vecmat ins(%p, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }
  func.func private @norm(%g: tensor<3xf32>) -> f32 {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %n = linalg.dot ins(%g, %g : tensor<3xf32>, tensor<3xf32>) outs(%z : tensor<f32>) -> tensor<f32>
    %s = tensor.extract %n[] : tensor<f32>
    return %s : f32
  }

  // Accumulation over two microbatches, [16] read as [2, 8]: one reduction, after the loop.
  func.func @accumulation(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %parts = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 8, 3] : tensor<16x3xf32> into tensor<2x8x3xf32>
    %z = call @zeros() : () -> tensor<3xf32>
    %e = tensor.empty() : tensor<8xf32>
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %z) -> (tensor<3xf32>) {
      %part = tensor.extract_slice %parts[%k, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<8x3xf32>
      %z8 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %p = linalg.matvec ins(%part, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
      %d = linalg.vecmat ins(%p, %part : tensor<8xf32>, tensor<8x3xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>
      %s = func.call @add(%acc, %d) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The accumulator starts at the parameter, which counts once.
  func.func @accumulation_from_the_parameter(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %w) -> (tensor<3xf32>) {
      %d = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      %s = func.call @add(%acc, %d) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The accumulation and the sum over the batch are one operation, whose init is the loop-carried value.
  func.func @accumulation_in_the_init(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %g = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %w) -> (tensor<3xf32>) {
      %s = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<16x3xf32>) outs(%acc : tensor<3xf32>) {
      ^bb0(%a: f32, %o: f32):
        %t = arith.addf %o, %a : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The parameter itself is loop-carried and used with samples: the gradient is reduced in every round.
  func.func @updates_in_a_loop(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %new = scf.for %k = %c0 to %c3 step %c1 iter_args(%now = %w) -> (tensor<3xf32>) {
      %g = func.call @gradient16(%now, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      %next = func.call @sgd(%now, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }

  // One branch sums over the batch, the other yields something that all ranks have.
  func.func @gradient_in_one_branch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %n: tensor<i32> {ds.state = "n"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.updates = "n"}) {
    %two = arith.constant 2 : i32
    %one = arith.constant 1 : i32
    %count = tensor.extract %n[] : tensor<i32>
    %odd = arith.remsi %count, %two : i32
    %cond = arith.cmpi eq, %odd, %one : i32
    %g = scf.if %cond -> (tensor<3xf32>) {
      %s = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    } else {
      scf.yield %w : tensor<3xf32>
    }
    %more = arith.addi %count, %one : i32
    %next = tensor.from_elements %more : tensor<i32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new, %next : tensor<3xf32>, tensor<i32>
  }

  // One branch yields a maximum over the batch, the other a sum over it: the maximum is whole before they are joined, and
  // counts once in the total, which is what travels.
  func.func @maximum_beside_a_sum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %n: tensor<i32> {ds.state = "n"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.updates = "n"}) {
    %two = arith.constant 2 : i32
    %one = arith.constant 1 : i32
    %lowest = arith.constant dense<0xFF800000> : tensor<3xf32>
    %count = tensor.extract %n[] : tensor<i32>
    %odd = arith.remsi %count, %two : i32
    %cond = arith.cmpi eq, %odd, %one : i32
    %g = scf.if %cond -> (tensor<3xf32>) {
      %s = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    } else {
      %most = linalg.reduce ins(%x : tensor<16x3xf32>) outs(%lowest : tensor<3xf32>) dimensions = [0]
        (%v: f32, %acc: f32) {
          %larger = arith.maximumf %v, %acc : f32
          linalg.yield %larger : f32
        }
      scf.yield %most : tensor<3xf32>
    }
    %more = arith.addi %count, %one : i32
    %next = tensor.from_elements %more : tensor<i32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %total = linalg.reduce { arith.addf } ins(%g : tensor<3xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    %empty = tensor.empty() : tensor<3xf32>
    %each = linalg.broadcast ins(%total : tensor<f32>) outs(%empty : tensor<3xf32>) dimensions = [0]
    %marked = ds.gradient %each of "w" : tensor<3xf32>
    %new = call @sgd(%w, %marked) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new, %next : tensor<3xf32>, tensor<i32>
  }

  // The condition is computed from the batch: it is reduced, so that all ranks take the same way.
  func.func @condition_from_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %limit = arith.constant 4.0 : f32
    %g = call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
    %n = call @norm(%g) : (tensor<3xf32>) -> f32
    %cond = arith.cmpf ogt, %n, %limit : f32
    %new = scf.if %cond -> (tensor<3xf32>) {
      %s = func.call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    } else {
      %s = func.call @add(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    return %new : tensor<3xf32>
  }

  // Rounds go on while the gradient of the whole batch is large, five at most.
  func.func @while_on_a_batch_norm(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %limit = arith.constant 1.0 : f32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    %new, %rounds = scf.while (%now = %w, %i = %zero) : (tensor<3xf32>, i32) -> (tensor<3xf32>, i32) {
      %dw = func.call @gradient16(%now, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %n = func.call @norm(%g) : (tensor<3xf32>) -> f32
      %large = arith.cmpf ogt, %n, %limit : f32
      %few = arith.cmpi slt, %i, %five : i32
      %on = arith.andi %large, %few : i1
      scf.condition(%on) %now, %i : tensor<3xf32>, i32
    } do {
    ^bb0(%now: tensor<3xf32>, %i: i32):
      %dw = func.call @gradient16(%now, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      %g = ds.gradient %dw of "w" : tensor<3xf32>
      %next = func.call @sgd(%now, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %more = arith.addi %i, %one : i32
      scf.yield %next, %more : tensor<3xf32>, i32
    }
    return %new : tensor<3xf32>
  }

  // A hidden state per sample starts at zero and is carried over time; the weight's gradient is summed inside.
  func.func @scan_over_time(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x3xf32>
    %h0 = linalg.fill ins(%zero : f32) outs(%e : tensor<16x3xf32>) -> tensor<16x3xf32>
    %z = call @zeros() : () -> tensor<3xf32>
    %h, %g = scf.for %t = %c0 to %c4 step %c1 iter_args(%now = %h0, %acc = %z) -> (tensor<16x3xf32>, tensor<3xf32>) {
      %next = linalg.generic {indexing_maps = [#bi, #bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
          ins(%now, %x, %w : tensor<16x3xf32>, tensor<16x3xf32>, tensor<3xf32>) outs(%e : tensor<16x3xf32>) {
      ^bb0(%a: f32, %b: f32, %v: f32, %o: f32):
        %m = arith.mulf %a, %v : f32
        %s = arith.addf %m, %b : f32
        %h = math.tanh %s : f32
        linalg.yield %h : f32
      } -> tensor<16x3xf32>
      %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
          ins(%next : tensor<16x3xf32>) outs(%acc : tensor<3xf32>) {
      ^bb0(%a: f32, %o: f32):
        %t2 = arith.addf %o, %a : f32
        linalg.yield %t2 : f32
      } -> tensor<3xf32>
      scf.yield %next, %sum : tensor<16x3xf32>, tensor<3xf32>
    }
    %last = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%h : tensor<16x3xf32>) outs(%g : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t2 = arith.addf %o, %a : f32
      linalg.yield %t2 : f32
    } -> tensor<3xf32>
    %new = call @sgd(%w, %last) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Two loop-carried values change places: replicated and partial in turn.
  func.func @swap_in_a_loop(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %g0 = call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
    %a, %b = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %w, %q = %g0) -> (tensor<3xf32>, tensor<3xf32>) {
      %s = func.call @add(%p, %q) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %q, %s : tensor<3xf32>, tensor<3xf32>
    }
    %new = call @sgd(%w, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A switch among three ways to weigh the batch, chosen by a step counter.
  func.func @switch_of_a_schedule(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %n: tensor<i32> {ds.state = "n"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.updates = "n"}) {
    %one = arith.constant 1 : i32
    %count = tensor.extract %n[] : tensor<i32>
    %which = arith.index_cast %count : i32 to index
    %g = scf.index_switch %which -> tensor<3xf32>
    case 0 {
      %s = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    case 1 {
      scf.yield %w : tensor<3xf32>
    }
    default {
      %s = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
      %t = func.call @add(%s, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      scf.yield %t : tensor<3xf32>
    }
    %more = arith.addi %count, %one : i32
    %next = tensor.from_elements %more : tensor<i32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new, %next : tensor<3xf32>, tensor<i32>
  }

  // Microbatches of pairs inside of a loop over epochs: partial two loops deep, one reduction.
  func.func @nested_loops(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = call @zeros() : () -> tensor<3xf32>
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%outer = %z) -> (tensor<3xf32>) {
      %inner = scf.for %j = %c0 to %c2 step %c1 iter_args(%acc = %outer) -> (tensor<3xf32>) {
        %d = func.call @gradient16(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<3xf32>
        %s = func.call @add(%acc, %d) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
        scf.yield %s : tensor<3xf32>
      }
      scf.yield %inner : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Captured in a loop: a mask of the whole batch is cut to the rank's rows outside of it.
  func.func @mask_captured_by_a_loop(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %me = tensor.empty() : tensor<16xf32>
    %mask = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%me : tensor<16xf32>) {
    ^bb0(%o: f32):
      %b = linalg.index 0 : index
      %i = arith.index_cast %b : index to i32
      %f = arith.sitofp %i : i32 to f32
      linalg.yield %f : f32
    } -> tensor<16xf32>
    %z = call @zeros() : () -> tensor<3xf32>
    %g = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (tensor<3xf32>) {
      %d = linalg.vecmat ins(%mask, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%acc : tensor<3xf32>) -> tensor<3xf32>
      scf.yield %d : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}
