module {
  tt.func public @calls(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.load %arg0 : !tt.ptr<f32>
    %2:2 = tt.call @"new_ops.pair__fp32__(1,)cconstexpr_2_d_0_"(%1) : (f32) -> (f32, f32)
    %3:2 = tt.call @new_ops.pair__i32_i32__(%arg2, %arg2) : (i32, i32) -> (i32, i32)
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %6 = arith.addf %2#0, %2#1 : f32
    %7 = arith.sitofp %3#0 : i32 to f32
    %8 = arith.addf %6, %7 : f32
    %9 = arith.sitofp %3#1 : i32 to f32
    %10 = arith.addf %8, %9 : f32
    %11 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %12 = tt.addptr %11, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %13 = tt.load %12 : tensor<64x!tt.ptr<f32>>
    %14 = tt.splat %10 : f32 -> tensor<64xf32>
    %15 = arith.addf %14, %13 : tensor<64xf32>
    tt.store %5, %15 : tensor<64x!tt.ptr<f32>>
    tt.call @new_ops.tail__Pfp32_i32_i32__(%arg1, %arg2, %3#0) : (!tt.ptr<f32>, i32, i32) -> ()
    tt.return
  }
  tt.func private @"new_ops.pair__fp32__(1,)cconstexpr_2_d_0_"(%arg0: f32) -> (f32, f32) attributes {noinline = true} {
    %cst = arith.constant 2.000000e+00 : f32
    %0 = arith.addf %arg0, %cst : f32
    %1 = arith.mulf %arg0, %cst : f32
    tt.return %0, %1 : f32, f32
  }
  tt.func private @new_ops.pair__i32_i32__(%arg0: i32, %arg1: i32) -> (i32, i32) attributes {noinline = true} {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.muli %arg0, %arg1 : i32
    tt.return %0, %1 : i32, i32
  }
  tt.func private @new_ops.tail__Pfp32_i32_i32__(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32) attributes {noinline = true} {
    %cst = arith.constant 1.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi ne, %arg2, %c0_i32 : i32
    scf.if %0 {
      %1 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
      tt.store %1, %cst : !tt.ptr<f32>
    }
    tt.return
  }
}
