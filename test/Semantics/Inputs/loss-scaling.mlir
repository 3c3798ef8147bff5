// Gradients in f16, of a loss that is scaled up. Where one is infinite the step is skipped and the scale halved; after two
// good steps it doubles. The metrics say how many ranks skipped, and what they hold.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %scale: tensor<f32> {ds.state = "scale", ds.init = "constant(4096)"}, %good: tensor<i32> {ds.state = "good"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"},
          tensor<f32> {ds.updates = "scale"}, tensor<i32> {ds.updates = "good"},
          tensor<f32> {ds.metric = "skipped", ds.reduce = "sum"}, tensor<f32> {ds.metric = "held", ds.reduce = "mean"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %scales_e = tensor.empty() : tensor<16xf32>
    %scales = linalg.broadcast ins(%scale : tensor<f32>) outs(%scales_e : tensor<16xf32>) dimensions = [0]
    %scaled = arith.mulf %dp, %scales : tensor<16xf32>
    %d16 = arith.truncf %scaled : tensor<16xf32> to tensor<16xf16>
    %x16 = arith.truncf %x : tensor<16x3xf32> to tensor<16x3xf16>
    %zh = arith.constant dense<0.0> : tensor<3xf16>
    %g16 = linalg.vecmat ins(%d16, %x16 : tensor<16xf16>, tensor<16x3xf16>) outs(%zh : tensor<3xf16>) -> tensor<3xf16>
    %g32 = arith.extf %g16 : tensor<3xf16> to tensor<3xf32>
    %abs = math.absf %g32 : tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %largest = linalg.reduce { arith.maximumf } ins(%abs : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %m = tensor.extract %largest[] : tensor<f32>
    %infinity = arith.constant 0x7F800000 : f32
    %finite = arith.cmpf olt, %m, %infinity : f32
    %e3 = tensor.empty() : tensor<3xf32>
    %scales3 = linalg.broadcast ins(%scale : tensor<f32>) outs(%e3 : tensor<3xf32>) dimensions = [0]
    %g = arith.divf %g32, %scales3 : tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %moved = arith.subf %w, %s : tensor<3xf32>
    %new = arith.select %finite, %moved, %w : tensor<3xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.0 : f32
    %fine = tensor.extract %good[] : tensor<i32>
    %now = tensor.extract %scale[] : tensor<f32>
    %more = arith.addi %fine, %c1 : i32
    %enough = arith.cmpi eq, %more, %c2 : i32
    %up = arith.mulf %now, %two : f32
    %grown = arith.select %enough, %up, %now : f32
    %counted = arith.select %enough, %c0, %more : i32
    %down = arith.mulf %now, %half : f32
    %next = arith.select %finite, %grown, %down : f32
    %count = arith.select %finite, %counted, %c0 : i32
    %next_scale = tensor.from_elements %next : tensor<f32>
    %next_good = tensor.from_elements %count : tensor<i32>
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %skip = arith.select %finite, %zero, %one : f32
    %skipped = tensor.from_elements %skip : tensor<f32>
    %held = linalg.reduce { arith.addf } ins(%new : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    return %new, %next_scale, %next_good, %skipped, %held : tensor<3xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<f32>
  }
}
