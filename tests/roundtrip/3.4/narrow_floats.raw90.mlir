module {
  tt.func public @narrow_floats(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f8E4M3FN>) attributes {noinline = false} {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c32_i32 = arith.constant 32 : i32
    %c32_i32_0 = arith.constant 32 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32>
    %2 = arith.muli %1, %cst : tensor<32x1xi32>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %5 = tt.broadcast %2 : tensor<32x1xi32> -> tensor<32x32xi32>
    %6 = tt.broadcast %4 : tensor<1x32xi32> -> tensor<32x32xi32>
    %7 = arith.addi %5, %6 : tensor<32x32xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %10 = tt.load %9 : tensor<32x32x!tt.ptr<f32>>
    %11 = tt.fp_to_fp %10, rounding = rtne : tensor<32x32xf32> -> tensor<32x32xf8E4M3FN>
    %12 = tt.fp_to_fp %10, rounding = rtne : tensor<32x32xf32> -> tensor<32x32xf8E5M2>
    %13 = tt.trans %11 {order = array<i32: 1, 0>} : tensor<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %14 = tt.dot %11, %13, %cst_2, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<32x32xf8E4M3FN> * tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %15 = tt.dot %12, %12, %cst_4, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf32>
    %16 = arith.truncf %10 : tensor<32x32xf32> to tensor<32x32xbf16>
    %17 = arith.truncf %10 : tensor<32x32xf32> to tensor<32x32xbf16>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %18 = tt.dot %16, %17, %cst_6 : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
    %19 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %20 = tt.addptr %19, %7 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %21 = arith.addf %14, %15 : tensor<32x32xf32>
    %22 = arith.addf %21, %18 : tensor<32x32xf32>
    tt.store %20, %22 : tensor<32x32x!tt.ptr<f32>>
    %23 = tt.splat %arg2 : !tt.ptr<f8E4M3FN> -> tensor<32x32x!tt.ptr<f8E4M3FN>>
    %24 = tt.addptr %23, %7 : tensor<32x32x!tt.ptr<f8E4M3FN>>, tensor<32x32xi32>
    tt.store %24, %11 : tensor<32x32x!tt.ptr<f8E4M3FN>>
    tt.return
  }
}
