module {
  tt.func public @casts(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<bf16>, %arg3: !tt.ptr<f8E5M2>, %arg4: !tt.ptr<f64>, %arg5: !tt.ptr<i32>, %arg6: !tt.ptr<i8>, %arg7: !tt.ptr<i8>, %arg8: !tt.ptr<i64>, %arg9: !tt.ptr<i1>, %arg10: !tt.ptr<f32>) attributes {noinline = false} {
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
    %16 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %17 = tt.addptr %16, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %18 = tt.fp_to_fp %3, rounding = rtz : tensor<64xf32> -> tensor<64xf16>
    tt.store %17, %18 : tensor<64x!tt.ptr<f16>>
    %19 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %20 = tt.addptr %19, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %21 = arith.fptosi %3 : tensor<64xf32> to tensor<64xi32>
    tt.store %20, %21 : tensor<64x!tt.ptr<i32>>
    %22 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %23 = tt.addptr %22, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %24 = arith.fptoui %3 : tensor<64xf32> to tensor<64xi8>
    tt.store %23, %24 : tensor<64x!tt.ptr<i8>>
    %25 = tt.splat %arg8 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %26 = tt.addptr %25, %0 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>
    %27 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %28 = tt.addptr %27, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %29 = tt.load %28 : tensor<64x!tt.ptr<i32>>
    %30 = arith.extsi %29 : tensor<64xi32> to tensor<64xi64>
    tt.store %26, %30 : tensor<64x!tt.ptr<i64>>
    %31 = tt.splat %arg6 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %32 = tt.addptr %31, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %33 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %34 = tt.addptr %33, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %35 = tt.load %34 : tensor<64x!tt.ptr<i32>>
    %36 = arith.trunci %35 : tensor<64xi32> to tensor<64xi8>
    tt.store %32, %36 : tensor<64x!tt.ptr<i8>>
    %37 = tt.splat %arg9 : !tt.ptr<i1> -> tensor<64x!tt.ptr<i1>>
    %38 = tt.addptr %37, %0 : tensor<64x!tt.ptr<i1>>, tensor<64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %39 = arith.cmpf ogt, %3, %cst_0 : tensor<64xf32>
    %40 = tt.bitcast %38 : tensor<64x!tt.ptr<i1>> -> tensor<64x!tt.ptr<i8>>
    %41 = arith.extui %39 : tensor<64xi1> to tensor<64xi8>
    tt.store %40, %41 : tensor<64x!tt.ptr<i8>>
    %42 = tt.splat %arg9 : !tt.ptr<i1> -> tensor<64x!tt.ptr<i1>>
    %43 = tt.addptr %42, %0 : tensor<64x!tt.ptr<i1>>, tensor<64xi32>
    %44 = tt.bitcast %43 : tensor<64x!tt.ptr<i1>> -> tensor<64x!tt.ptr<i8>>
    %45 = tt.load %44 : tensor<64x!tt.ptr<i8>>
    %c0_i8 = arith.constant 0 : i8
    %cst_1 = arith.constant dense<0> : tensor<64xi8>
    %46 = arith.cmpi ne, %45, %cst_1 : tensor<64xi8>
    %47 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %48 = tt.addptr %47, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %49 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %50 = tt.addptr %49, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %51 = tt.load %50 : tensor<64x!tt.ptr<f16>>
    %52 = arith.extf %51 : tensor<64xf16> to tensor<64xf32>
    tt.store %48, %52 : tensor<64x!tt.ptr<f32>>
    %53 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %54 = tt.addptr %53, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %55 = tt.splat %arg3 : !tt.ptr<f8E5M2> -> tensor<64x!tt.ptr<f8E5M2>>
    %56 = tt.addptr %55, %0 : tensor<64x!tt.ptr<f8E5M2>>, tensor<64xi32>
    %57 = tt.load %56 : tensor<64x!tt.ptr<f8E5M2>>
    %58 = tt.fp_to_fp %57 : tensor<64xf8E5M2> -> tensor<64xf32>
    tt.store %54, %58 : tensor<64x!tt.ptr<f32>>
    %59 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %60 = tt.addptr %59, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %61 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %62 = tt.addptr %61, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %63 = tt.load %62 : tensor<64x!tt.ptr<i32>>
    %64 = arith.sitofp %63 : tensor<64xi32> to tensor<64xf32>
    tt.store %60, %64 : tensor<64x!tt.ptr<f32>>
    %65 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %66 = tt.addptr %65, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %67 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %68 = tt.addptr %67, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %69 = tt.load %68 : tensor<64x!tt.ptr<i8>>
    %70 = arith.uitofp %69 : tensor<64xi8> to tensor<64xf32>
    tt.store %66, %70 : tensor<64x!tt.ptr<f32>>
    %71 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %72 = tt.addptr %71, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %73 = arith.uitofp %46 : tensor<64xi1> to tensor<64xf32>
    tt.store %72, %73 : tensor<64x!tt.ptr<f32>>
    %74 = tt.splat %arg8 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %75 = tt.addptr %74, %0 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>
    %76 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %77 = tt.addptr %76, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %78 = tt.load %77 : tensor<64x!tt.ptr<i8>>
    %79 = arith.extui %78 : tensor<64xi8> to tensor<64xi64>
    tt.store %75, %79 : tensor<64x!tt.ptr<i64>>
    %80 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %81 = tt.addptr %80, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %82 = tt.splat %arg4 : !tt.ptr<f64> -> tensor<64x!tt.ptr<f64>>
    %83 = tt.addptr %82, %0 : tensor<64x!tt.ptr<f64>>, tensor<64xi32>
    %84 = tt.load %83 : tensor<64x!tt.ptr<f64>>
    %85 = arith.truncf %84 : tensor<64xf64> to tensor<64xf32>
    tt.store %81, %85 : tensor<64x!tt.ptr<f32>>
    %86 = tt.splat %arg2 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %87 = tt.addptr %86, %0 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %88 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %89 = tt.addptr %88, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %90 = tt.load %89 : tensor<64x!tt.ptr<f16>>
    %91 = tt.fp_to_fp %90, rounding = rtne : tensor<64xf16> -> tensor<64xbf16>
    tt.store %87, %91 : tensor<64x!tt.ptr<bf16>>
    %92 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %93 = tt.addptr %92, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %94 = tt.bitcast %3 : tensor<64xf32> -> tensor<64xi32>
    tt.store %93, %94 : tensor<64x!tt.ptr<i32>>
    %95 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %96 = tt.addptr %95, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %97 = tt.ptr_to_int %96 : tensor<64x!tt.ptr<f32>> -> tensor<64xi64>
    %98 = tt.splat %arg8 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %99 = tt.addptr %98, %0 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>
    tt.store %99, %97 : tensor<64x!tt.ptr<i64>>
    %100 = tt.int_to_ptr %97 : tensor<64xi64> -> tensor<64x!tt.ptr<f32>>
    tt.store %100, %3 : tensor<64x!tt.ptr<f32>>
    %101 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %102 = tt.addptr %101, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %103 = tt.bitcast %102 : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
    %c5_i32 = arith.constant 5 : i32
    %cst_2 = arith.constant dense<5> : tensor<64xi32>
    tt.store %103, %cst_2 : tensor<64x!tt.ptr<i32>>
    %104 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %105 = tt.addptr %104, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %106 = arith.cmpf une, %3, %cst_4 : tensor<64xf32>
    %107 = arith.extui %106 : tensor<64xi1> to tensor<64xi32>
    tt.store %105, %107 : tensor<64x!tt.ptr<i32>>
    %108 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
    %109 = tt.addptr %108, %0 : tensor<64x!tt.ptr<i8>>, tensor<64xi32>
    %110 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %111 = tt.addptr %110, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %112 = tt.load %111 : tensor<64x!tt.ptr<f32>>
    %113 = arith.fptoui %112 : tensor<64xf32> to tensor<64xi8>
    tt.store %109, %113 : tensor<64x!tt.ptr<i8>>
    %114 = tt.splat %arg5 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %115 = tt.addptr %114, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %116 = arith.fptoui %3 : tensor<64xf32> to tensor<64xi32>
    %117 = arith.bitcast %116 : tensor<64xi32> to tensor<64xi32>
    tt.store %115, %117 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
