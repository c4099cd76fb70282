module {
  tt.func public @control(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c4_i32 = arith.constant 4 : i32
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64xf32>
    %c5_i32 = arith.constant 5 : i32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %cst_2 = arith.constant dense<1.500000e+00> : tensor<64xf32>
    %c2_i32 = arith.constant 2 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.get_program_id y : i32
    %1 = tt.get_num_programs z : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst, %arg6 = %c0_i32) -> (tensor<64xf32>, i32)  : i32 {
      %40 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %41 = tt.addptr %40, %2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %42 = arith.muli %arg4, %c64_i32 : i32
      %43 = tt.splat %42 : i32 -> tensor<64xi32>
      %44 = tt.addptr %41, %43 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %45 = tt.load %44 : tensor<64x!tt.ptr<f32>>
      %46 = arith.addf %arg5, %45 : tensor<64xf32>
      %47 = arith.addi %arg6, %c1_i32 : i32
      scf.yield %46, %47 : tensor<64xf32>, i32
    }
    %4 = arith.subi %arg2, %c0_i32 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %5 = arith.subi %c2_i32, %c1_i32_3 : i32
    %6 = arith.addi %4, %5 : i32
    %7 = arith.divui %6, %c2_i32 : i32
    %c2_i32_4 = arith.constant 2 : i32
    %8 = arith.remsi %7, %c2_i32_4 : i32
    %9 = arith.subi %7, %8 : i32
    %10 = arith.muli %9, %c2_i32 : i32
    %11 = arith.addi %c0_i32, %10 : i32
    %12 = arith.muli %c2_i32, %c2_i32_4 : i32
    %13 = scf.for %arg4 = %c0_i32 to %11 step %12 iter_args(%arg5 = %3#0) -> (tensor<64xf32>)  : i32 {
      %40 = arith.mulf %arg5, %cst_2 : tensor<64xf32>
      %41 = arith.mulf %40, %cst_2 : tensor<64xf32>
      scf.yield %41 : tensor<64xf32>
    } {tt.disallow_acc_multi_buffer, tt.flatten, tt.num_stages = 3 : i32}
    %14 = scf.for %arg4 = %11 to %arg2 step %c2_i32 iter_args(%arg5 = %13) -> (tensor<64xf32>)  : i32 {
      %40 = arith.mulf %arg5, %cst_2 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    } {tt.disallow_acc_multi_buffer, tt.flatten, tt.num_stages = 1 : i32}
    %15 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %14) -> (tensor<64xf32>)  : i32 {
      %40 = arith.subi %arg2, %arg4 : i32
      %41 = tt.addptr %arg0, %40 : !tt.ptr<f32>, i32
      %42 = tt.load %41 : !tt.ptr<f32>
      %43 = tt.splat %42 : f32 -> tensor<64xf32>
      %44 = arith.subf %arg5, %43 : tensor<64xf32>
      scf.yield %44 : tensor<64xf32>
    }
    %16:2 = scf.while (%arg4 = %15, %arg5 = %3#1) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32) {
      %40 = arith.cmpi slt, %arg5, %arg3 : i32
      scf.condition(%40) %arg4, %arg5 : tensor<64xf32>, i32
    } do {
    ^bb0(%arg4: tensor<64xf32>, %arg5: i32):
      %40 = arith.addi %arg5, %c2_i32 : i32
      %41 = arith.addf %arg4, %cst_1 : tensor<64xf32>
      scf.yield %41, %40 : tensor<64xf32>, i32
    }
    %17 = arith.cmpi sgt, %arg3, %c5_i32 : i32
    %18 = scf.if %17 -> (tensor<64xf32>) {
      %40 = arith.addf %16#0, %cst_0 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    } else {
      %40 = arith.subf %16#0, %cst_0 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    }
    %19 = arith.cmpi eq, %arg3, %c4_i32 : i32
    %20 = scf.if %19 -> (tensor<64xf32>) {
      scf.yield %18 : tensor<64xf32>
    } else {
      %40 = arith.mulf %18, %cst_0 : tensor<64xf32>
      scf.yield %40 : tensor<64xf32>
    }
    %21 = arith.cmpi sgt, %arg3, %c3_i32 : i32
    cf.cond_br %21, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %22 = arith.addf %18, %20 : tensor<64xf32>
    cf.br ^bb3(%22 : tensor<64xf32>)
  ^bb2:  // pred: ^bb0
    %23 = arith.subf %18, %20 : tensor<64xf32>
    cf.br ^bb3(%23 : tensor<64xf32>)
  ^bb3(%24: tensor<64xf32>):  // 2 preds: ^bb1, ^bb2
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
    %37 = arith.sitofp %16#1 : i32 to f32
    %38 = tt.splat %37 : f32 -> tensor<64xf32>
    %39 = arith.addf %36, %38 : tensor<64xf32>
    tt.store %27, %39 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @ops.nohelp__i32_i32(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = true} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.muli %arg0, %arg1 : i32
    %1 = arith.addi %0, %c1_i32 : i32
    tt.return %1 : i32
  }
}
