module {
  tt.func public @packed_scale(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>) attributes {noinline = false} {
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
    %8 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %9 = tt.addptr %8, %7 : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
    %10 = tt.load %9 : tensor<32x32x!tt.ptr<i8>>
    %11 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c2_i32 = arith.constant 2 : i32
    %c2_i32_1 = arith.constant 2 : i32
    %cst_2 = arith.constant dense<2> : tensor<32x1xi32>
    %13 = arith.muli %12, %cst_2 : tensor<32x1xi32>
    %14 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<32x1x!tt.ptr<i8>>
    %15 = tt.addptr %14, %13 : tensor<32x1x!tt.ptr<i8>>, tensor<32x1xi32>
    %16 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %17 = tt.expand_dims %16 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %18 = tt.broadcast %15 : tensor<32x1x!tt.ptr<i8>> -> tensor<32x2x!tt.ptr<i8>>
    %19 = tt.broadcast %17 : tensor<1x2xi32> -> tensor<32x2xi32>
    %20 = tt.addptr %18, %19 : tensor<32x2x!tt.ptr<i8>>, tensor<32x2xi32>
    %21 = tt.load %20 : tensor<32x2x!tt.ptr<i8>>
    %22 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %23 = tt.addptr %22, %7 : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
    %24 = tt.load %23 : tensor<32x32x!tt.ptr<i8>>
    %25 = tt.trans %24 {order = array<i32: 1, 0>} : tensor<32x32xi8> -> tensor<32x32xi8>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %26 = tt.dot_scaled %10 scale %21, %25 scale %21, %cst_4 lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<32x32xi8>, tensor<32x2xi8> -> tensor<32x32xf32>
    %27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c32_i32_5 = arith.constant 32 : i32
    %c32_i32_6 = arith.constant 32 : i32
    %cst_7 = arith.constant dense<32> : tensor<32x1xi32>
    %29 = arith.muli %28, %cst_7 : tensor<32x1xi32>
    %30 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %33 = tt.expand_dims %32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %34 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %35 = tt.broadcast %33 : tensor<1x32xi32> -> tensor<32x32xi32>
    %36 = tt.addptr %34, %35 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %37 = tt.load %36 : tensor<32x32x!tt.ptr<f32>>
    %38 = tt.join %37, %37 : tensor<32x32xf32> -> tensor<32x32x2xf32>
    %39 = tt.reshape %38 : tensor<32x32x2xf32> -> tensor<32x64xf32>
    %40 = tt.trans %39 {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
    %41 = arith.truncf %40 : tensor<64x32xf32> to tensor<64x32xbf16>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %42 = tt.dot_scaled %10 scale %21, %41, %cst_9 lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x32xbf16> -> tensor<32x32xf32>
    %43 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c32_i32_10 = arith.constant 32 : i32
    %c32_i32_11 = arith.constant 32 : i32
    %cst_12 = arith.constant dense<32> : tensor<32x1xi32>
    %45 = arith.muli %44, %cst_12 : tensor<32x1xi32>
    %46 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %47 = tt.addptr %46, %45 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %48 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %50 = tt.broadcast %47 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %51 = tt.broadcast %49 : tensor<1x32xi32> -> tensor<32x32xi32>
    %52 = tt.addptr %50, %51 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %53 = arith.addf %26, %42 : tensor<32x32xf32>
    tt.store %52, %53 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
