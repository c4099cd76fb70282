module {
  tt.func public @folds(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c16_i32 = arith.constant 16 : i32
    %c16_i32_0 = arith.constant 16 : i32
    %cst = arith.constant dense<16> : tensor<8x1xi32>
    %2 = arith.muli %1, %cst : tensor<8x1xi32>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %5 = tt.broadcast %2 : tensor<8x1xi32> -> tensor<8x16xi32>
    %6 = tt.broadcast %4 : tensor<1x16xi32> -> tensor<8x16xi32>
    %7 = arith.addi %5, %6 : tensor<8x16xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %10 = tt.load %9 : tensor<8x16x!tt.ptr<f32>>
    %c16_i32_1 = arith.constant 16 : i32
    %cst_2 = arith.constant 1.600000e+01 : f32
    %cst_3 = arith.constant dense<1.600000e+01> : tensor<8x16xf32>
    %11 = arith.mulf %10, %cst_3 : tensor<8x16xf32>
    %12 = arith.fptosi %11 : tensor<8x16xf32> to tensor<8x16xi32>
    %13 = tt.call @"triton.language.standard.xor_sum__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False_"(%12) : (tensor<8x16xi32>) -> tensor<8xi32>
    %14 = tt.call @"triton.language.standard.reduce_or__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False_"(%12) : (tensor<8x16xi32>) -> tensor<8xi32>
    %15 = arith.addi %13, %14 : tensor<8xi32>
    %16 = tt.call @"triton.language.standard.min__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%12) : (tensor<8x16xi32>) -> tensor<8xi32>
    %17 = arith.addi %15, %16 : tensor<8xi32>
    %18 = tt.call @"triton.language.standard.max__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%12) : (tensor<8x16xi32>) -> tensor<8xi32>
    %19 = arith.addi %17, %18 : tensor<8xi32>
    %20:2 = tt.call @"triton.language.standard.min__fp32S8_16S__(1,)cconstexpr_0__(2,)cconstexpr_True__(3,)cconstexpr_False__(4,)cconstexpr_False_"(%10) : (tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16xi32>)
    %c2_i32 = arith.constant 2 : i32
    %21 = arith.sitofp %c2_i32 : i32 to f32
    %22 = tt.splat %21 : f32 -> tensor<8x16xf32>
    %23 = arith.cmpf ogt, %10, %22 : tensor<8x16xf32>
    %24 = arith.extui %23 : tensor<8x16xi1> to tensor<8x16xi32>
    %25 = tt.call @"triton.language.standard.max__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%24) : (tensor<8x16xi32>) -> tensor<8xi32>
    %26 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %27 = tt.addptr %26, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %28 = arith.addi %19, %25 : tensor<8xi32>
    %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %30 = arith.sitofp %20#1 : tensor<16xi32> to tensor<16xf32>
    %31 = arith.addf %20#0, %30 : tensor<16xf32>
    %32 = tt.expand_dims %31 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %33 = arith.sitofp %29 : tensor<8x1xi32> to tensor<8x1xf32>
    %34 = tt.broadcast %33 : tensor<8x1xf32> -> tensor<8x16xf32>
    %35 = tt.broadcast %32 : tensor<1x16xf32> -> tensor<8x16xf32>
    %36 = arith.addf %34, %35 : tensor<8x16xf32>
    tt.store %27, %36 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @"triton.language.standard.xor_sum__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False_"(%arg0: tensor<8x16xi32>) -> tensor<8xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %2 = tt.call @triton.language.standard._xor_combine__i32_i32__(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %2 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    tt.return %0 : tensor<8xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xi32>
    tt.return %1 : tensor<8xi32>
  }
  tt.func private @triton.language.standard._xor_combine__i32_i32__(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.xori %arg0, %arg1 : i32
    tt.return %0 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @"triton.language.standard.reduce_or__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False_"(%arg0: tensor<8x16xi32>) -> tensor<8xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %2 = tt.call @triton.language.standard._or_combine__i32_i32__(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %2 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    tt.return %0 : tensor<8xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xi32>
    tt.return %1 : tensor<8xi32>
  }
  tt.func private @triton.language.standard._or_combine__i32_i32__(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.ori %arg0, %arg1 : i32
    tt.return %0 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @"triton.language.standard.min__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%arg0: tensor<8x16xi32>) -> tensor<8xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %2 = tt.call @triton.language.standard._elementwise_min__i32_i32__(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %2 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    tt.return %0 : tensor<8xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xi32>
    tt.return %1 : tensor<8xi32>
  }
  tt.func private @triton.language.standard._elementwise_min__i32_i32__(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.minsi %arg0, %arg1 : i32
    tt.return %0 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @"triton.language.standard.max__i32S8_16S__(1,)cconstexpr_1__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%arg0: tensor<8x16xi32>) -> tensor<8xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %2 = tt.call @triton.language.standard._elementwise_max__i32_i32__(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %2 : i32
    }) : (tensor<8x16xi32>) -> tensor<8xi32>
    tt.return %0 : tensor<8xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xi32>
    tt.return %1 : tensor<8xi32>
  }
  tt.func private @triton.language.standard._elementwise_max__i32_i32__(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.maxsi %arg0, %arg1 : i32
    tt.return %0 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @"triton.language.standard.min__fp32S8_16S__(1,)cconstexpr_0__(2,)cconstexpr_True__(3,)cconstexpr_False__(4,)cconstexpr_False_"(%arg0: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16xi32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x16xi32>
    %3:2 = "tt.reduce"(%arg0, %2) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: f32, %arg4: i32):
      %6:2 = tt.call @triton.language.standard._argmin_combine_tie_break_fast__fp32_i32_fp32_i32__(%arg1, %arg2, %arg3, %arg4) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %6#0, %6#1 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    tt.return %3#0, %3#1 : tensor<16xf32>, tensor<16xi32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<16xf32>
    %5 = ub.poison : tensor<16xi32>
    tt.return %4, %5 : tensor<16xf32>, tensor<16xi32>
  }
  tt.func private @triton.language.standard._argmin_combine_tie_break_fast__fp32_i32_fp32_i32__(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0:2 = tt.call @"triton.language.standard._argmin_combine__fp32_i32_fp32_i32__(4,)cconstexpr_False_"(%arg0, %arg1, %arg2, %arg3) : (f32, i32, f32, i32) -> (f32, i32)
    tt.return %0#0, %0#1 : f32, i32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    %2 = ub.poison : i32
    tt.return %1, %2 : f32, i32
  }
  tt.func private @"triton.language.standard._argmin_combine__fp32_i32_fp32_i32__(4,)cconstexpr_False_"(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %false = arith.constant false
    %0 = arith.cmpf olt, %arg0, %arg2 : f32
    %1 = arith.ori %0, %false : i1
    %2 = arith.select %1, %arg0, %arg2 : f32
    %3 = arith.select %1, %arg1, %arg3 : i32
    tt.return %2, %3 : f32, i32
  ^bb1:  // no predecessors
    %4 = ub.poison : f32
    %5 = ub.poison : i32
    tt.return %4, %5 : f32, i32
  }
}
