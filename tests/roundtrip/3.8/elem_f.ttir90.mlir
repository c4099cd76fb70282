module {
  tt.func public @elem_f(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %cst_0 = arith.constant dense<-1.000000e+00> : tensor<64xf32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true} : tensor<64x!tt.ptr<f32>>
    %4 = math.exp %3 : tensor<64xf32>
    %5 = math.exp2 %3 : tensor<64xf32>
    %6 = arith.addf %4, %5 : tensor<64xf32>
    %7 = math.log %3 : tensor<64xf32>
    %8 = arith.addf %6, %7 : tensor<64xf32>
    %9 = math.log2 %3 : tensor<64xf32>
    %10 = arith.addf %8, %9 : tensor<64xf32>
    %11 = math.cos %3 : tensor<64xf32>
    %12 = arith.addf %10, %11 : tensor<64xf32>
    %13 = math.sin %3 : tensor<64xf32>
    %14 = arith.addf %12, %13 : tensor<64xf32>
    %15 = math.sqrt %3 : tensor<64xf32>
    %16 = arith.addf %14, %15 : tensor<64xf32>
    %17 = tt.precise_sqrt %3 : tensor<64xf32>
    %18 = arith.addf %16, %17 : tensor<64xf32>
    %19 = math.rsqrt %3 : tensor<64xf32>
    %20 = arith.addf %18, %19 : tensor<64xf32>
    %21 = math.absf %3 : tensor<64xf32>
    %22 = arith.addf %20, %21 : tensor<64xf32>
    %23 = arith.divf %3, %22 : tensor<64xf32>
    %24 = arith.addf %22, %23 : tensor<64xf32>
    %25 = tt.precise_divf %3, %24 : tensor<64xf32>
    %26 = arith.addf %24, %25 : tensor<64xf32>
    %27 = math.erf %3 : tensor<64xf32>
    %28 = arith.addf %26, %27 : tensor<64xf32>
    %29 = math.floor %3 : tensor<64xf32>
    %30 = arith.addf %28, %29 : tensor<64xf32>
    %31 = math.ceil %3 : tensor<64xf32>
    %32 = arith.addf %30, %31 : tensor<64xf32>
    %33 = math.fma %3, %32, %3 : tensor<64xf32>
    %34 = arith.addf %32, %33 : tensor<64xf32>
    %35 = arith.mulf %3, %cst_1 : tensor<64xf32>
    %36 = arith.subf %34, %35 : tensor<64xf32>
    %37 = arith.divf %36, %3 : tensor<64xf32>
    %38 = arith.remf %37, %3 : tensor<64xf32>
    %39 = arith.negf %38 : tensor<64xf32>
    %40 = arith.maxnumf %3, %39 : tensor<64xf32>
    %41 = arith.minnumf %3, %40 : tensor<64xf32>
    %42 = arith.maximumf %3, %41 : tensor<64xf32>
    %43 = arith.minimumf %42, %3 : tensor<64xf32>
    %44 = tt.clampf %43, %cst_0, %cst, propagateNan = none : tensor<64xf32>
    %45 = arith.cmpf olt, %3, %44 : tensor<64xf32>
    %46 = arith.cmpf ole, %3, %44 : tensor<64xf32>
    %47 = arith.andi %45, %46 : tensor<64xi1>
    %48 = arith.cmpf ogt, %3, %44 : tensor<64xf32>
    %49 = arith.cmpf oge, %3, %44 : tensor<64xf32>
    %50 = arith.xori %48, %49 : tensor<64xi1>
    %51 = arith.ori %47, %50 : tensor<64xi1>
    %52 = arith.select %51, %3, %44 : tensor<64xi1>, tensor<64xf32>
    %53 = arith.cmpf oeq, %3, %52 : tensor<64xf32>
    %54 = arith.addf %52, %cst : tensor<64xf32>
    %55 = arith.select %53, %3, %54 : tensor<64xi1>, tensor<64xf32>
    %56 = arith.cmpf une, %3, %55 : tensor<64xf32>
    %57 = arith.subf %55, %cst : tensor<64xf32>
    %58 = arith.select %56, %3, %57 : tensor<64xi1>, tensor<64xf32>
    %59 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %60 = tt.addptr %59, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %60, %58 cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
