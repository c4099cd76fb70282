module {
  tt.func public @extents(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<16> : tensor<8x1xi32>
    %2 = arith.muli %1, %cst : tensor<8x1xi32>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %5 = tt.broadcast %2 : tensor<8x1xi32> -> tensor<8x16xi32>
    %6 = tt.broadcast %4 : tensor<1x16xi32> -> tensor<8x16xi32>
    %7 = arith.addi %5, %6 : tensor<8x16xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %10 = tt.load %9 : tensor<8x16x!tt.ptr<f32>>
    %11 = tt.call @triton.language.standard.sum__fp32S8_16S_c1_cTrue_cNone(%10) : (tensor<8x16xf32>) -> tensor<8x1xf32>
    %12 = tt.call @triton.language.standard.squeeze__fp32S8_1S_c1(%11) : (tensor<8x1xf32>) -> tensor<8xf32>
    %13 = tt.call @triton.language.standard.unsqueeze__fp32S8S_c1(%12) : (tensor<8xf32>) -> tensor<8x1xf32>
    %14 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %15 = tt.addptr %14, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %16 = tt.broadcast %13 : tensor<8x1xf32> -> tensor<8x16xf32>
    %17 = arith.mulf %10, %16 : tensor<8x16xf32>
    tt.store %15, %17 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.sum__fp32S8_16S_c1_cTrue_cNone(%arg0: tensor<8x16xf32>) -> tensor<8x1xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %3 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %3 : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    tt.return %1 : tensor<8x1xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x1xf32>
    tt.return %2 : tensor<8x1xf32>
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.squeeze__fp32S8_1S_c1(%arg0: tensor<8x1xf32>) -> tensor<8xf32> attributes {noinline = false} {
    %0 = tt.reshape %arg0 : tensor<8x1xf32> -> tensor<8xf32>
    tt.return %0 : tensor<8xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xf32>
    tt.return %1 : tensor<8xf32>
  }
  tt.func private @triton.language.standard.unsqueeze__fp32S8S_c1(%arg0: tensor<8xf32>) -> tensor<8x1xf32> attributes {noinline = false} {
    %0 = tt.reshape %arg0 : tensor<8xf32> -> tensor<8x1xf32>
    tt.return %0 : tensor<8x1xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x1xf32>
    tt.return %1 : tensor<8x1xf32>
  }
}
