module {
  tt.func public @ptrs(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x32xi64>
    %cst_0 = arith.constant dense<0> : tensor<16x1xi64>
    %cst_1 = arith.constant dense<32> : tensor<32xi64>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %0 = arith.extsi %arg2 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = arith.extsi %3 : tensor<16xi32> to tensor<16xi64>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %6 = tt.splat %2 : i64 -> tensor<16x1xi64>
    %7 = arith.muli %5, %6 : tensor<16x1xi64>
    %8 = tt.broadcast %7 : tensor<16x1xi64> -> tensor<16x32xi64>
    %9 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %10 = arith.cmpi sge, %5, %cst_0 : tensor<16x1xi64>
    %11 = tt.splat %0 : i64 -> tensor<16x1xi64>
    %12 = arith.cmpi slt, %5, %11 : tensor<16x1xi64>
    %13 = arith.andi %10, %12 : tensor<16x1xi1>
    %14 = tt.broadcast %13 : tensor<16x1xi1> -> tensor<16x32xi1>
    %15 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %16 = arith.extsi %15 : tensor<32xi32> to tensor<32xi64>
    %17 = tt.expand_dims %16 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %18 = tt.broadcast %17 : tensor<1x32xi64> -> tensor<16x32xi64>
    %19 = arith.addi %8, %18 : tensor<16x32xi64>
    %20 = tt.addptr %9, %19 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %21 = arith.cmpi sge, %17, %cst : tensor<1x32xi64>
    %22 = tt.splat %1 : i64 -> tensor<1x32xi64>
    %23 = arith.cmpi slt, %17, %22 : tensor<1x32xi64>
    %24 = arith.andi %21, %23 : tensor<1x32xi1>
    %25 = tt.broadcast %24 : tensor<1x32xi1> -> tensor<16x32xi1>
    %26 = arith.andi %14, %25 : tensor<16x32xi1>
    %27 = tt.load %20, %26, %cst_2 : tensor<16x32x!tt.ptr<f16>>
    %28 = arith.addi %16, %cst_1 : tensor<32xi64>
    %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %30 = tt.broadcast %29 : tensor<1x32xi64> -> tensor<16x32xi64>
    %31 = arith.addi %8, %30 : tensor<16x32xi64>
    %32 = tt.addptr %9, %31 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %33 = tt.load %32 : tensor<16x32x!tt.ptr<f16>>
    %34 = arith.addf %27, %33 : tensor<16x32xf16>
    %35 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %36 = tt.addptr %35, %19 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    tt.store %36, %34, %14 : tensor<16x32x!tt.ptr<f16>>
    tt.return
  }
}
