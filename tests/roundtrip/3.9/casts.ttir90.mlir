module {
  tt.func public @casts(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<bf16>, %arg3: !tt.ptr<f8E5M2>, %arg4: !tt.ptr<f64>, %arg5: !tt.ptr<i32>, %arg6: !tt.ptr<i8>, %arg7: !tt.ptr<i8>, %arg8: !tt.ptr<i64>, %arg9: !tt.ptr<i1>, %arg10: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<5> : tensor<64xi32>
    %cst_0 = arith.constant dense<0> : tensor<64xi8>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %6 = arith.truncf %3 : tensor<64xf32> to tensor<64xf16>
    tt.store %5, %6 : tensor<64x!tt.ptr<f16>>
    %7 = tt.splat %arg2 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %8 = tt.addptr %7, %0 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %9 = arith.truncf %3 : tensor<64xf32> to tensor<64xbf16>
    tt.store %8, %9 : tensor<64x!tt.ptr<bf16>>
    %10 = tt.splat %arg3 : !tt.ptr<f8E5M2> -> tensor<64x!tt.ptr<f8E5M2>>
    %11 = tt.addptr %10, %0 : tensor<64x!tt.ptr<f8E5M2>>, tensor<64xi32>
    %12 = tt.fp_to_fp %3, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
    tt.store %11, %12 : tensor<64x!tt.ptr<f8E5M2>>
    %13 = tt.splat %arg4 : !tt.ptr<f64> -> tensor<64x!tt.ptr<f64>>
    %14 = tt.addptr %13, %0 : tensor<64x!tt.ptr<f64>>, tensor<64xi32>
    %15 = arith.extf %3 : tensor<64xf32> to tensor<64xf64>
    tt.store %14, %15 : tensor<64x!tt.ptr<f64>>
    %16 = tt.fp_to_fp %3, rounding = rtz : tensor<64xf32> -> tensor<64xf16>
    tt.store %5, %16 : tensor<64x!tt.ptr<f16>>
    %17 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %18 = tt.addptr %17, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %19 = arith.fptosi %3 : tensor<64xf32> to tensor<64xi32>
    tt.store %18, %19 : tensor<64x!tt.ptr<i32>>
    %20 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %21 = tt.addptr %20, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %22 = arith.fptoui %3 : tensor<64xf32> to tensor<64xi8>
    tt.store %21, %22 : tensor<64x!tt.ptr<i8>>
    %23 = tt.splat %arg8 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %24 = tt.addptr %23, %0 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>
    %25 = tt.load %18 : tensor<64x!tt.ptr<i32>>
    %26 = arith.extsi %25 : tensor<64xi32> to tensor<64xi64>
    tt.store %24, %26 : tensor<64x!tt.ptr<i64>>
    %27 = tt.splat %arg6 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %28 = tt.addptr %27, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %29 = tt.load %18 : tensor<64x!tt.ptr<i32>>
    %30 = arith.trunci %29 : tensor<64xi32> to tensor<64xi8>
    tt.store %28, %30 : tensor<64x!tt.ptr<i8>>
    %31 = tt.splat %arg9 : !tt.ptr<i1> -> tensor<64x!tt.ptr<i1>>
    %32 = tt.addptr %31, %0 : tensor<64x!tt.ptr<i1>>, tensor<64xi32>
    %33 = arith.cmpf ogt, %3, %cst_1 : tensor<64xf32>
    %34 = tt.bitcast %32 : tensor<64x!tt.ptr<i1>> -> tensor<64x!tt.ptr<i8>>
    %35 = arith.extui %33 : tensor<64xi1> to tensor<64xi8>
    tt.store %34, %35 : tensor<64x!tt.ptr<i8>>
    %36 = tt.load %34 : tensor<64x!tt.ptr<i8>>
    %37 = arith.cmpi ne, %36, %cst_0 : tensor<64xi8>
    %38 = tt.load %5 : tensor<64x!tt.ptr<f16>>
    %39 = arith.extf %38 : tensor<64xf16> to tensor<64xf32>
    tt.store %2, %39 : tensor<64x!tt.ptr<f32>>
    %40 = tt.load %11 : tensor<64x!tt.ptr<f8E5M2>>
    %41 = tt.fp_to_fp %40 : tensor<64xf8E5M2> -> tensor<64xf32>
    tt.store %2, %41 : tensor<64x!tt.ptr<f32>>
    %42 = tt.load %18 : tensor<64x!tt.ptr<i32>>
    %43 = arith.sitofp %42 : tensor<64xi32> to tensor<64xf32>
    tt.store %2, %43 : tensor<64x!tt.ptr<f32>>
    %44 = tt.load %21 : tensor<64x!tt.ptr<i8>>
    %45 = arith.uitofp %44 : tensor<64xi8> to tensor<64xf32>
    tt.store %2, %45 : tensor<64x!tt.ptr<f32>>
    %46 = arith.uitofp %37 : tensor<64xi1> to tensor<64xf32>
    tt.store %2, %46 : tensor<64x!tt.ptr<f32>>
    %47 = tt.load %21 : tensor<64x!tt.ptr<i8>>
    %48 = arith.extui %47 : tensor<64xi8> to tensor<64xi64>
    tt.store %24, %48 : tensor<64x!tt.ptr<i64>>
    %49 = tt.load %14 : tensor<64x!tt.ptr<f64>>
    %50 = arith.truncf %49 : tensor<64xf64> to tensor<64xf32>
    tt.store %2, %50 : tensor<64x!tt.ptr<f32>>
    %51 = tt.load %5 : tensor<64x!tt.ptr<f16>>
    %52 = tt.fp_to_fp %51, rounding = rtne : tensor<64xf16> -> tensor<64xbf16>
    tt.store %8, %52 : tensor<64x!tt.ptr<bf16>>
    %53 = tt.bitcast %3 : tensor<64xf32> -> tensor<64xi32>
    tt.store %18, %53 : tensor<64x!tt.ptr<i32>>
    %54 = tt.ptr_to_int %2 : tensor<64x!tt.ptr<f32>> -> tensor<64xi64>
    tt.store %24, %54 : tensor<64x!tt.ptr<i64>>
    tt.store %2, %3 : tensor<64x!tt.ptr<f32>>
    %55 = tt.bitcast %2 : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
    tt.store %55, %cst : tensor<64x!tt.ptr<i32>>
    %56 = arith.cmpf une, %3, %cst_1 : tensor<64xf32>
    %57 = arith.extui %56 : tensor<64xi1> to tensor<64xi32>
    tt.store %18, %57 : tensor<64x!tt.ptr<i32>>
    %58 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %59 = arith.fptoui %58 : tensor<64xf32> to tensor<64xi8>
    tt.store %21, %59 : tensor<64x!tt.ptr<i8>>
    %60 = arith.fptoui %3 : tensor<64xf32> to tensor<64xi32>
    tt.store %18, %60 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
