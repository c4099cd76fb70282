module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c16_i32 = arith.constant 16 : i32
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
    %11 = tt.trans %10 {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>
    %12 = tt.reshape %11 : tensor<16x8xf32> -> tensor<128xf32>
    %13 = tt.reshape %10 : tensor<8x16xf32> -> tensor<4x2x16xf32>
    %14 = tt.trans %13 {order = array<i32: 1, 2, 0>} : tensor<4x2x16xf32> -> tensor<2x16x4xf32>
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %15 = arith.mulf %10, %cst_1 : tensor<8x16xf32>
    %16 = tt.join %10, %15 : tensor<8x16xf32> -> tensor<8x16x2xf32>
    %outLHS, %outRHS = tt.split %16 : tensor<8x16x2xf32> -> tensor<8x16xf32>
    %17 = tt.cat %12, %12 : tensor<128xf32> -> tensor<256xf32>
    %18 = tt.call @triton.language.standard.interleave__fp32S8_16S_fp32S8_16S(%outLHS, %outRHS) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    %19 = tt.call @triton.language.standard.ravel__fp32S8_16S_cFalse(%10) : (tensor<8x16xf32>) -> tensor<128xf32>
    %20 = tt.call @triton.language.standard.flip__fp32S8_16S_c1(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %21 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %22 = tt.expand_dims %21 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %23 = tt.broadcast %22 : tensor<1x16xi32> -> tensor<8x16xi32>
    %24 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xf32> -> tensor<1x128xf32>
    %25 = tt.call @triton.language.standard.sum__fp32S8_16S_cNone_cFalse_cNone(%10) : (tensor<8x16xf32>) -> f32
    %26 = tt.call @triton.language.standard.sum__fp32S8_16S_c1_cFalse_cNone(%10) : (tensor<8x16xf32>) -> tensor<8xf32>
    %27:2 = tt.call @triton.language.standard.max__fp32S8_16S_c1_cTrue_cTrue_cFalse(%10) : (tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi32>)
    %28 = tt.call @triton.language.standard.argmin__fp32S8_16S_c0_cTrue_cFalse(%10) : (tensor<8x16xf32>) -> tensor<16xi32>
    %29 = tt.call @triton.language.standard.cumsum__fp32S8_16S_c1_cFalse_cNone(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %30 = tt.call @triton.language.standard.cumprod__fp32S8_16S_c0_cTrue_cNone(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %c1_i32 = arith.constant 1 : i32
    %cst_2 = arith.constant dense<1> : tensor<8x16xi32>
    %31 = arith.andi %23, %cst_2 : tensor<8x16xi32>
    %32 = tt.gather %10[%31] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
    %33 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %c15_i32 = arith.constant 15 : i32
    %cst_3 = arith.constant dense<15> : tensor<128xi32>
    %34 = arith.andi %33, %cst_3 : tensor<128xi32>
    %35 = tt.histogram %34 : tensor<128xi32> -> tensor<16xi32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %36 = arith.cmpf ogt, %12, %cst_5 : tensor<128xf32>
    %37 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %c15_i32_6 = arith.constant 15 : i32
    %cst_7 = arith.constant dense<15> : tensor<128xi32>
    %38 = arith.andi %37, %cst_7 : tensor<128xi32>
    %39 = tt.histogram %38, %36 : tensor<128xi32> -> tensor<16xi32>
    %40 = tt.call @triton.language.standard.sort__fp32S8_16S_cNone_c0(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %41 = tt.call @triton.language.standard.topk__fp32S8_16S_c2_cNone_cTrue(%10) : (tensor<8x16xf32>) -> tensor<8x2xf32>
    %42 = tt.call @triton.language.standard.zeros__Tc8_c16T_cfp32() : () -> tensor<8x16xf32>
    %cst_8 = arith.constant 3.000000e+00 : f32
    %cst_9 = arith.constant dense<3.000000e+00> : tensor<8x16xf32>
    %43 = arith.addf %42, %cst_9 : tensor<8x16xf32>
    %44 = tt.call @triton.language.standard.zeros_like__fp32S8_16S(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %45 = arith.addf %43, %44 : tensor<8x16xf32>
    %46 = tt.call @triton.language.standard.max__fp32S8S_c0_cFalse_cTrue_cFalse(%26) : (tensor<8xf32>) -> f32
    %cst_10 = arith.constant 2.000000e+00 : f32
    %cst_11 = arith.constant dense<2.000000e+00> : tensor<1xf32>
    %47 = tt.unsplat %cst_11 : tensor<1xf32>
    %48 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %49 = tt.addptr %48, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %50 = tt.splat %25 : f32 -> tensor<8x16xf32>
    %51 = arith.addf %10, %50 : tensor<8x16xf32>
    %52 = tt.expand_dims %26 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %53 = tt.broadcast %52 : tensor<8x1xf32> -> tensor<8x16xf32>
    %54 = arith.addf %51, %53 : tensor<8x16xf32>
    %55 = tt.expand_dims %27#0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %56 = tt.broadcast %55 : tensor<8x1xf32> -> tensor<8x16xf32>
    %57 = arith.addf %54, %56 : tensor<8x16xf32>
    %58 = tt.expand_dims %27#1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %59 = arith.sitofp %58 : tensor<8x1xi32> to tensor<8x1xf32>
    %60 = tt.broadcast %59 : tensor<8x1xf32> -> tensor<8x16xf32>
    %61 = arith.addf %57, %60 : tensor<8x16xf32>
    %62 = tt.expand_dims %28 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %63 = arith.sitofp %62 : tensor<1x16xi32> to tensor<1x16xf32>
    %64 = tt.broadcast %63 : tensor<1x16xf32> -> tensor<8x16xf32>
    %65 = arith.addf %61, %64 : tensor<8x16xf32>
    %66 = arith.addf %65, %29 : tensor<8x16xf32>
    %67 = arith.addf %66, %30 : tensor<8x16xf32>
    %68 = arith.addf %67, %32 : tensor<8x16xf32>
    %69 = arith.addf %68, %20 : tensor<8x16xf32>
    %70 = arith.addf %69, %40 : tensor<8x16xf32>
    %71 = arith.addf %70, %45 : tensor<8x16xf32>
    %72 = tt.splat %46 : f32 -> tensor<8x16xf32>
    %73 = arith.addf %71, %72 : tensor<8x16xf32>
    %74 = tt.splat %47 : f32 -> tensor<8x16xf32>
    %75 = arith.addf %73, %74 : tensor<8x16xf32>
    %76 = arith.addf %75, %outLHS : tensor<8x16xf32>
    %77 = arith.addf %76, %outRHS : tensor<8x16xf32>
    tt.store %49, %77 : tensor<8x16x!tt.ptr<f32>>
    %78 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %79 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %80 = tt.addptr %79, %78 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %81 = arith.addi %35, %39 : tensor<16xi32>
    %82 = arith.sitofp %81 : tensor<16xi32> to tensor<16xf32>
    tt.store %80, %82 : tensor<16x!tt.ptr<f32>>
    %83 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %84 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %85 = tt.addptr %84, %83 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %85, %17 : tensor<256x!tt.ptr<f32>>
    %86 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %87 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %88 = tt.addptr %87, %86 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %89 = arith.addf %19, %12 : tensor<128xf32>
    tt.store %88, %89 : tensor<128x!tt.ptr<f32>>
    %90 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %91 = tt.expand_dims %90 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c2_i32 = arith.constant 2 : i32
    %cst_12 = arith.constant dense<2> : tensor<8x1xi32>
    %92 = arith.muli %91, %cst_12 : tensor<8x1xi32>
    %93 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %94 = tt.addptr %93, %92 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %95 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %96 = tt.expand_dims %95 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %97 = tt.broadcast %94 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x2x!tt.ptr<f32>>
    %98 = tt.broadcast %96 : tensor<1x2xi32> -> tensor<8x2xi32>
    %99 = tt.addptr %97, %98 : tensor<8x2x!tt.ptr<f32>>, tensor<8x2xi32>
    tt.store %99, %41 : tensor<8x2x!tt.ptr<f32>>
    %100 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %101 = tt.expand_dims %100 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c32_i32 = arith.constant 32 : i32
    %cst_13 = arith.constant dense<32> : tensor<8x1xi32>
    %102 = arith.muli %101, %cst_13 : tensor<8x1xi32>
    %103 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %104 = tt.addptr %103, %102 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %105 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %106 = tt.expand_dims %105 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %107 = tt.broadcast %104 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x32x!tt.ptr<f32>>
    %108 = tt.broadcast %106 : tensor<1x32xi32> -> tensor<8x32xi32>
    %109 = tt.addptr %107, %108 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    tt.store %109, %18 : tensor<8x32x!tt.ptr<f32>>
    %110 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %111 = tt.expand_dims %110 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %112 = tt.expand_dims %111 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %cst_14 = arith.constant dense<64> : tensor<2x1x1xi32>
    %113 = arith.muli %112, %cst_14 : tensor<2x1x1xi32>
    %114 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %115 = tt.addptr %114, %113 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %116 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %117 = tt.expand_dims %116 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %118 = tt.expand_dims %117 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %119 = tt.broadcast %115 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x16x1x!tt.ptr<f32>>
    %120 = tt.broadcast %118 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
    %121 = tt.addptr %119, %120 : tensor<2x16x1x!tt.ptr<f32>>, tensor<2x16x1xi32>
    %122 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %123 = tt.expand_dims %122 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %124 = tt.expand_dims %123 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
    %125 = tt.broadcast %121 : tensor<2x16x1x!tt.ptr<f32>> -> tensor<2x16x4x!tt.ptr<f32>>
    %126 = tt.broadcast %124 : tensor<1x1x4xi32> -> tensor<2x16x4xi32>
    %127 = tt.addptr %125, %126 : tensor<2x16x4x!tt.ptr<f32>>, tensor<2x16x4xi32>
    tt.store %127, %14 : tensor<2x16x4x!tt.ptr<f32>>
    %128 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %129 = tt.expand_dims %128 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %130 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
    %131 = tt.addptr %130, %129 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
    tt.store %131, %24 : tensor<1x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.interleave__fp32S8_16S_fp32S8_16S(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>) -> tensor<8x32xf32> attributes {noinline = false} {
    %0 = tt.join %arg0, %arg1 : tensor<8x16xf32> -> tensor<8x16x2xf32>
    %1 = tt.reshape %0 : tensor<8x16x2xf32> -> tensor<8x32xf32>
    tt.return %1 : tensor<8x32xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x32xf32>
    tt.return %2 : tensor<8x32xf32>
  }
  tt.func private @triton.language.standard.ravel__fp32S8_16S_cFalse(%arg0: tensor<8x16xf32>) -> tensor<128xf32> attributes {noinline = false} {
    %0 = tt.reshape %arg0 : tensor<8x16xf32> -> tensor<128xf32>
    tt.return %0 : tensor<128xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<128xf32>
    tt.return %1 : tensor<128xf32>
  }
  tt.func private @triton.language.standard.flip__fp32S8_16S_c1(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<8x16xf32> -> tensor<8x16xi32>
    %1 = tt.reshape %0 : tensor<8x16xi32> -> tensor<8x2x2x2x2xi32>
    %2 = tt.call @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c1_cTrue(%1) : (tensor<8x2x2x2x2xi32>) -> tensor<8x1x2x2x2xi32>
    %3 = tt.broadcast %2 : tensor<8x1x2x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %4 = arith.xori %1, %3 : tensor<8x2x2x2x2xi32>
    %5 = tt.call @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c2_cTrue(%4) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x1x2x2xi32>
    %6 = tt.broadcast %5 : tensor<8x2x1x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %7 = arith.xori %4, %6 : tensor<8x2x2x2x2xi32>
    %8 = tt.call @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c3_cTrue(%7) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x1x2xi32>
    %9 = tt.broadcast %8 : tensor<8x2x2x1x2xi32> -> tensor<8x2x2x2x2xi32>
    %10 = arith.xori %7, %9 : tensor<8x2x2x2x2xi32>
    %11 = tt.call @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c4_cTrue(%10) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2x1xi32>
    %12 = tt.broadcast %11 : tensor<8x2x2x2x1xi32> -> tensor<8x2x2x2x2xi32>
    %13 = arith.xori %10, %12 : tensor<8x2x2x2x2xi32>
    %14 = tt.reshape %13 : tensor<8x2x2x2x2xi32> -> tensor<8x16xi32>
    %15 = tt.bitcast %14 : tensor<8x16xi32> -> tensor<8x16xf32>
    tt.return %15 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %16 = ub.poison : tensor<8x16xf32>
    tt.return %16 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c1_cTrue(%arg0: tensor<8x2x2x2x2xi32>) -> tensor<8x1x2x2x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8x2x2x2xi32> -> tensor<8x1x2x2x2xi32>
    tt.return %1 : tensor<8x1x2x2x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x1x2x2x2xi32>
    tt.return %2 : tensor<8x1x2x2x2xi32>
  }
  tt.func private @triton.language.standard._xor_combine__i32_i32(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.xori %arg0, %arg1 : i32
    tt.return %0 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c2_cTrue(%arg0: tensor<8x2x2x2x2xi32>) -> tensor<8x2x1x2x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 2 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 2 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x1x2x2xi32>
    tt.return %1 : tensor<8x2x1x2x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x2x1x2x2xi32>
    tt.return %2 : tensor<8x2x1x2x2xi32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c3_cTrue(%arg0: tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x1x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 3 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 3 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x1x2xi32>
    tt.return %1 : tensor<8x2x2x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x2x2x1x2xi32>
    tt.return %2 : tensor<8x2x2x1x2xi32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S8_2_2_2_2S_c4_cTrue(%arg0: tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2x1xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 4 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 4 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x2x1xi32>
    tt.return %1 : tensor<8x2x2x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<8x2x2x2x1xi32>
    tt.return %2 : tensor<8x2x2x2x1xi32>
  }
  tt.func private @triton.language.standard.sum__fp32S8_16S_cNone_cFalse_cNone(%arg0: tensor<8x16xf32>) -> f32 attributes {noinline = false} {
    %0 = tt.reshape %arg0 allow_reorder : tensor<8x16xf32> -> tensor<128xf32>
    %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %3 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %3 : f32
    }) : (tensor<128xf32>) -> f32
    tt.return %1 : f32
  ^bb1:  // no predecessors
    %2 = ub.poison : f32
    tt.return %2 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S8_16S_c1_cFalse_cNone(%arg0: tensor<8x16xf32>) -> tensor<8xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    tt.return %0 : tensor<8xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8xf32>
    tt.return %1 : tensor<8xf32>
  }
  tt.func private @triton.language.standard.max__fp32S8_16S_c1_cTrue_cTrue_cFalse(%arg0: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %2 = tt.broadcast %1 : tensor<1x16xi32> -> tensor<8x16xi32>
    %3:2 = "tt.reduce"(%arg0, %2) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: f32, %arg4: i32):
      %6:2 = tt.call @triton.language.standard._argmax_combine_tie_break_left__fp32_i32_fp32_i32(%arg1, %arg2, %arg3, %arg4) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %6#0, %6#1 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    tt.return %3#0, %3#1 : tensor<8xf32>, tensor<8xi32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<8xf32>
    %5 = ub.poison : tensor<8xi32>
    tt.return %4, %5 : tensor<8xf32>, tensor<8xi32>
  }
  tt.func private @triton.language.standard._argmax_combine_tie_break_left__fp32_i32_fp32_i32(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0:2 = tt.call @triton.language.standard._argmax_combine__fp32_i32_fp32_i32_cTrue(%arg0, %arg1, %arg2, %arg3) : (f32, i32, f32, i32) -> (f32, i32)
    tt.return %0#0, %0#1 : f32, i32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    %2 = ub.poison : i32
    tt.return %1, %2 : f32, i32
  }
  tt.func private @triton.language.standard._argmax_combine__fp32_i32_fp32_i32_cTrue(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0 = arith.cmpf oeq, %arg0, %arg2 : f32
    %1 = arith.cmpi slt, %arg1, %arg3 : i32
    %2 = arith.andi %0, %1 : i1
    %3 = arith.cmpf ogt, %arg0, %arg2 : f32
    %4 = arith.ori %3, %2 : i1
    %5 = arith.select %4, %arg0, %arg2 : f32
    %6 = arith.select %4, %arg1, %arg3 : i32
    tt.return %5, %6 : f32, i32
  ^bb1:  // no predecessors
    %7 = ub.poison : f32
    %8 = ub.poison : i32
    tt.return %7, %8 : f32, i32
  }
  tt.func private @triton.language.standard.argmin__fp32S8_16S_c0_cTrue_cFalse(%arg0: tensor<8x16xf32>) -> tensor<16xi32> attributes {noinline = false} {
    %0:2 = tt.call @triton.language.standard.min__fp32S8_16S_c0_cTrue_cTrue_cFalse(%arg0) : (tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16xi32>)
    tt.return %0#1 : tensor<16xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<16xi32>
    tt.return %1 : tensor<16xi32>
  }
  tt.func private @triton.language.standard.min__fp32S8_16S_c0_cTrue_cTrue_cFalse(%arg0: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16xi32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x16xi32>
    %3:2 = "tt.reduce"(%arg0, %2) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: f32, %arg4: i32):
      %6:2 = tt.call @triton.language.standard._argmin_combine_tie_break_left__fp32_i32_fp32_i32(%arg1, %arg2, %arg3, %arg4) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %6#0, %6#1 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    tt.return %3#0, %3#1 : tensor<16xf32>, tensor<16xi32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<16xf32>
    %5 = ub.poison : tensor<16xi32>
    tt.return %4, %5 : tensor<16xf32>, tensor<16xi32>
  }
  tt.func private @triton.language.standard._argmin_combine_tie_break_left__fp32_i32_fp32_i32(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0:2 = tt.call @triton.language.standard._argmin_combine__fp32_i32_fp32_i32_cTrue(%arg0, %arg1, %arg2, %arg3) : (f32, i32, f32, i32) -> (f32, i32)
    tt.return %0#0, %0#1 : f32, i32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    %2 = ub.poison : i32
    tt.return %1, %2 : f32, i32
  }
  tt.func private @triton.language.standard._argmin_combine__fp32_i32_fp32_i32_cTrue(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0 = arith.cmpf oeq, %arg0, %arg2 : f32
    %1 = arith.cmpi slt, %arg1, %arg3 : i32
    %2 = arith.andi %0, %1 : i1
    %3 = arith.cmpf olt, %arg0, %arg2 : f32
    %4 = arith.ori %3, %2 : i1
    %5 = arith.select %4, %arg0, %arg2 : f32
    %6 = arith.select %4, %arg1, %arg3 : i32
    tt.return %5, %6 : f32, i32
  ^bb1:  // no predecessors
    %7 = ub.poison : f32
    %8 = ub.poison : i32
    tt.return %7, %8 : f32, i32
  }
  tt.func private @triton.language.standard.cumsum__fp32S8_16S_c1_cFalse_cNone(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = "tt.scan"(%arg0) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.scan.return %2 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    tt.return %0 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x16xf32>
    tt.return %1 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard.cumprod__fp32S8_16S_c0_cTrue_cNone(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._prod_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.scan.return %2 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    tt.return %0 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x16xf32>
    tt.return %1 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard._prod_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.mulf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sort__fp32S8_16S_cNone_c0(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard.sort_impl__fp32S8_16S_cNone_cNone_c0(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    tt.return %0 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x16xf32>
    tt.return %1 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard.sort_impl__fp32S8_16S_cNone_cNone_c0(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = tt.reshape %arg0 : tensor<8x16xf32> -> tensor<2x2x2x2x2x2x2xf32>
    %1 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c1_c2(%0) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %2 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c2_c2(%1) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %3 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c3_c2(%2) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %4 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c4_c0(%3) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.reshape %4 : tensor<2x2x2x2x2x2x2xf32> -> tensor<8x16xf32>
    tt.return %5 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %6 = ub.poison : tensor<8x16xf32>
    tt.return %6 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c1_c2(%arg0: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard._indicator__c7_c1() : () -> tensor<1x1x1x1x1x2x1xi32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_1_2_1S_c0(%arg0, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x1x1x2x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %2 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._indicator__c7_c1() -> tensor<1x1x1x1x1x2x1xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1xi32>
    tt.return %1 : tensor<1x1x1x1x1x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x1x2x1xi32>
    tt.return %2 : tensor<1x1x1x1x1x2x1xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_1_2_1S_c0(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x1x1x2x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c6_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c0() : () -> tensor<1x1x1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x1x1x2x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x1x2x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x1x1x2x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x1x1x2x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c6_cTrue(%arg0: tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x1xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 6 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    tt.return %1 : tensor<2x2x2x2x2x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2x2x1xi32>
    tt.return %2 : tensor<2x2x2x2x2x2x1xi32>
  }
  tt.func private @triton.language.standard._indicator__c7_c0() -> tensor<1x1x1x1x1x1x2xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2xi32>
    tt.return %1 : tensor<1x1x1x1x1x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x1x1x2xi32>
    tt.return %2 : tensor<1x1x1x1x1x1x2xi32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c2_c2(%arg0: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard._indicator__c7_c2() : () -> tensor<1x1x1x1x2x1x1xi32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_2_1_1S_c1(%arg0, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x1x2x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    %2 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_2_1_1S_c0(%1, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x1x2x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    tt.return %2 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %3 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %3 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._indicator__c7_c2() -> tensor<1x1x1x1x2x1x1xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1xi32>
    tt.return %1 : tensor<1x1x1x1x2x1x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x2x1x1xi32>
    tt.return %2 : tensor<1x1x1x1x2x1x1xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_2_1_1S_c1(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x1x2x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c5_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c1() : () -> tensor<1x1x1x1x1x2x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x1x2x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x2x2x1xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x1x2x2x1xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x1x2x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c5_cTrue(%arg0: tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 5 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    tt.return %1 : tensor<2x2x2x2x2x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2x1x2xi32>
    tt.return %2 : tensor<2x2x2x2x2x1x2xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_1_2_1_1S_c0(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x1x2x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c6_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c0() : () -> tensor<1x1x1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x1x2x1x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x2x1x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x1x2x1x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x1x2x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c3_c2(%arg0: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard._indicator__c7_c3() : () -> tensor<1x1x1x2x1x1x1xi32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c2(%arg0, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    %2 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c1(%1, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    %3 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c0(%2, %0) : (tensor<2x2x2x2x2x2x2xf32>, tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32>
    tt.return %3 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %4 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._indicator__c7_c3() -> tensor<1x1x1x2x1x1x1xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1xi32>
    tt.return %1 : tensor<1x1x1x2x1x1x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x2x1x1x1xi32>
    tt.return %2 : tensor<1x1x1x2x1x1x1xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c2(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c4_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x1x2x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c2() : () -> tensor<1x1x1x1x2x1x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x2x2x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2x2x1x1xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x2x2x1x1xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x2x2x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c4_cTrue(%arg0: tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x1x2x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 4 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 4 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2xi32>
    tt.return %1 : tensor<2x2x2x2x1x2x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x1x2x2xi32>
    tt.return %2 : tensor<2x2x2x2x1x2x2xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c1(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c5_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c1() : () -> tensor<1x1x1x1x1x2x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x2x1x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2x1x2x1xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x2x1x2x1xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x2x1x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32S1_1_1_2_1_1_1S_c0(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x2x1x1x1xi32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c6_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c0() : () -> tensor<1x1x1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x2x1x1x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2x1x1x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x2x1x1x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x2x1x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c4_c0(%arg0: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c3(%arg0, %c0_i32) : (tensor<2x2x2x2x2x2x2xf32>, i32) -> tensor<2x2x2x2x2x2x2xf32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c2(%0, %c0_i32) : (tensor<2x2x2x2x2x2x2xf32>, i32) -> tensor<2x2x2x2x2x2x2xf32>
    %2 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c1(%1, %c0_i32) : (tensor<2x2x2x2x2x2x2xf32>, i32) -> tensor<2x2x2x2x2x2x2xf32>
    %3 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c0(%2, %c0_i32) : (tensor<2x2x2x2x2x2x2xf32>, i32) -> tensor<2x2x2x2x2x2x2xf32>
    tt.return %3 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %4 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c3(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: i32) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c3_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x1x2x2x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c3() : () -> tensor<1x1x1x2x1x1x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.splat %arg1 : i32 -> tensor<1x1x1x2x1x1x1xi32>
    %8 = arith.xori %7, %5 : tensor<1x1x1x2x1x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2x1x1x1xi32>
    %9 = arith.cmpi ne, %8, %cst : tensor<1x1x1x2x1x1x1xi32>
    %10 = tt.broadcast %9 : tensor<1x1x1x2x1x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %11 = arith.cmpi ne, %6, %10 : tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.select %11, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %12 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %13 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c3_cTrue(%arg0: tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x1x2x2x2xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 3 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 3 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2xi32>
    tt.return %1 : tensor<2x2x2x1x2x2x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x1x2x2x2xi32>
    tt.return %2 : tensor<2x2x2x1x2x2x2xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c2(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: i32) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c4_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x1x2x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c2() : () -> tensor<1x1x1x1x2x1x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.splat %arg1 : i32 -> tensor<1x1x1x1x2x1x1xi32>
    %8 = arith.xori %7, %5 : tensor<1x1x1x1x2x1x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x2x1x1xi32>
    %9 = arith.cmpi ne, %8, %cst : tensor<1x1x1x1x2x1x1xi32>
    %10 = tt.broadcast %9 : tensor<1x1x1x1x2x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %11 = arith.cmpi ne, %6, %10 : tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.select %11, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %12 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %13 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c1(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: i32) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c5_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1x2xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c1() : () -> tensor<1x1x1x1x1x2x1xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.splat %arg1 : i32 -> tensor<1x1x1x1x1x2x1xi32>
    %8 = arith.xori %7, %5 : tensor<1x1x1x1x1x2x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x1x2x1xi32>
    %9 = arith.cmpi ne, %8, %cst : tensor<1x1x1x1x1x2x1xi32>
    %10 = tt.broadcast %9 : tensor<1x1x1x1x1x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %11 = arith.cmpi ne, %6, %10 : tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.select %11, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %12 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %13 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2_2S_i32_c0(%arg0: tensor<2x2x2x2x2x2x2xf32>, %arg1: i32) -> tensor<2x2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2_2S_c6_cTrue(%0) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c7_c0() : () -> tensor<1x1x1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2x2xf32>
    %7 = tt.splat %arg1 : i32 -> tensor<1x1x1x1x1x1x2xi32>
    %8 = arith.xori %7, %5 : tensor<1x1x1x1x1x1x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x1x1x2xi32>
    %9 = arith.cmpi ne, %8, %cst : tensor<1x1x1x1x1x1x2xi32>
    %10 = tt.broadcast %9 : tensor<1x1x1x1x1x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %11 = arith.cmpi ne, %6, %10 : tensor<2x2x2x2x2x2x2xi1>
    %12 = arith.select %11, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %12 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %13 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.topk__fp32S8_16S_c2_cNone_cTrue(%arg0: tensor<8x16xf32>) -> tensor<8x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard.sort_impl__fp32S8_16S_c2_cNone_cTrue(%arg0) : (tensor<8x16xf32>) -> tensor<8x2xf32>
    tt.return %0 : tensor<8x2xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x2xf32>
    tt.return %1 : tensor<8x2xf32>
  }
  tt.func private @triton.language.standard.sort_impl__fp32S8_16S_c2_cNone_cTrue(%arg0: tensor<8x16xf32>) -> tensor<8x2xf32> attributes {noinline = false} {
    %0 = tt.reshape %arg0 : tensor<8x16xf32> -> tensor<2x2x2x2x2x2x2xf32>
    %1 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2_2S_c1_c2(%0) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %2 = tt.call @triton.language.standard.max__fp32S2_2_2_2_2_2_2S_c5_cFalse_cTrue_cFalse(%1) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    %3 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2S_c1_c2(%2) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    %4 = tt.call @triton.language.standard.max__fp32S2_2_2_2_2_2S_c4_cFalse_cTrue_cFalse(%3) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2S_c1_c2(%4) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    %6 = tt.call @triton.language.standard.max__fp32S2_2_2_2_2S_c3_cFalse_cTrue_cFalse(%5) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    %7 = tt.call @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2S_c1_cTrue(%6) : (tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    %8 = tt.reshape %7 : tensor<2x2x2x2xf32> -> tensor<8x2xf32>
    tt.return %8 : tensor<8x2xf32>
  ^bb1:  // no predecessors
    %9 = ub.poison : tensor<8x2xf32>
    tt.return %9 : tensor<8x2xf32>
  }
  tt.func private @triton.language.standard.max__fp32S2_2_2_2_2_2_2S_c5_cFalse_cTrue_cFalse(%arg0: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 5 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    tt.return %0 : tensor<2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<2x2x2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2_2S_c1_c2(%arg0: tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard._indicator__c6_c1() : () -> tensor<1x1x1x1x2x1xi32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2S_i32S1_1_1_1_2_1S_c0(%arg0, %0) : (tensor<2x2x2x2x2x2xf32>, tensor<1x1x1x1x2x1xi32>) -> tensor<2x2x2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2x2xf32>
    tt.return %2 : tensor<2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._indicator__c6_c1() -> tensor<1x1x1x1x2x1xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    tt.return %1 : tensor<1x1x1x1x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x2x1xi32>
    tt.return %2 : tensor<1x1x1x1x2x1xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2_2S_i32S1_1_1_1_2_1S_c0(%arg0: tensor<2x2x2x2x2x2xf32>, %arg1: tensor<1x1x1x1x2x1xi32>) -> tensor<2x2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2_2S_c5_cTrue(%0) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c6_c0() : () -> tensor<1x1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x2xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x1x2x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x1x2x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x1x2x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x1x2x2xi1> -> tensor<2x2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2_2S_c5_cTrue(%arg0: tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x1xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 5 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    tt.return %1 : tensor<2x2x2x2x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2x1xi32>
    tt.return %2 : tensor<2x2x2x2x2x1xi32>
  }
  tt.func private @triton.language.standard._indicator__c6_c0() -> tensor<1x1x1x1x1x2xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    tt.return %1 : tensor<1x1x1x1x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x1x2xi32>
    tt.return %2 : tensor<1x1x1x1x1x2xi32>
  }
  tt.func private @triton.language.standard.max__fp32S2_2_2_2_2_2S_c4_cFalse_cTrue_cFalse(%arg0: tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 4 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    tt.return %0 : tensor<2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<2x2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2_2S_c1_c2(%arg0: tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard._indicator__c5_c1() : () -> tensor<1x1x1x2x1xi32>
    %1 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2S_i32S1_1_1_2_1S_c0(%arg0, %0) : (tensor<2x2x2x2x2xf32>, tensor<1x1x1x2x1xi32>) -> tensor<2x2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x2xf32>
    tt.return %2 : tensor<2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._indicator__c5_c1() -> tensor<1x1x1x2x1xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
    tt.return %1 : tensor<1x1x1x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x2x1xi32>
    tt.return %2 : tensor<1x1x1x2x1xi32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2_2S_i32S1_1_1_2_1S_c0(%arg0: tensor<2x2x2x2x2xf32>, %arg1: tensor<1x1x1x2x1xi32>) -> tensor<2x2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2x2xf32> -> tensor<2x2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2_2S_c4_cTrue(%0) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x2x1xi32> -> tensor<2x2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c5_c0() : () -> tensor<1x1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2x2xf32>
    %7 = tt.broadcast %arg1 : tensor<1x1x1x2x1xi32> -> tensor<1x1x1x2x2xi32>
    %8 = tt.broadcast %5 : tensor<1x1x1x1x2xi32> -> tensor<1x1x1x2x2xi32>
    %9 = arith.xori %7, %8 : tensor<1x1x1x2x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x2x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x2x2xi1> -> tensor<2x2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2x2xi1>, tensor<2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2_2S_c4_cTrue(%arg0: tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2x1xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 4 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 4 : i32} : tensor<2x2x2x2xi32> -> tensor<2x2x2x2x1xi32>
    tt.return %1 : tensor<2x2x2x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x2x1xi32>
    tt.return %2 : tensor<2x2x2x2x1xi32>
  }
  tt.func private @triton.language.standard._indicator__c5_c0() -> tensor<1x1x1x1x2xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x1x2xi32>
    tt.return %1 : tensor<1x1x1x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x1x2xi32>
    tt.return %2 : tensor<1x1x1x1x2xi32>
  }
  tt.func private @triton.language.standard.max__fp32S2_2_2_2_2S_c3_cFalse_cTrue_cFalse(%arg0: tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 3 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    tt.return %0 : tensor<2x2x2x2xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._bitonic_merge_hypercube__fp32S2_2_2_2S_c1_cTrue(%arg0: tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32> attributes {noinline = false} {
    %true = arith.constant true
    %0 = tt.call @triton.language.standard._compare_and_swap__fp32S2_2_2_2S_u1_c0(%arg0, %true) : (tensor<2x2x2x2xf32>, i1) -> tensor<2x2x2x2xf32>
    tt.return %0 : tensor<2x2x2x2xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<2x2x2x2xf32>
    tt.return %1 : tensor<2x2x2x2xf32>
  }
  tt.func private @triton.language.standard._compare_and_swap__fp32S2_2_2_2S_u1_c0(%arg0: tensor<2x2x2x2xf32>, %arg1: i1) -> tensor<2x2x2x2xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %1 = tt.call @triton.language.standard.xor_sum__i32S2_2_2_2S_c3_cTrue(%0) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2x1xi32>
    %2 = tt.broadcast %1 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %3 = arith.xori %0, %2 : tensor<2x2x2x2xi32>
    %4 = tt.bitcast %3 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %5 = tt.call @triton.language.standard._indicator__c4_c0() : () -> tensor<1x1x1x2xi32>
    %6 = arith.cmpf ogt, %arg0, %4 : tensor<2x2x2x2xf32>
    %7 = arith.extui %arg1 : i1 to i32
    %8 = tt.splat %7 : i32 -> tensor<1x1x1x2xi32>
    %9 = arith.xori %8, %5 : tensor<1x1x1x2xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<1x1x1x2xi32>
    %10 = arith.cmpi ne, %9, %cst : tensor<1x1x1x2xi32>
    %11 = tt.broadcast %10 : tensor<1x1x1x2xi1> -> tensor<2x2x2x2xi1>
    %12 = arith.cmpi ne, %6, %11 : tensor<2x2x2x2xi1>
    %13 = arith.select %12, %4, %arg0 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2xf32>
  ^bb1:  // no predecessors
    %14 = ub.poison : tensor<2x2x2x2xf32>
    tt.return %14 : tensor<2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.xor_sum__i32S2_2_2_2S_c3_cTrue(%arg0: tensor<2x2x2x2xi32>) -> tensor<2x2x2x1xi32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 3 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %3 = tt.call @triton.language.standard._xor_combine__i32_i32(%arg1, %arg2) : (i32, i32) -> i32
      tt.reduce.return %3 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %1 = tt.expand_dims %0 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    tt.return %1 : tensor<2x2x2x1xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<2x2x2x1xi32>
    tt.return %2 : tensor<2x2x2x1xi32>
  }
  tt.func private @triton.language.standard._indicator__c4_c0() -> tensor<1x1x1x2xi32> attributes {noinline = false} {
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.reshape %0 : tensor<2xi32> -> tensor<1x1x1x2xi32>
    tt.return %1 : tensor<1x1x1x2xi32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1x1x1x2xi32>
    tt.return %2 : tensor<1x1x1x2xi32>
  }
  tt.func private @triton.language.standard.zeros__Tc8_c16T_cfp32() -> tensor<8x16xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<8x16xf32>
    tt.return %cst_0 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %0 = ub.poison : tensor<8x16xf32>
    tt.return %0 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard.zeros_like__fp32S8_16S(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard.zeros__Tc8_c16T_cfp32() : () -> tensor<8x16xf32>
    tt.return %0 : tensor<8x16xf32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<8x16xf32>
    tt.return %1 : tensor<8x16xf32>
  }
  tt.func private @triton.language.standard.max__fp32S8S_c0_cFalse_cTrue_cFalse(%arg0: tensor<8xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<8xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
}
