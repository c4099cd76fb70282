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
    %10 = arith.extf %6 : tensor<64xbf16> to tensor<64xf32>
    %11 = arith.truncf %10 : tensor<64xf32> to tensor<64xf16>
    %12 = arith.mulf %3, %11 : tensor<64xf16>
    %13 = arith.extf %3 : tensor<64xf16> to tensor<64xf32>
    %14 = arith.divf %13, %cst : tensor<64xf32>
    %15 = arith.extf %12 : tensor<64xf16> to tensor<64xf32>
    %16 = arith.addf %15, %14 : tensor<64xf32>
    %17 = arith.truncf %9 : tensor<64xf32> to tensor<64xbf16>
    %18 = arith.extf %17 : tensor<64xbf16> to tensor<64xf32>
    %19 = arith.maxnumf %10, %18 : tensor<64xf32>
    %20 = arith.mulf %6, %6 : tensor<64xbf16>
    %21 = arith.extf %20 : tensor<64xbf16> to tensor<64xf32>
    %22 = arith.subf %19, %21 : tensor<64xf32>
    %23 = math.exp2 %9 : tensor<64xf32>
    %24 = math.cos %9 : tensor<64xf32>
    %25 = arith.addf %23, %24 : tensor<64xf32>
    %26 = tt.extern_elementwise %9 {libname = "", libpath = "", pure = true, symbol = "__nv_erfcf"} : (tensor<64xf32>) -> tensor<64xf32>
    %27 = arith.addf %25, %26 : tensor<64xf32>
    %28 = tt.extern_elementwise %9 {libname = "", libpath = "", pure = true, symbol = "__nv_rintf"} : (tensor<64xf32>) -> tensor<64xf32>
    %29 = arith.addf %27, %28 : tensor<64xf32>
    %30 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %31 = tt.addptr %30, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %32 = arith.addf %16, %22 : tensor<64xf32>
    %33 = arith.addf %32, %29 : tensor<64xf32>
    tt.store %31, %33 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
