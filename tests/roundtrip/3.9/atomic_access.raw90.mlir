module {
  tt.func public @atomic_access(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %true = arith.constant true
    %cst = arith.constant dense<true> : tensor<64xi1>
    %3 = tt.atomic_load acquire, gpu, %2, %cst : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    %4 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %5 = arith.cmpi slt, %0, %4 : tensor<64xi32>
    %6 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %7 = tt.addptr %6, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %8 = tt.atomic_load relaxed, cta, %7, %5 : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    %9 = arith.addi %3, %8 : tensor<64xi32>
    %10 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %11 = tt.addptr %10, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %true_0 = arith.constant true
    %cst_1 = arith.constant dense<true> : tensor<64xi1>
    tt.atomic_store release, gpu, %11, %9, %cst_1 : tensor<64x!tt.ptr<i32>>
    %12 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %13 = arith.cmpi slt, %0, %12 : tensor<64xi32>
    %14 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %15 = tt.addptr %14, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.atomic_store relaxed, sys, %15, %9, %13 : tensor<64x!tt.ptr<i32>>
    %true_2 = arith.constant true
    %16 = tt.atomic_load acquire, gpu, %arg1, %true_2 : (!tt.ptr<f32>, i1) -> f32
    %c1_i32 = arith.constant 1 : i32
    %17 = tt.addptr %arg1, %c1_i32 : !tt.ptr<f32>, i32
    %cst_3 = arith.constant 2.000000e+00 : f32
    %18 = arith.mulf %16, %cst_3 : f32
    %true_4 = arith.constant true
    tt.atomic_store release, gpu, %17, %18, %true_4 : !tt.ptr<f32>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %20 = tt.addptr %19, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %21 = arith.sitofp %9 : tensor<64xi32> to tensor<64xf32>
    %22 = tt.splat %16 : f32 -> tensor<64xf32>
    %23 = arith.addf %21, %22 : tensor<64xf32>
    tt.store %20, %23 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
