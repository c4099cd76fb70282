module {
  tt.func public @folds(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %cst_0 = arith.constant dense<1.600000e+01> : tensor<8x16xf32>
    %cst_1 = arith.constant dense<16> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = arith.muli %1, %cst_1 : tensor<8x1xi32>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %5 = tt.broadcast %2 : tensor<8x1xi32> -> tensor<8x16xi32>
    %6 = tt.broadcast %4 : tensor<1x16xi32> -> tensor<8x16xi32>
    %7 = arith.addi %5, %6 : tensor<8x16xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %10 = tt.load %9 : tensor<8x16x!tt.ptr<f32>>
    %11 = arith.mulf %10, %cst_0 : tensor<8x16xf32>
    %12 = arith.fptosi %11 : tensor<8x16xf32> to tensor<8x16xi32>
    %13 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %36 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %36 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    %14 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %36 = arith.ori %arg2, %arg3 : i32
      tt.reduce.return %36 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    %15 = arith.addi %13, %14 : tensor<8xi32>
    %16 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %36 = arith.minsi %arg2, %arg3 : i32
      tt.reduce.return %36 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    %17 = arith.addi %15, %16 : tensor<8xi32>
    %18 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %36 = arith.maxsi %arg2, %arg3 : i32
      tt.reduce.return %36 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    %19 = arith.addi %17, %18 : tensor<8xi32>
    %20 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x16xi32>
    %21:2 = "tt.reduce"(%10, %20) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %36 = arith.cmpf olt, %arg2, %arg4 : f32
      %37 = arith.select %36, %arg2, %arg4 : f32
      %38 = arith.select %36, %arg3, %arg5 : i32
      tt.reduce.return %37, %38 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    %22 = arith.cmpf ogt, %10, %cst : tensor<8x16xf32>
    %23 = arith.extui %22 : tensor<8x16xi1> to tensor<8x16xi32>
    %24 = "tt.reduce"(%23) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %36 = arith.maxsi %arg2, %arg3 : i32
      tt.reduce.return %36 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    %25 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %26 = tt.addptr %25, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %27 = arith.addi %19, %24 : tensor<8xi32>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %29 = arith.sitofp %21#1 : tensor<16xi32> to tensor<16xf32>
    %30 = arith.addf %21#0, %29 : tensor<16xf32>
    %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %32 = arith.sitofp %28 : tensor<8x1xi32> to tensor<8x1xf32>
    %33 = tt.broadcast %32 : tensor<8x1xf32> -> tensor<8x16xf32>
    %34 = tt.broadcast %31 : tensor<1x16xf32> -> tensor<8x16xf32>
    %35 = arith.addf %33, %34 : tensor<8x16xf32>
    tt.store %26, %35 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
}
