module {
  tt.func public @hostdesc(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i1, %arg6: i1, %arg7: i32, %arg8: i32, %arg9: i64, %arg10: i64, %arg11: !tt.ptr<i32>) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<16xi64>
    %cst_0 = arith.constant dense<0> : tensor<1x32xi64>
    %cst_1 = arith.constant dense<0> : tensor<16x1xi64>
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<16x32xf16>
    %cst_3 = arith.constant dense<0x7E00> : tensor<16x32xf16>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %0 = arith.select %arg5, %cst_3, %cst_4 : tensor<16x32xf16>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %2 = arith.extsi %1 : tensor<16xi32> to tensor<16xi64>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = arith.extsi %4 : tensor<32xi32> to tensor<32xi64>
    %6 = tt.expand_dims %5 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %8 = tt.splat %arg3 : i64 -> tensor<16x1xi64>
    %9 = arith.muli %3, %8 : tensor<16x1xi64>
    %10 = tt.broadcast %9 : tensor<16x1xi64> -> tensor<16x32xi64>
    %11 = tt.splat %arg4 : i64 -> tensor<1x32xi64>
    %12 = arith.muli %6, %11 : tensor<1x32xi64>
    %13 = tt.broadcast %12 : tensor<1x32xi64> -> tensor<16x32xi64>
    %14 = arith.addi %10, %13 : tensor<16x32xi64>
    %15 = tt.addptr %7, %14 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %16 = arith.cmpi sge, %3, %cst_1 : tensor<16x1xi64>
    %17 = tt.splat %arg1 : i64 -> tensor<16x1xi64>
    %18 = arith.cmpi slt, %3, %17 : tensor<16x1xi64>
    %19 = arith.andi %16, %18 : tensor<16x1xi1>
    %20 = tt.broadcast %19 : tensor<16x1xi1> -> tensor<16x32xi1>
    %21 = arith.cmpi sge, %6, %cst_0 : tensor<1x32xi64>
    %22 = tt.splat %arg2 : i64 -> tensor<1x32xi64>
    %23 = arith.cmpi slt, %6, %22 : tensor<1x32xi64>
    %24 = arith.andi %21, %23 : tensor<1x32xi1>
    %25 = tt.broadcast %24 : tensor<1x32xi1> -> tensor<16x32xi1>
    %26 = arith.andi %20, %25 : tensor<16x32xi1>
    %27 = tt.load %15, %26, %0 : tensor<16x32x!tt.ptr<f16>>
    %28 = arith.mulf %27, %cst_2 : tensor<16x32xf16>
    %29 = arith.addi %2, %cst : tensor<16xi64>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %31 = arith.muli %30, %8 : tensor<16x1xi64>
    %32 = tt.broadcast %31 : tensor<16x1xi64> -> tensor<16x32xi64>
    %33 = arith.addi %32, %13 : tensor<16x32xi64>
    %34 = tt.addptr %7, %33 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %35 = arith.cmpi sge, %30, %cst_1 : tensor<16x1xi64>
    %36 = arith.cmpi slt, %30, %17 : tensor<16x1xi64>
    %37 = arith.andi %35, %36 : tensor<16x1xi1>
    %38 = tt.broadcast %37 : tensor<16x1xi1> -> tensor<16x32xi1>
    %39 = arith.andi %38, %25 : tensor<16x32xi1>
    tt.store %34, %28, %39 : tensor<16x32x!tt.ptr<f16>>
    tt.store %arg11, %arg7 : !tt.ptr<i32>
    tt.return
  }
}
