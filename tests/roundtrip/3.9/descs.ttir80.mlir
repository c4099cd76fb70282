module {
  tt.func public @descs(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<4> : tensor<32xi64>
    %cst_0 = arith.constant dense<4> : tensor<16xi64>
    %cst_1 = arith.constant dense<16> : tensor<32xi64>
    %cst_2 = arith.constant dense<0> : tensor<8x1xi64>
    %cst_3 = arith.constant dense<0> : tensor<1x32xi64>
    %cst_4 = arith.constant dense<0> : tensor<16x1xi64>
    %cst_5 = arith.constant dense<32> : tensor<32xi64>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<8x32xf16>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %cst_8 = arith.constant dense<0x7E00> : tensor<16x32xf16>
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = arith.extsi %arg2 : i32 to i64
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = arith.extsi %2 : tensor<16xi32> to tensor<16xi64>
    %4 = tt.reshape %3 : tensor<16xi64> -> tensor<16x1xi64>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %6 = arith.extsi %5 : tensor<32xi32> to tensor<32xi64>
    %7 = arith.addi %6, %cst_5 : tensor<32xi64>
    %8 = tt.reshape %7 : tensor<32xi64> -> tensor<1x32xi64>
    %9 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %10 = tt.splat %0 : i64 -> tensor<16x1xi64>
    %11 = arith.muli %4, %10 : tensor<16x1xi64>
    %12 = tt.broadcast %11 : tensor<16x1xi64> -> tensor<16x32xi64>
    %13 = tt.broadcast %8 : tensor<1x32xi64> -> tensor<16x32xi64>
    %14 = arith.addi %12, %13 : tensor<16x32xi64>
    %15 = tt.addptr %9, %14 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %16 = arith.cmpi sge, %4, %cst_4 : tensor<16x1xi64>
    %17 = tt.splat %1 : i64 -> tensor<16x1xi64>
    %18 = arith.cmpi slt, %4, %17 : tensor<16x1xi64>
    %19 = arith.andi %16, %18 : tensor<16x1xi1>
    %20 = tt.broadcast %19 : tensor<16x1xi1> -> tensor<16x32xi1>
    %21 = arith.cmpi sge, %8, %cst_3 : tensor<1x32xi64>
    %22 = tt.splat %0 : i64 -> tensor<1x32xi64>
    %23 = arith.cmpi slt, %8, %22 : tensor<1x32xi64>
    %24 = arith.andi %21, %23 : tensor<1x32xi1>
    %25 = tt.broadcast %24 : tensor<1x32xi1> -> tensor<16x32xi1>
    %26 = arith.andi %20, %25 : tensor<16x32xi1>
    %27 = tt.load %15, %26, %cst_7 : tensor<16x32x!tt.ptr<f16>>
    %28 = tt.reshape %6 : tensor<32xi64> -> tensor<1x32xi64>
    %29 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %30 = tt.broadcast %28 : tensor<1x32xi64> -> tensor<16x32xi64>
    %31 = arith.addi %12, %30 : tensor<16x32xi64>
    %32 = tt.addptr %29, %31 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %33 = arith.cmpi sge, %28, %cst_3 : tensor<1x32xi64>
    %34 = arith.cmpi slt, %28, %22 : tensor<1x32xi64>
    %35 = arith.andi %33, %34 : tensor<1x32xi1>
    %36 = tt.broadcast %35 : tensor<1x32xi1> -> tensor<16x32xi1>
    %37 = arith.andi %20, %36 : tensor<16x32xi1>
    tt.store %32, %27, %37 : tensor<16x32x!tt.ptr<f16>>
    %38 = tt.atomic_rmw fadd, release, gpu, %32, %27, %37 : (tensor<16x32x!tt.ptr<f16>>, tensor<16x32xf16>, tensor<16x32xi1>) -> tensor<16x32xf16>
    %39 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %40 = tt.reshape %39 : tensor<8xi32> -> tensor<8x1xi32>
    %41 = arith.extsi %40 : tensor<8x1xi32> to tensor<8x1xi64>
    %42 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<8x32x!tt.ptr<f16>>
    %43 = tt.splat %0 : i64 -> tensor<8x1xi64>
    %44 = arith.muli %41, %43 : tensor<8x1xi64>
    %45 = tt.broadcast %44 : tensor<8x1xi64> -> tensor<8x32xi64>
    %46 = tt.broadcast %28 : tensor<1x32xi64> -> tensor<8x32xi64>
    %47 = arith.addi %45, %46 : tensor<8x32xi64>
    %48 = tt.addptr %42, %47 : tensor<8x32x!tt.ptr<f16>>, tensor<8x32xi64>
    %49 = arith.cmpi sge, %41, %cst_2 : tensor<8x1xi64>
    %50 = tt.splat %1 : i64 -> tensor<8x1xi64>
    %51 = arith.cmpi slt, %41, %50 : tensor<8x1xi64>
    %52 = arith.andi %49, %51 : tensor<8x1xi1>
    %53 = tt.broadcast %52 : tensor<8x1xi1> -> tensor<8x32xi1>
    %54 = tt.broadcast %35 : tensor<1x32xi1> -> tensor<8x32xi1>
    %55 = arith.andi %53, %54 : tensor<8x32xi1>
    %56 = tt.load %48, %55, %cst_6 : tensor<8x32x!tt.ptr<f16>>
    %57 = arith.addi %6, %cst_1 : tensor<32xi64>
    %58 = tt.reshape %57 : tensor<32xi64> -> tensor<1x32xi64>
    %59 = tt.broadcast %58 : tensor<1x32xi64> -> tensor<8x32xi64>
    %60 = arith.addi %45, %59 : tensor<8x32xi64>
    %61 = tt.addptr %42, %60 : tensor<8x32x!tt.ptr<f16>>, tensor<8x32xi64>
    %62 = arith.cmpi sge, %58, %cst_3 : tensor<1x32xi64>
    %63 = arith.cmpi slt, %58, %22 : tensor<1x32xi64>
    %64 = arith.andi %62, %63 : tensor<1x32xi1>
    %65 = tt.broadcast %64 : tensor<1x32xi1> -> tensor<8x32xi1>
    %66 = arith.andi %53, %65 : tensor<8x32xi1>
    tt.store %61, %56, %66 : tensor<8x32x!tt.ptr<f16>>
    %67 = arith.addi %3, %cst_0 : tensor<16xi64>
    %68 = tt.reshape %67 : tensor<16xi64> -> tensor<16x1xi64>
    %69 = arith.addi %6, %cst : tensor<32xi64>
    %70 = tt.reshape %69 : tensor<32xi64> -> tensor<1x32xi64>
    %71 = arith.muli %68, %10 : tensor<16x1xi64>
    %72 = tt.broadcast %71 : tensor<16x1xi64> -> tensor<16x32xi64>
    %73 = tt.broadcast %70 : tensor<1x32xi64> -> tensor<16x32xi64>
    %74 = arith.addi %72, %73 : tensor<16x32xi64>
    %75 = tt.addptr %29, %74 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %76 = arith.cmpi sge, %68, %cst_4 : tensor<16x1xi64>
    %77 = arith.cmpi slt, %68, %17 : tensor<16x1xi64>
    %78 = arith.andi %76, %77 : tensor<16x1xi1>
    %79 = tt.broadcast %78 : tensor<16x1xi1> -> tensor<16x32xi1>
    %80 = arith.cmpi sge, %70, %cst_3 : tensor<1x32xi64>
    %81 = arith.cmpi slt, %70, %22 : tensor<1x32xi64>
    %82 = arith.andi %80, %81 : tensor<1x32xi1>
    %83 = tt.broadcast %82 : tensor<1x32xi1> -> tensor<16x32xi1>
    %84 = arith.andi %79, %83 : tensor<16x32xi1>
    %85 = tt.load %75, %84, %cst_8 : tensor<16x32x!tt.ptr<f16>>
    %86 = tt.addptr %9, %31 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    tt.store %86, %85, %37 : tensor<16x32x!tt.ptr<f16>>
    tt.return
  }
}
