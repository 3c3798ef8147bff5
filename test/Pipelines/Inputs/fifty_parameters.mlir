// A step with 50 parameters, printed by scripts/generate-fifty-parameters.
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
module {
  func.func @main(
      %w0: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w0"},
      %b0: tensor<4xf32> {ds.init = "zeros", ds.param = "b0"},
      %w1: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w1"},
      %b1: tensor<4xf32> {ds.init = "zeros", ds.param = "b1"},
      %w2: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w2"},
      %b2: tensor<4xf32> {ds.init = "zeros", ds.param = "b2"},
      %w3: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w3"},
      %b3: tensor<4xf32> {ds.init = "zeros", ds.param = "b3"},
      %w4: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w4"},
      %b4: tensor<4xf32> {ds.init = "zeros", ds.param = "b4"},
      %w5: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w5"},
      %b5: tensor<4xf32> {ds.init = "zeros", ds.param = "b5"},
      %w6: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w6"},
      %b6: tensor<4xf32> {ds.init = "zeros", ds.param = "b6"},
      %w7: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w7"},
      %b7: tensor<4xf32> {ds.init = "zeros", ds.param = "b7"},
      %w8: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w8"},
      %b8: tensor<4xf32> {ds.init = "zeros", ds.param = "b8"},
      %w9: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w9"},
      %b9: tensor<4xf32> {ds.init = "zeros", ds.param = "b9"},
      %w10: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w10"},
      %b10: tensor<4xf32> {ds.init = "zeros", ds.param = "b10"},
      %w11: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w11"},
      %b11: tensor<4xf32> {ds.init = "zeros", ds.param = "b11"},
      %w12: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w12"},
      %b12: tensor<4xf32> {ds.init = "zeros", ds.param = "b12"},
      %w13: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w13"},
      %b13: tensor<4xf32> {ds.init = "zeros", ds.param = "b13"},
      %w14: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w14"},
      %b14: tensor<4xf32> {ds.init = "zeros", ds.param = "b14"},
      %w15: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w15"},
      %b15: tensor<4xf32> {ds.init = "zeros", ds.param = "b15"},
      %w16: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w16"},
      %b16: tensor<4xf32> {ds.init = "zeros", ds.param = "b16"},
      %w17: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w17"},
      %b17: tensor<4xf32> {ds.init = "zeros", ds.param = "b17"},
      %w18: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w18"},
      %b18: tensor<4xf32> {ds.init = "zeros", ds.param = "b18"},
      %w19: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w19"},
      %b19: tensor<4xf32> {ds.init = "zeros", ds.param = "b19"},
      %w20: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w20"},
      %b20: tensor<4xf32> {ds.init = "zeros", ds.param = "b20"},
      %w21: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w21"},
      %b21: tensor<4xf32> {ds.init = "zeros", ds.param = "b21"},
      %w22: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w22"},
      %b22: tensor<4xf32> {ds.init = "zeros", ds.param = "b22"},
      %w23: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w23"},
      %b23: tensor<4xf32> {ds.init = "zeros", ds.param = "b23"},
      %w24: tensor<4x4xf32> {ds.init = "glorot_uniform", ds.param = "w24"},
      %b24: tensor<4xf32> {ds.init = "zeros", ds.param = "b24"},
      %x0: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"},
      %target: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "y"}) -> (
      tensor<4x4xf32> {ds.updates = "w0"},
      tensor<4xf32> {ds.updates = "b0"},
      tensor<4x4xf32> {ds.updates = "w1"},
      tensor<4xf32> {ds.updates = "b1"},
      tensor<4x4xf32> {ds.updates = "w2"},
      tensor<4xf32> {ds.updates = "b2"},
      tensor<4x4xf32> {ds.updates = "w3"},
      tensor<4xf32> {ds.updates = "b3"},
      tensor<4x4xf32> {ds.updates = "w4"},
      tensor<4xf32> {ds.updates = "b4"},
      tensor<4x4xf32> {ds.updates = "w5"},
      tensor<4xf32> {ds.updates = "b5"},
      tensor<4x4xf32> {ds.updates = "w6"},
      tensor<4xf32> {ds.updates = "b6"},
      tensor<4x4xf32> {ds.updates = "w7"},
      tensor<4xf32> {ds.updates = "b7"},
      tensor<4x4xf32> {ds.updates = "w8"},
      tensor<4xf32> {ds.updates = "b8"},
      tensor<4x4xf32> {ds.updates = "w9"},
      tensor<4xf32> {ds.updates = "b9"},
      tensor<4x4xf32> {ds.updates = "w10"},
      tensor<4xf32> {ds.updates = "b10"},
      tensor<4x4xf32> {ds.updates = "w11"},
      tensor<4xf32> {ds.updates = "b11"},
      tensor<4x4xf32> {ds.updates = "w12"},
      tensor<4xf32> {ds.updates = "b12"},
      tensor<4x4xf32> {ds.updates = "w13"},
      tensor<4xf32> {ds.updates = "b13"},
      tensor<4x4xf32> {ds.updates = "w14"},
      tensor<4xf32> {ds.updates = "b14"},
      tensor<4x4xf32> {ds.updates = "w15"},
      tensor<4xf32> {ds.updates = "b15"},
      tensor<4x4xf32> {ds.updates = "w16"},
      tensor<4xf32> {ds.updates = "b16"},
      tensor<4x4xf32> {ds.updates = "w17"},
      tensor<4xf32> {ds.updates = "b17"},
      tensor<4x4xf32> {ds.updates = "w18"},
      tensor<4xf32> {ds.updates = "b18"},
      tensor<4x4xf32> {ds.updates = "w19"},
      tensor<4xf32> {ds.updates = "b19"},
      tensor<4x4xf32> {ds.updates = "w20"},
      tensor<4xf32> {ds.updates = "b20"},
      tensor<4x4xf32> {ds.updates = "w21"},
      tensor<4xf32> {ds.updates = "b21"},
      tensor<4x4xf32> {ds.updates = "w22"},
      tensor<4xf32> {ds.updates = "b22"},
      tensor<4x4xf32> {ds.updates = "w23"},
      tensor<4xf32> {ds.updates = "b23"},
      tensor<4x4xf32> {ds.updates = "w24"},
      tensor<4xf32> {ds.updates = "b24"},
      tensor<f32> {ds.metric = "loss"}) {
    %x1 = call @dense(%x0, %w0, %b0) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x2 = call @dense(%x1, %w1, %b1) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x3 = call @dense(%x2, %w2, %b2) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x4 = call @dense(%x3, %w3, %b3) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x5 = call @dense(%x4, %w4, %b4) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x6 = call @dense(%x5, %w5, %b5) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x7 = call @dense(%x6, %w6, %b6) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x8 = call @dense(%x7, %w7, %b7) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x9 = call @dense(%x8, %w8, %b8) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x10 = call @dense(%x9, %w9, %b9) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x11 = call @dense(%x10, %w10, %b10) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x12 = call @dense(%x11, %w11, %b11) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x13 = call @dense(%x12, %w12, %b12) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x14 = call @dense(%x13, %w13, %b13) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x15 = call @dense(%x14, %w14, %b14) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x16 = call @dense(%x15, %w15, %b15) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x17 = call @dense(%x16, %w16, %b16) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x18 = call @dense(%x17, %w17, %b17) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x19 = call @dense(%x18, %w18, %b18) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x20 = call @dense(%x19, %w19, %b19) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x21 = call @dense(%x20, %w20, %b20) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x22 = call @dense(%x21, %w21, %b21) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x23 = call @dense(%x22, %w22, %b22) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x24 = call @dense(%x23, %w23, %b23) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %x25 = call @dense(%x24, %w24, %b24) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %loss, %dx25 = call @squared_error(%x25, %target) : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<f32>, tensor<8x4xf32>)
    %dx24, %dw24, %db24 = call @dense_gradient(%x24, %w24, %dx25) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx23, %dw23, %db23 = call @dense_gradient(%x23, %w23, %dx24) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx22, %dw22, %db22 = call @dense_gradient(%x22, %w22, %dx23) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx21, %dw21, %db21 = call @dense_gradient(%x21, %w21, %dx22) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx20, %dw20, %db20 = call @dense_gradient(%x20, %w20, %dx21) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx19, %dw19, %db19 = call @dense_gradient(%x19, %w19, %dx20) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx18, %dw18, %db18 = call @dense_gradient(%x18, %w18, %dx19) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx17, %dw17, %db17 = call @dense_gradient(%x17, %w17, %dx18) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx16, %dw16, %db16 = call @dense_gradient(%x16, %w16, %dx17) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx15, %dw15, %db15 = call @dense_gradient(%x15, %w15, %dx16) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx14, %dw14, %db14 = call @dense_gradient(%x14, %w14, %dx15) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx13, %dw13, %db13 = call @dense_gradient(%x13, %w13, %dx14) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx12, %dw12, %db12 = call @dense_gradient(%x12, %w12, %dx13) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx11, %dw11, %db11 = call @dense_gradient(%x11, %w11, %dx12) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx10, %dw10, %db10 = call @dense_gradient(%x10, %w10, %dx11) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx9, %dw9, %db9 = call @dense_gradient(%x9, %w9, %dx10) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx8, %dw8, %db8 = call @dense_gradient(%x8, %w8, %dx9) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx7, %dw7, %db7 = call @dense_gradient(%x7, %w7, %dx8) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx6, %dw6, %db6 = call @dense_gradient(%x6, %w6, %dx7) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx5, %dw5, %db5 = call @dense_gradient(%x5, %w5, %dx6) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx4, %dw4, %db4 = call @dense_gradient(%x4, %w4, %dx5) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx3, %dw3, %db3 = call @dense_gradient(%x3, %w3, %dx4) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx2, %dw2, %db2 = call @dense_gradient(%x2, %w2, %dx3) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx1, %dw1, %db1 = call @dense_gradient(%x1, %w1, %dx2) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %dx0, %dw0, %db0 = call @dense_gradient(%x0, %w0, %dx1) : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    %new_w0 = call @sgd_weight(%w0, %dw0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b0 = call @sgd_bias(%b0, %db0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w1 = call @sgd_weight(%w1, %dw1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b1 = call @sgd_bias(%b1, %db1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w2 = call @sgd_weight(%w2, %dw2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b2 = call @sgd_bias(%b2, %db2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w3 = call @sgd_weight(%w3, %dw3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b3 = call @sgd_bias(%b3, %db3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w4 = call @sgd_weight(%w4, %dw4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b4 = call @sgd_bias(%b4, %db4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w5 = call @sgd_weight(%w5, %dw5) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b5 = call @sgd_bias(%b5, %db5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w6 = call @sgd_weight(%w6, %dw6) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b6 = call @sgd_bias(%b6, %db6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w7 = call @sgd_weight(%w7, %dw7) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b7 = call @sgd_bias(%b7, %db7) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w8 = call @sgd_weight(%w8, %dw8) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b8 = call @sgd_bias(%b8, %db8) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w9 = call @sgd_weight(%w9, %dw9) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b9 = call @sgd_bias(%b9, %db9) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w10 = call @sgd_weight(%w10, %dw10) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b10 = call @sgd_bias(%b10, %db10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w11 = call @sgd_weight(%w11, %dw11) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b11 = call @sgd_bias(%b11, %db11) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w12 = call @sgd_weight(%w12, %dw12) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b12 = call @sgd_bias(%b12, %db12) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w13 = call @sgd_weight(%w13, %dw13) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b13 = call @sgd_bias(%b13, %db13) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w14 = call @sgd_weight(%w14, %dw14) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b14 = call @sgd_bias(%b14, %db14) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w15 = call @sgd_weight(%w15, %dw15) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b15 = call @sgd_bias(%b15, %db15) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w16 = call @sgd_weight(%w16, %dw16) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b16 = call @sgd_bias(%b16, %db16) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w17 = call @sgd_weight(%w17, %dw17) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b17 = call @sgd_bias(%b17, %db17) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w18 = call @sgd_weight(%w18, %dw18) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b18 = call @sgd_bias(%b18, %db18) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w19 = call @sgd_weight(%w19, %dw19) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b19 = call @sgd_bias(%b19, %db19) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w20 = call @sgd_weight(%w20, %dw20) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b20 = call @sgd_bias(%b20, %db20) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w21 = call @sgd_weight(%w21, %dw21) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b21 = call @sgd_bias(%b21, %db21) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w22 = call @sgd_weight(%w22, %dw22) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b22 = call @sgd_bias(%b22, %db22) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w23 = call @sgd_weight(%w23, %dw23) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b23 = call @sgd_bias(%b23, %db23) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %new_w24 = call @sgd_weight(%w24, %dw24) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %new_b24 = call @sgd_bias(%b24, %db24) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %new_w0, %new_b0, %new_w1, %new_b1, %new_w2, %new_b2, %new_w3, %new_b3, %new_w4, %new_b4, %new_w5, %new_b5, %new_w6, %new_b6, %new_w7, %new_b7, %new_w8, %new_b8, %new_w9, %new_b9, %new_w10, %new_b10, %new_w11, %new_b11, %new_w12, %new_b12, %new_w13, %new_b13, %new_w14, %new_b14, %new_w15, %new_b15, %new_w16, %new_b16, %new_w17, %new_b17, %new_w18, %new_b18, %new_w19, %new_b19, %new_w20, %new_b20, %new_w21, %new_b21, %new_w22, %new_b22, %new_w23, %new_b23, %new_w24, %new_b24, %loss
        : tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<f32>
  }

  // y = x w + b
  func.func private @dense(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
    %0 = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.broadcast ins(%b : tensor<4xf32>) outs(%0 : tensor<8x4xf32>) dimensions = [0]
    %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %y : tensor<8x4xf32>
  }

  // dx = dy w^T, dw = x^T dy, db = the sum of dy's rows
  func.func private @dense_gradient(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %dy: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %dx = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%dy, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = tensor.empty() : tensor<4x4xf32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %dw = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x, %dy : tensor<8x4xf32>, tensor<8x4xf32>) outs(%3 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = tensor.empty() : tensor<4xf32>
    %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<4xf32>) -> tensor<4xf32>
    %db = linalg.reduce { arith.addf } ins(%dy : tensor<8x4xf32>) outs(%5 : tensor<4xf32>) dimensions = [0]
    return %dx, %dw, %db : tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>
  }

  // The mean over samples of the squared error, and its gradient.
  func.func private @squared_error(%y: tensor<8x4xf32>, %target: tensor<8x4xf32>) -> (tensor<f32>, tensor<8x4xf32>) {
    %zero = arith.constant 0.0 : f32
    %scale = arith.constant 0.125 : f32
    %0 = tensor.empty() : tensor<8x4xf32>
    %error = linalg.sub ins(%y, %target : tensor<8x4xf32>, tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = linalg.square ins(%error : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = tensor.empty() : tensor<f32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%1 : tensor<8x4xf32>) outs(%3 : tensor<f32>) dimensions = [0, 1]
    %loss = linalg.map ins(%sum : tensor<f32>) outs(%2 : tensor<f32>) (%s: f32, %o: f32) {
      %half = arith.constant 0.5 : f32
      %4 = arith.mulf %s, %scale : f32
      %5 = arith.mulf %4, %half : f32
      linalg.yield %5 : f32
    }
    %gradient = linalg.map ins(%error : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) (%e: f32, %o: f32) {
      %4 = arith.mulf %e, %scale : f32
      linalg.yield %4 : f32
    }
    return %loss, %gradient : tensor<f32>, tensor<8x4xf32>
  }

  func.func private @sgd_weight(%p: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %rate = arith.constant 0.125 : f32
    %0 = tensor.empty() : tensor<4x4xf32>
    %new = linalg.map ins(%p, %g : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) (%a: f32, %b: f32, %o: f32) {
      %1 = arith.mulf %b, %rate : f32
      %2 = arith.subf %a, %1 : f32
      linalg.yield %2 : f32
    }
    return %new : tensor<4x4xf32>
  }

  func.func private @sgd_bias(%p: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
    %rate = arith.constant 0.125 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %new = linalg.map ins(%p, %g : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) (%a: f32, %b: f32, %o: f32) {
      %1 = arith.mulf %b, %rate : f32
      %2 = arith.subf %a, %1 : f32
      linalg.yield %2 : f32
    }
    return %new : tensor<4xf32>
  }
}
