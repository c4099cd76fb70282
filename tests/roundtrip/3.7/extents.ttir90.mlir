module {
  tt.func public @extents(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = arith.muli %1, %cst : tensor<8x1xi32>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %5 = tt.broadcast %2 : tensor<8x1xi32> -> tensor<8x16xi32>
    %6 = tt.broadcast %4 : tensor<1x16xi32> -> tensor<8x16xi32>
    %7 = arith.addi %5, %6 : tensor<8x16xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %10 = tt.load %9 : tensor<8x16x!tt.ptr<f32>>
    %11 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %17 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %17 : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %14 = tt.addptr %13, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %15 = tt.broadcast %12 : tensor<8x1xf32> -> tensor<8x16xf32>
    %16 = arith.mulf %10, %15 : tensor<8x16xf32>
    tt.store %14, %16 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
}
