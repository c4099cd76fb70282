module {
  tt.func public @rare(%arg0: !tt.ptr<i32>, %arg1: i1, %arg2: i32, %arg3: f32, %arg4: tensor<64xi32>, %arg5: tensor<64xf32>, %arg6: tensor<64x!tt.ptr<i32>>, %arg7: tensor<64xi1>, %arg8: i64, %arg9: !tt.tensordesc<16x32xf16>, %arg10: !tt.tensordesc<16x32xsi32>) {
    %sum, %overflow = arith.addui_extended %arg4, %arg4 : tensor<64xi32>, tensor<64xi1>
    %low, %high = arith.mulsi_extended %arg4, %arg4 : tensor<64xi32>
    %low_0, %high_1 = arith.mului_extended %arg2, %arg2 : i32
    %diff, %borrow = arith.subui_extended %arg2, %arg2 : i32, i1
    %0 = math.acosh %arg5 : tensor<64xf32>
    %1 = math.asinh %arg5 : tensor<64xf32>
    %2 = math.atanh %arg5 : tensor<64xf32>
    %3 = math.erfc %arg5 fastmath<afn> : tensor<64xf32>
    %4 = math.ipowi %arg4, %arg4 : tensor<64xi32>
    %5 = math.fpowi %arg5, %arg4 fastmath<nnan> : tensor<64xf32>, tensor<64xi32>
    %6 = math.ctlz %arg4 : tensor<64xi32>
    %7 = math.cttz %arg4 : tensor<64xi32>
    %8 = math.ctpop %arg4 : tensor<64xi32>
    %9 = math.isnan %arg5 : tensor<64xf32>
    %10 = math.isinf %arg3 {fastmath = #arith.fastmath<fast>} : f32
    %11 = math.isfinite %arg5 : tensor<64xf32>
    %12 = math.isnormal %arg5 : tensor<64xf32>
    %13 = math.clampf %arg5 to [%arg5, %arg5] fastmath<fast> : tensor<64xf32>
    %sin, %cos = math.sincos %arg5 : tensor<64xf32>
    %14 = arith.flush_denormals %arg5 : tensor<64xf32>
    %15 = arith.flush_denormals %arg3 fastmath<nnan> {foo = 1 : i32} : f32
    %16 = tt.approx_divf %arg5, %arg5 : tensor<64xf32>
    %17 = tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<i32>) -> i32
    %18 = tt.atomic_load relaxed, cta, %arg6, %arg7 : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
    tt.atomic_store release, sys, %arg0, %arg2 : !tt.ptr<i32>
    tt.atomic_store relaxed, gpu, %arg6, %arg4, %arg7 {foo} : tensor<64x!tt.ptr<i32>>
    %19 = tt.atomic_poll acquire, cta, %arg6, %arg4 : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
    %20 = tt.atomic_poll relaxed, gpu, %arg0, %arg2 timeout %arg8 : !tt.ptr<i32>, i32 -> i1
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    ttg.barrier all
    ttg.barrier local|global_read
    ttg.barrier none
    llvm.intr.assume %arg1 : i1
    llvm.intr.assume %arg1 ["align"(%arg8, %arg2 : i64, i32), "cold"()] : i1
    gpu.barrier
    %21 = tt.descriptor_load %arg9[%arg2, %arg2] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    %22 = tt.make_tensor_descriptor %arg0, [%arg2, %arg2], [%arg8, %arg8] : <i32>, <16x32xsi32>
    %23 = tt.descriptor_load %22[%arg2, %arg2] : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
    tt.descriptor_store %arg10[%arg2, %arg2], %23 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    cf.cond_br %arg1 weights([5, 10]), ^bb1, ^bb2(%arg2 : i32)
  ^bb1:  // 2 preds: ^bb0, ^bb1
    cf.cond_br %arg1 weights([1, 0]), ^bb1, ^bb2(%arg2 : i32) {foo}
  ^bb2(%24: i32):  // 2 preds: ^bb0, ^bb1
    tt.return
  }
}
