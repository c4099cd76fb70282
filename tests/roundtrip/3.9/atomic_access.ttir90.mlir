module {
  tt.func public @atomic_access(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant 2.000000e+00 : f32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<true> : tensor<64xi1>
    %true = arith.constant true
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %3 = tt.atomic_load acquire, gpu, %2, %cst_0 : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    %4 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %5 = arith.cmpi slt, %0, %4 : tensor<64xi32>
    %6 = tt.atomic_load relaxed, cta, %2, %5 : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    %7 = arith.addi %3, %6 : tensor<64xi32>
    tt.atomic_store release, gpu, %2, %7, %cst_0 : tensor<64x!tt.ptr<i32>>
    tt.atomic_store relaxed, sys, %2, %7, %5 : tensor<64x!tt.ptr<i32>>
    %8 = tt.atomic_load acquire, gpu, %arg1, %true : (!tt.ptr<f32>, i1) -> f32
    %9 = tt.addptr %arg1, %c1_i32 : !tt.ptr<f32>, i32
    %10 = arith.mulf %8, %cst : f32
    tt.atomic_store release, gpu, %9, %10, %true : !tt.ptr<f32>
    %11 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %12 = tt.addptr %11, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %13 = arith.sitofp %7 : tensor<64xi32> to tensor<64xf32>
    %14 = tt.splat %8 : f32 -> tensor<64xf32>
    %15 = arith.addf %13, %14 : tensor<64xf32>
    tt.store %12, %15 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
