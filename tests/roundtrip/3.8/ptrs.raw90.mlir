module {
  tt.func public @ptrs(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %0 = arith.extsi %arg2 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = arith.extsi %arg4 : i32 to i64
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.extsi %c1_i32 : i32 to i64
    %c0_i32 = arith.constant 0 : i32
    %4 = arith.extsi %c0_i32 : i32 to i64
    %c0_i32_0 = arith.constant 0 : i32
    %5 = arith.extsi %c0_i32_0 : i32 to i64
    %6 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %7 = arith.extsi %6 : tensor<16xi32> to tensor<16xi64>
    %8 = tt.splat %4 : i64 -> tensor<16xi64>
    %9 = arith.addi %8, %7 : tensor<16xi64>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %11 = tt.broadcast %10 : tensor<16x1xi64> -> tensor<16x32xi64>
    %12 = tt.splat %2 : i64 -> tensor<16x32xi64>
    %13 = arith.muli %11, %12 : tensor<16x32xi64>
    %14 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %15 = tt.addptr %14, %13 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<0> : tensor<16x32xi64>
    %16 = arith.cmpi sge, %11, %cst : tensor<16x32xi64>
    %17 = tt.splat %0 : i64 -> tensor<16x32xi64>
    %18 = arith.cmpi slt, %11, %17 : tensor<16x32xi64>
    %19 = arith.andi %16, %18 : tensor<16x32xi1>
    %20 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %21 = arith.extsi %20 : tensor<32xi32> to tensor<32xi64>
    %22 = tt.splat %5 : i64 -> tensor<32xi64>
    %23 = arith.addi %22, %21 : tensor<32xi64>
    %24 = tt.expand_dims %23 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %25 = tt.broadcast %24 : tensor<1x32xi64> -> tensor<16x32xi64>
    %26 = tt.splat %3 : i64 -> tensor<16x32xi64>
    %27 = arith.muli %25, %26 : tensor<16x32xi64>
    %28 = tt.addptr %15, %27 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %c0_i32_2 = arith.constant 0 : i32
    %c0_i64_3 = arith.constant 0 : i64
    %cst_4 = arith.constant dense<0> : tensor<16x32xi64>
    %29 = arith.cmpi sge, %25, %cst_4 : tensor<16x32xi64>
    %30 = tt.splat %1 : i64 -> tensor<16x32xi64>
    %31 = arith.cmpi slt, %25, %30 : tensor<16x32xi64>
    %32 = arith.andi %29, %31 : tensor<16x32xi1>
    %33 = arith.andi %19, %32 : tensor<16x32xi1>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %34 = arith.truncf %cst_6 : tensor<16x32xf32> to tensor<16x32xf16>
    %35 = tt.load %28, %33, %34 : tensor<16x32x!tt.ptr<f16>>
    %c0_i32_7 = arith.constant 0 : i32
    %36 = arith.extsi %c0_i32_7 : i32 to i64
    %c32_i32 = arith.constant 32 : i32
    %37 = arith.extsi %c32_i32 : i32 to i64
    %38 = arith.addi %4, %36 : i64
    %39 = arith.addi %5, %37 : i64
    %40 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %41 = arith.extsi %40 : tensor<16xi32> to tensor<16xi64>
    %42 = tt.splat %38 : i64 -> tensor<16xi64>
    %43 = arith.addi %42, %41 : tensor<16xi64>
    %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %45 = tt.broadcast %44 : tensor<16x1xi64> -> tensor<16x32xi64>
    %46 = tt.splat %2 : i64 -> tensor<16x32xi64>
    %47 = arith.muli %45, %46 : tensor<16x32xi64>
    %48 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %49 = tt.addptr %48, %47 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %50 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %51 = arith.extsi %50 : tensor<32xi32> to tensor<32xi64>
    %52 = tt.splat %39 : i64 -> tensor<32xi64>
    %53 = arith.addi %52, %51 : tensor<32xi64>
    %54 = tt.expand_dims %53 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %55 = tt.broadcast %54 : tensor<1x32xi64> -> tensor<16x32xi64>
    %56 = tt.splat %3 : i64 -> tensor<16x32xi64>
    %57 = arith.muli %55, %56 : tensor<16x32xi64>
    %58 = tt.addptr %49, %57 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %59 = tt.load %58 : tensor<16x32x!tt.ptr<f16>>
    %60 = arith.extsi %arg2 : i32 to i64
    %61 = arith.extsi %arg3 : i32 to i64
    %62 = arith.extsi %arg4 : i32 to i64
    %c1_i32_8 = arith.constant 1 : i32
    %63 = arith.extsi %c1_i32_8 : i32 to i64
    %c0_i32_9 = arith.constant 0 : i32
    %64 = arith.extsi %c0_i32_9 : i32 to i64
    %c0_i32_10 = arith.constant 0 : i32
    %65 = arith.extsi %c0_i32_10 : i32 to i64
    %66 = arith.addf %35, %59 : tensor<16x32xf16>
    %67 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %68 = arith.extsi %67 : tensor<16xi32> to tensor<16xi64>
    %69 = tt.splat %64 : i64 -> tensor<16xi64>
    %70 = arith.addi %69, %68 : tensor<16xi64>
    %71 = tt.expand_dims %70 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %72 = tt.broadcast %71 : tensor<16x1xi64> -> tensor<16x32xi64>
    %73 = tt.splat %62 : i64 -> tensor<16x32xi64>
    %74 = arith.muli %72, %73 : tensor<16x32xi64>
    %75 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %76 = tt.addptr %75, %74 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %c0_i32_11 = arith.constant 0 : i32
    %c0_i64_12 = arith.constant 0 : i64
    %cst_13 = arith.constant dense<0> : tensor<16x32xi64>
    %77 = arith.cmpi sge, %72, %cst_13 : tensor<16x32xi64>
    %78 = tt.splat %60 : i64 -> tensor<16x32xi64>
    %79 = arith.cmpi slt, %72, %78 : tensor<16x32xi64>
    %80 = arith.andi %77, %79 : tensor<16x32xi1>
    %81 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %82 = arith.extsi %81 : tensor<32xi32> to tensor<32xi64>
    %83 = tt.splat %65 : i64 -> tensor<32xi64>
    %84 = arith.addi %83, %82 : tensor<32xi64>
    %85 = tt.expand_dims %84 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %86 = tt.broadcast %85 : tensor<1x32xi64> -> tensor<16x32xi64>
    %87 = tt.splat %63 : i64 -> tensor<16x32xi64>
    %88 = arith.muli %86, %87 : tensor<16x32xi64>
    %89 = tt.addptr %76, %88 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    tt.store %89, %66, %80 : tensor<16x32x!tt.ptr<f16>>
    tt.return
  }
}
