module {
  tt.func public @half_floats(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<bf16>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<3.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f16>>
    %4 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %6 = tt.load %5 : tensor<64x!tt.ptr<bf16>>
    %7 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %8 = tt.addptr %7, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %9 = tt.load %8 : tensor<64x!tt.ptr<f32>>
    %10 = tt.fp_to_fp %6, rounding = rtne : tensor<64xbf16> -> tensor<64xf16>
    %11 = arith.mulf %3, %10 : tensor<64xf16>
    %12 = arith.extf %3 : tensor<64xf16> to tensor<64xf32>
    %13 = arith.divf %12, %cst : tensor<64xf32>
    %14 = arith.extf %11 : tensor<64xf16> to tensor<64xf32>
    %15 = arith.addf %14, %13 : tensor<64xf32>
    %16 = arith.truncf %9 : tensor<64xf32> to tensor<64xbf16>
    %17 = arith.maxnumf %6, %16 : tensor<64xbf16>
    %18 = arith.mulf %6, %6 : tensor<64xbf16>
    %19 = arith.subf %17, %18 : tensor<64xbf16>
    %20 = math.exp2 %9 : tensor<64xf32>
    %21 = math.cos %9 : tensor<64xf32>
    %22 = arith.addf %20, %21 : tensor<64xf32>
    %23 = tt.extern_elementwise %9 {libname = "", libpath = "", pure = true, symbol = "__nv_erfcf"} : (tensor<64xf32>) -> tensor<64xf32>
    %24 = arith.addf %22, %23 : tensor<64xf32>
    %25 = tt.extern_elementwise %9 {libname = "", libpath = "", pure = true, symbol = "__nv_rintf"} : (tensor<64xf32>) -> tensor<64xf32>
    %26 = arith.addf %24, %25 : tensor<64xf32>
    %27 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %28 = tt.addptr %27, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %29 = arith.extf %19 : tensor<64xbf16> to tensor<64xf32>
    %30 = arith.addf %15, %29 : tensor<64xf32>
    %31 = arith.addf %30, %26 : tensor<64xf32>
    tt.store %28, %31 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
