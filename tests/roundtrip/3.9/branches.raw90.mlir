module {
  tt.func public @branches(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c64_i32 = arith.constant 64 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %5 = arith.cmpi eq, %arg2, %c0_i32 : i32
    cf.cond_br %5, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %6 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<64xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %10 = tt.load %9, %7, %cst_0 : tensor<64x!tt.ptr<f32>>
    %c0_i32_1 = arith.constant 0 : i32
    %11:2 = scf.while (%arg3 = %10, %arg4 = %c0_i32_1) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32) {
      %c4_i32 = arith.constant 4 : i32
      %17 = arith.cmpi slt, %arg4, %c4_i32 : i32
      scf.condition(%17) %arg3, %arg4 : tensor<64xf32>, i32
    } do {
    ^bb0(%arg3: tensor<64xf32>, %arg4: i32):
      %c2_i32 = arith.constant 2 : i32
      %17 = arith.cmpi eq, %arg4, %c2_i32 : i32
      %18 = scf.if %17 -> (tensor<64xf32>) {
        %cst_2 = arith.constant 1.000000e+00 : f32
        %cst_3 = arith.constant dense<1.000000e+00> : tensor<64xf32>
        %20 = arith.addf %arg3, %cst_3 : tensor<64xf32>
        scf.yield %20 : tensor<64xf32>
      } else {
        %c3_i32 = arith.constant 3 : i32
        %20 = arith.cmpi eq, %arg4, %c3_i32 : i32
        %21 = scf.if %20 -> (tensor<64xf32>) {
          %c0_i32_2 = arith.constant 0 : i32
          %c1_i32_3 = arith.constant 1 : i32
          %22 = arith.bitcast %c0_i32_2 : i32 to i32
          %23 = arith.bitcast %arg4 : i32 to i32
          %24 = arith.bitcast %c1_i32_3 : i32 to i32
          %25 = ub.poison : i32
          %26 = scf.for %arg5 = %22 to %23 step %24 iter_args(%arg6 = %arg3) -> (tensor<64xf32>)  : i32 {
            %cst_4 = arith.constant 5.000000e-01 : f32
            %cst_5 = arith.constant dense<5.000000e-01> : tensor<64xf32>
            %27 = arith.mulf %arg6, %cst_5 : tensor<64xf32>
            %28 = arith.sitofp %arg5 : i32 to f32
            %29 = tt.splat %28 : f32 -> tensor<64xf32>
            %30 = arith.addf %27, %29 : tensor<64xf32>
            scf.yield %30 : tensor<64xf32>
          }
          scf.yield %26 : tensor<64xf32>
        } else {
          scf.yield %arg3 : tensor<64xf32>
        }
        scf.yield %21 : tensor<64xf32>
      }
      %c1_i32 = arith.constant 1 : i32
      %19 = arith.addi %arg4, %c1_i32 : i32
      scf.yield %18, %19 : tensor<64xf32>, i32
    }
    %c100_i32 = arith.constant 100 : i32
    %12 = arith.cmpi sgt, %0, %c100_i32 : i32
    cf.cond_br %12, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    tt.return
  ^bb6:  // pred: ^bb4
    cf.br ^bb8
  ^bb7:  // no predecessors
    cf.br ^bb8
  ^bb8:  // 2 preds: ^bb6, ^bb7
    %13 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %14 = arith.cmpi slt, %4, %13 : tensor<64xi32>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %16 = tt.addptr %15, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %16, %11#0, %14 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
