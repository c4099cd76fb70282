module {
  tt.func public @control(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id y : i32
    %1 = tt.get_num_programs z : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.call @triton.language.standard.zeros__Tc64T_cfp32() : () -> tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.bitcast %c0_i32_0 : i32 to i32
    %5 = arith.bitcast %arg2 : i32 to i32
    %6 = arith.bitcast %c1_i32 : i32 to i32
    %7 = ub.poison : i32
    %8:2 = scf.for %arg4 = %4 to %5 step %6 iter_args(%arg5 = %3, %arg6 = %c0_i32) -> (tensor<64xf32>, i32)  : i32 {
      %40 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %41 = tt.addptr %40, %2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %c64_i32 = arith.constant 64 : i32
      %c64_i32_4 = arith.constant 64 : i32
      %42 = arith.muli %arg4, %c64_i32_4 : i32
      %43 = tt.splat %42 : i32 -> tensor<64xi32>
      %44 = tt.addptr %41, %43 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %45 = tt.load %44 : tensor<64x!tt.ptr<f32>>
      %46 = arith.addf %arg5, %45 : tensor<64xf32>
      %c1_i32_5 = arith.constant 1 : i32
      %c1_i32_6 = arith.constant 1 : i32
      %47 = arith.addi %arg6, %c1_i32_6 : i32
      scf.yield %46, %47 : tensor<64xf32>, i32
    }
    %c0_i32_1 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %9 = arith.bitcast %c0_i32_1 : i32 to i32
    %10 = arith.bitcast %arg2 : i32 to i32
    %11 = arith.bitcast %c2_i32 : i32 to i32
    %12 = ub.poison : i32
    %13 = scf.for %arg4 = %9 to %10 step %11 iter_args(%arg5 = %8#0) -> (tensor<64xf32>)  : i32 {
      %cst = arith.constant 1.500000e+00 : f32
      %cst_4 = arith.constant 1.500000e+00 : f32
      %cst_5 = arith.constant dense<1.500000e+00> : tensor<64xf32>
      %40 = arith.mulf %arg5, %cst_5 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    } {tt.disallow_acc_multi_buffer, tt.flatten, tt.loop_unroll_factor = 2 : i32, tt.num_stages = 3 : i32}
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %14 = arith.bitcast %c0_i32_2 : i32 to i32
    %15 = arith.bitcast %arg2 : i32 to i32
    %16 = arith.bitcast %c1_i32_3 : i32 to i32
    %17 = ub.poison : i32
    %18 = scf.for %arg4 = %14 to %15 step %16 iter_args(%arg5 = %13) -> (tensor<64xf32>)  : i32 {
      %40 = arith.subi %15, %arg4 : i32
      %41 = arith.addi %40, %14 : i32
      %42 = tt.addptr %arg0, %41 : !tt.ptr<f32>, i32
      %43 = tt.load %42 : !tt.ptr<f32>
      %44 = tt.splat %43 : f32 -> tensor<64xf32>
      %45 = arith.subf %arg5, %44 : tensor<64xf32>
      scf.yield %45 : tensor<64xf32>
    }
    %19:2 = scf.while (%arg4 = %18, %arg5 = %8#1) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32) {
      %40 = arith.cmpi slt, %arg5, %arg3 : i32
      scf.condition(%40) %arg4, %arg5 : tensor<64xf32>, i32
    } do {
    ^bb0(%arg4: tensor<64xf32>, %arg5: i32):
      %c2_i32_4 = arith.constant 2 : i32
      %c2_i32_5 = arith.constant 2 : i32
      %40 = arith.addi %arg5, %c2_i32_5 : i32
      %cst = arith.constant 1.000000e+00 : f32
      %cst_6 = arith.constant 1.000000e+00 : f32
      %cst_7 = arith.constant dense<1.000000e+00> : tensor<64xf32>
      %41 = arith.addf %arg4, %cst_7 : tensor<64xf32>
      scf.yield %41, %40 : tensor<64xf32>, i32
    }
    %c5_i32 = arith.constant 5 : i32
    %20 = arith.cmpi sgt, %arg3, %c5_i32 : i32
    %21 = scf.if %20 -> (tensor<64xf32>) {
      %cst = arith.constant 2.000000e+00 : f32
      %cst_4 = arith.constant 2.000000e+00 : f32
      %cst_5 = arith.constant dense<2.000000e+00> : tensor<64xf32>
      %40 = arith.addf %19#0, %cst_5 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    } else {
      %cst = arith.constant 2.000000e+00 : f32
      %cst_4 = arith.constant 2.000000e+00 : f32
      %cst_5 = arith.constant dense<2.000000e+00> : tensor<64xf32>
      %40 = arith.subf %19#0, %cst_5 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    }
    %c4_i32 = arith.constant 4 : i32
    %22 = arith.cmpi eq, %arg3, %c4_i32 : i32
    %23 = scf.if %22 -> (tensor<64xf32>) {
      scf.yield %21 : tensor<64xf32>
    } else {
      %c2_i32_4 = arith.constant 2 : i32
      %cst = arith.constant 2.000000e+00 : f32
      %cst_5 = arith.constant dense<2.000000e+00> : tensor<64xf32>
      %40 = arith.mulf %21, %cst_5 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    }
    %24 = tt.call @ops.helper__fp32S64S_fp32S64S_i32(%21, %23, %arg3) : (tensor<64xf32>, tensor<64xf32>, i32) -> tensor<64xf32>
    %25 = tt.call @ops.nohelp__i32_i32(%arg2, %arg3) : (i32, i32) -> i32
    %26 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %27 = tt.addptr %26, %2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %28 = arith.sitofp %25 : i32 to f32
    %29 = tt.splat %28 : f32 -> tensor<64xf32>
    %30 = arith.addf %24, %29 : tensor<64xf32>
    %31 = arith.sitofp %0 : i32 to f32
    %32 = tt.splat %31 : f32 -> tensor<64xf32>
    %33 = arith.addf %30, %32 : tensor<64xf32>
    %34 = arith.sitofp %1 : i32 to f32
    %35 = tt.splat %34 : f32 -> tensor<64xf32>
    %36 = arith.addf %33, %35 : tensor<64xf32>
    %37 = arith.sitofp %19#1 : i32 to f32
    %38 = tt.splat %37 : f32 -> tensor<64xf32>
    %39 = arith.addf %36, %38 : tensor<64xf32>
    tt.store %27, %39 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc64T_cfp32() -> tensor<64xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    tt.return %cst_0 : tensor<64xf32>
  ^bb1:  // no predecessors
    %0 = ub.poison : tensor<64xf32>
    tt.return %0 : tensor<64xf32>
  }
  tt.func private @ops.helper__fp32S64S_fp32S64S_i32(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>, %arg2: i32) -> tensor<64xf32> attributes {noinline = false} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.cmpi sgt, %arg2, %c3_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = arith.addf %arg0, %arg1 : tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %2 = arith.subf %arg0, %arg1 : tensor<64xf32>
    tt.return %2 : tensor<64xf32>
  ^bb5:  // no predecessors
    %3 = ub.poison : tensor<64xf32>
    tt.return %3 : tensor<64xf32>
  }
  tt.func private @ops.nohelp__i32_i32(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = true} {
    %0 = arith.muli %arg0, %arg1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %1 = arith.addi %0, %c1_i32_0 : i32
    tt.return %1 : i32
  ^bb1:  // no predecessors
    %2 = ub.poison : i32
    tt.return %2 : i32
  }
}
