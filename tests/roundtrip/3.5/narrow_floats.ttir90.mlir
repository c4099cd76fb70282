module {
  tt.func public @narrow_floats(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f8E4M3FN>) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %cst_0 = arith.constant dense<32> : tensor<32x1xi32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %2 = arith.muli %1, %cst_0 : tensor<32x1xi32>
    %3 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %4 = tt.broadcast %2 : tensor<32x1xi32> -> tensor<32x32xi32>
    %5 = tt.broadcast %3 : tensor<1x32xi32> -> tensor<32x32xi32>
    %6 = arith.addi %4, %5 : tensor<32x32xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %8 = tt.addptr %7, %6 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %9 = tt.load %8 : tensor<32x32x!tt.ptr<f32>>
    %10 = tt.fp_to_fp %9, rounding = rtne : tensor<32x32xf32> -> tensor<32x32xf8E4M3FN>
    %11 = tt.fp_to_fp %9, rounding = rtne : tensor<32x32xf32> -> tensor<32x32xf8E5M2>
    %12 = tt.trans %10 {order = array<i32: 1, 0>} : tensor<32x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
    %13 = tt.dot %10, %12, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<32x32xf8E4M3FN> * tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
    %14 = tt.dot %11, %11, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf32>
    %15 = arith.truncf %9 : tensor<32x32xf32> to tensor<32x32xbf16>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %17 = tt.addptr %16, %6 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %18 = arith.addf %13, %14 : tensor<32x32xf32>
    %19 = tt.dot %15, %15, %18 : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
    tt.store %17, %19 : tensor<32x32x!tt.ptr<f32>>
    %20 = tt.splat %arg2 : !tt.ptr<f8E4M3FN> -> tensor<32x32x!tt.ptr<f8E4M3FN>>
    %21 = tt.addptr %20, %6 : tensor<32x32x!tt.ptr<f8E4M3FN>>, tensor<32x32xi32>
    tt.store %21, %10 : tensor<32x32x!tt.ptr<f8E4M3FN>>
    tt.return
  }
}
