module {
  tt.func public @dependent_launch(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.elementwise_inline_asm "griddepcontrol.wait; // dummy $0" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %3 = tt.addptr %2, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %4 = tt.load %3 : tensor<64x!tt.ptr<f32>>
    %5 = tt.elementwise_inline_asm "griddepcontrol.launch_dependents; // dummy $0" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
    %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %7 = tt.addptr %6, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %8 = arith.addf %4, %cst : tensor<64xf32>
    %9 = arith.divf %4, %8 : tensor<64xf32>
    tt.store %7, %9 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
