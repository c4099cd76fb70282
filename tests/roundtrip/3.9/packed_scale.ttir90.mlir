module {
  tt.func public @packed_scale(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %cst_0 = arith.constant dense<2> : tensor<32x1xi32>
    %cst_1 = arith.constant dense<32> : tensor<32x1xi32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %2 = arith.muli %1, %cst_1 : tensor<32x1xi32>
    %3 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %4 = tt.broadcast %2 : tensor<32x1xi32> -> tensor<32x32xi32>
    %5 = tt.broadcast %3 : tensor<1x32xi32> -> tensor<32x32xi32>
    %6 = arith.addi %4, %5 : tensor<32x32xi32>
    %7 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %8 = tt.addptr %7, %6 : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
    %9 = tt.load %8 : tensor<32x32x!tt.ptr<i8>>
    %10 = arith.muli %1, %cst_0 : tensor<32x1xi32>
    %11 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<32x1x!tt.ptr<i8>>
    %12 = tt.addptr %11, %10 : tensor<32x1x!tt.ptr<i8>>, tensor<32x1xi32>
    %13 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %14 = tt.expand_dims %13 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %15 = tt.broadcast %12 : tensor<32x1x!tt.ptr<i8>> -> tensor<32x2x!tt.ptr<i8>>
    %16 = tt.broadcast %14 : tensor<1x2xi32> -> tensor<32x2xi32>
    %17 = tt.addptr %15, %16 : tensor<32x2x!tt.ptr<i8>>, tensor<32x2xi32>
    %18 = tt.load %17 : tensor<32x2x!tt.ptr<i8>>
    %19 = tt.trans %9 {order = array<i32: 1, 0>} : tensor<32x32xi8> -> tensor<32x32xi8>
    %20 = tt.dot_scaled %9 scale %18, %19 scale %18, %cst lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<32x32xi8>, tensor<32x2xi8> -> tensor<32x32xf32>
    %21 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %22 = tt.addptr %21, %2 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %23 = tt.broadcast %22 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %24 = tt.addptr %23, %5 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %25 = tt.load %24 : tensor<32x32x!tt.ptr<f32>>
    %26 = tt.join %25, %25 : tensor<32x32xf32> -> tensor<32x32x2xf32>
    %27 = tt.reshape %26 : tensor<32x32x2xf32> -> tensor<32x64xf32>
    %28 = tt.trans %27 {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
    %29 = arith.truncf %28 : tensor<64x32xf32> to tensor<64x32xbf16>
    %30 = tt.dot_scaled %9 scale %18, %29, %20 lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x32xbf16> -> tensor<32x32xf32>
    tt.store %24, %30 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
