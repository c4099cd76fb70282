module {
  tt.func public @dots(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i8>, %arg3: !tt.ptr<i8>, %arg4: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %2 = arith.muli %1, %cst : tensor<64x1xi32>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %5 = tt.broadcast %2 : tensor<64x1xi32> -> tensor<64x64xi32>
    %6 = tt.broadcast %4 : tensor<1x64xi32> -> tensor<64x64xi32>
    %7 = arith.addi %5, %6 : tensor<64x64xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %10 = tt.load %9 : tensor<64x64x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %12 = tt.addptr %11, %7 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %13 = tt.load %12 : tensor<64x64x!tt.ptr<f32>>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %14 = tt.dot %10, %13, %cst_1, inputPrecision = tf32 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %15 = tt.dot %10, %13, %14 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %16 = tt.dot %10, %13, %cst_4 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %17 = arith.addf %15, %16 : tensor<64x64xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %18 = tt.dot %10, %13, %cst_6, inputPrecision = tf32x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %19 = arith.addf %17, %18 : tensor<64x64xf32>
    %20 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
    %21 = tt.addptr %20, %7 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %22 = tt.load %21 : tensor<64x64x!tt.ptr<i8>>
    %23 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %c2_i32 = arith.constant 2 : i32
    %cst_7 = arith.constant dense<2> : tensor<64x1xi32>
    %25 = arith.muli %24, %cst_7 : tensor<64x1xi32>
    %26 = tt.splat %arg3 : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
    %27 = tt.addptr %26, %25 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
    %28 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %30 = tt.broadcast %27 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x2x!tt.ptr<i8>>
    %31 = tt.broadcast %29 : tensor<1x2xi32> -> tensor<64x2xi32>
    %32 = tt.addptr %30, %31 : tensor<64x2x!tt.ptr<i8>>, tensor<64x2xi32>
    %33 = tt.load %32 : tensor<64x2x!tt.ptr<i8>>
    %34 = tt.bitcast %22 : tensor<64x64xi8> -> tensor<64x64xf8E4M3FN>
    %35 = tt.bitcast %22 : tensor<64x64xi8> -> tensor<64x64xf8E5M2>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %36 = tt.dot_scaled %34 scale %33, %35 scale %33, %19 lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<64x64xf8E4M3FN>, tensor<64x2xi8> * tensor<64x64xf8E5M2>, tensor<64x2xi8> -> tensor<64x64xf32>
    %37 = arith.truncf %10 : tensor<64x64xf32> to tensor<64x64xf16>
    %38 = arith.truncf %13 : tensor<64x64xf32> to tensor<64x64xf16>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %39 = tt.dot %37, %38, %36, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %40 = arith.fptosi %10 : tensor<64x64xf32> to tensor<64x64xi8>
    %c0_i32 = arith.constant 0 : i32
    %cst_10 = arith.constant dense<0> : tensor<64x64xi32>
    %41 = tt.dot %40, %40, %cst_10, inputPrecision = tf32 : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xi32>
    %42 = tt.fp_to_fp %10, rounding = rtne : tensor<64x64xf32> -> tensor<64x64xf8E5M2>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %43 = tt.dot %42, %42, %39, inputPrecision = tf32 {maxNumImpreciseAcc = 16 : i32} : tensor<64x64xf8E5M2> * tensor<64x64xf8E5M2> -> tensor<64x64xf32>
    %44 = tt.reshape %10 : tensor<64x64xf32> -> tensor<2x32x64xf32>
    %45 = tt.join %13, %13 : tensor<64x64xf32> -> tensor<64x64x2xf32>
    %46 = tt.reshape %45 : tensor<64x64x2xf32> -> tensor<2x64x64xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %cst_13 = arith.constant dense<0.000000e+00> : tensor<2x32x64xf32>
    %47 = tt.dot %44, %46, %cst_13, inputPrecision = tf32 : tensor<2x32x64xf32> * tensor<2x64x64xf32> -> tensor<2x32x64xf32>
    %48 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %49 = tt.addptr %48, %7 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %50 = arith.sitofp %41 : tensor<64x64xi32> to tensor<64x64xf32>
    %51 = arith.addf %43, %50 : tensor<64x64xf32>
    %52 = tt.reshape %47 : tensor<2x32x64xf32> -> tensor<64x64xf32>
    %53 = arith.addf %51, %52 : tensor<64x64xf32>
    tt.store %49, %53 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
