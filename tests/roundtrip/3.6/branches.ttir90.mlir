module {
  tt.func public @branches(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %c100_i32 = arith.constant 100 : i32
    %cst = arith.constant dense<5.000000e-01> : tensor<64xf32>
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = arith.cmpi eq, %arg2, %c0_i32 : i32
    cf.cond_br %5, ^bb1, ^bb2
  ^bb1:  // 2 preds: ^bb0, ^bb2
    tt.return
  ^bb2:  // pred: ^bb0
    %6 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<64xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %10 = tt.load %9, %7, %cst_1 : tensor<64x!tt.ptr<f32>>
    %11:2 = scf.while (%arg3 = %10, %arg4 = %c0_i32) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32) {
      %15 = arith.cmpi slt, %arg4, %c4_i32 : i32
      scf.condition(%15) %arg3, %arg4 : tensor<64xf32>, i32
    } do {
    ^bb0(%arg3: tensor<64xf32>, %arg4: i32):
      %15 = arith.cmpi eq, %arg4, %c2_i32 : i32
      %16 = scf.if %15 -> (tensor<64xf32>) {
        %18 = arith.addf %arg3, %cst_0 : tensor<64xf32>
        scf.yield %18 : tensor<64xf32>
      } else {
        %18 = arith.cmpi eq, %arg4, %c3_i32 : i32
        %19 = scf.if %18 -> (tensor<64xf32>) {
          %20 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64xf32>)  : i32 {
            %21 = arith.mulf %arg6, %cst : tensor<64xf32>
            %22 = arith.sitofp %arg5 : i32 to f32
            %23 = tt.splat %22 : f32 -> tensor<64xf32>
            %24 = arith.addf %21, %23 : tensor<64xf32>
            scf.yield %24 : tensor<64xf32>
          }
          scf.yield %20 : tensor<64xf32>
        } else {
          scf.yield %arg3 : tensor<64xf32>
        }
        scf.yield %19 : tensor<64xf32>
      }
      %17 = arith.addi %arg4, %c1_i32 : i32
      scf.yield %16, %17 : tensor<64xf32>, i32
    }
    %12 = arith.cmpi sgt, %0, %c100_i32 : i32
    cf.cond_br %12, ^bb1, ^bb3
  ^bb3:  // pred: ^bb2
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %14 = tt.addptr %13, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %14, %11#0, %7 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
