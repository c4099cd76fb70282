module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
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
    %11 = tt.trans %10 {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>
    %12 = tt.reshape %11 : tensor<16x8xf32> -> tensor<128xf32>
    %13 = tt.reshape %10 : tensor<8x16xf32> -> tensor<4x2x16xf32>
    %14 = tt.trans %13 {order = array<i32: 1, 2, 0>} : tensor<4x2x16xf32> -> tensor<2x16x4xf32>
    %c2_i32 = arith.constant 2 : i32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %15 = arith.mulf %10, %cst_2 : tensor<8x16xf32>
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
    %30 = tt.call @triton.language.standard.cumprod__fp32S8_16S_c0_cTrue(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<1> : tensor<8x16xi32>
    %31 = arith.andi %23, %cst_4 : tensor<8x16xi32>
    %32 = tt.gather %10[%31] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
    %33 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %c15_i32 = arith.constant 15 : i32
    %c15_i32_5 = arith.constant 15 : i32
    %cst_6 = arith.constant dense<15> : tensor<128xi32>
    %34 = arith.andi %33, %cst_6 : tensor<128xi32>
    %35 = tt.histogram %34 : tensor<128xi32> -> tensor<16xi32>
    %c0_i32 = arith.constant 0 : i32
    %36 = arith.sitofp %c0_i32 : i32 to f32
    %37 = tt.splat %36 : f32 -> tensor<128xf32>
    %38 = arith.cmpf ogt, %12, %37 : tensor<128xf32>
    %39 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %c15_i32_7 = arith.constant 15 : i32
    %c15_i32_8 = arith.constant 15 : i32
    %cst_9 = arith.constant dense<15> : tensor<128xi32>
    %40 = arith.andi %39, %cst_9 : tensor<128xi32>
    %41 = tt.histogram %40, %38 : tensor<128xi32> -> tensor<16xi32>
    %42 = tt.call @triton.language.standard.sort__fp32S8_16S_cNone_c0(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %43 = tt.call @triton.language.standard.topk__fp32S8_16S_c2_cNone(%10) : (tensor<8x16xf32>) -> tensor<8x2xf32>
    %44 = tt.call @triton.language.standard.zeros__Tc8_c16T_cfp32() : () -> tensor<8x16xf32>
    %cst_10 = arith.constant 3.000000e+00 : f32
    %cst_11 = arith.constant dense<3.000000e+00> : tensor<8x16xf32>
    %45 = arith.addf %44, %cst_11 : tensor<8x16xf32>
    %46 = tt.call @triton.language.standard.zeros_like__fp32S8_16S(%10) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %47 = arith.addf %45, %46 : tensor<8x16xf32>
    %48 = tt.call @triton.language.standard.max__fp32S8S_c0_cFalse_cTrue_cFalse(%26) : (tensor<8xf32>) -> f32
    %cst_12 = arith.constant 2.000000e+00 : f32
    %cst_13 = arith.constant dense<2.000000e+00> : tensor<1xf32>
    %49 = tt.unsplat %cst_13 : tensor<1xf32>
    %50 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %51 = tt.addptr %50, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %52 = tt.splat %25 : f32 -> tensor<8x16xf32>
    %53 = arith.addf %10, %52 : tensor<8x16xf32>
    %54 = tt.expand_dims %26 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %55 = tt.broadcast %54 : tensor<8x1xf32> -> tensor<8x16xf32>
    %56 = arith.addf %53, %55 : tensor<8x16xf32>
    %57 = tt.expand_dims %27#0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %58 = tt.broadcast %57 : tensor<8x1xf32> -> tensor<8x16xf32>
    %59 = arith.addf %56, %58 : tensor<8x16xf32>
    %60 = tt.expand_dims %27#1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %61 = arith.sitofp %60 : tensor<8x1xi32> to tensor<8x1xf32>
    %62 = tt.broadcast %61 : tensor<8x1xf32> -> tensor<8x16xf32>
    %63 = arith.addf %59, %62 : tensor<8x16xf32>
    %64 = tt.expand_dims %28 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %65 = arith.sitofp %64 : tensor<1x16xi32> to tensor<1x16xf32>
    %66 = tt.broadcast %65 : tensor<1x16xf32> -> tensor<8x16xf32>
    %67 = arith.addf %63, %66 : tensor<8x16xf32>
    %68 = arith.addf %67, %29 : tensor<8x16xf32>
    %69 = arith.addf %68, %30 : tensor<8x16xf32>
    %70 = arith.addf %69, %32 : tensor<8x16xf32>
    %71 = arith.addf %70, %20 : tensor<8x16xf32>
    %72 = arith.addf %71, %42 : tensor<8x16xf32>
    %73 = arith.addf %72, %47 : tensor<8x16xf32>
    %74 = tt.splat %48 : f32 -> tensor<8x16xf32>
    %75 = arith.addf %73, %74 : tensor<8x16xf32>
    %76 = tt.splat %49 : f32 -> tensor<8x16xf32>
    %77 = arith.addf %75, %76 : tensor<8x16xf32>
    %78 = arith.addf %77, %outLHS : tensor<8x16xf32>
    %79 = arith.addf %78, %outRHS : tensor<8x16xf32>
    tt.store %51, %79 : tensor<8x16x!tt.ptr<f32>>
    %80 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %81 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %82 = tt.addptr %81, %80 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %83 = arith.addi %35, %41 : tensor<16xi32>
    %84 = arith.sitofp %83 : tensor<16xi32> to tensor<16xf32>
    tt.store %82, %84 : tensor<16x!tt.ptr<f32>>
    %85 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %86 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %87 = tt.addptr %86, %85 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %87, %17 : tensor<256x!tt.ptr<f32>>
    %88 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %89 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %90 = tt.addptr %89, %88 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %91 = arith.addf %19, %12 : tensor<128xf32>
    tt.store %90, %91 : tensor<128x!tt.ptr<f32>>
    %92 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %93 = tt.expand_dims %92 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c2_i32_14 = arith.constant 2 : i32
    %c2_i32_15 = arith.constant 2 : i32
    %cst_16 = arith.constant dense<2> : tensor<8x1xi32>
    %94 = arith.muli %93, %cst_16 : tensor<8x1xi32>
    %95 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %96 = tt.addptr %95, %94 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %97 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %98 = tt.expand_dims %97 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %99 = tt.broadcast %96 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x2x!tt.ptr<f32>>
    %100 = tt.broadcast %98 : tensor<1x2xi32> -> tensor<8x2xi32>
    %101 = tt.addptr %99, %100 : tensor<8x2x!tt.ptr<f32>>, tensor<8x2xi32>
    tt.store %101, %43 : tensor<8x2x!tt.ptr<f32>>
    %102 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %103 = tt.expand_dims %102 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %c32_i32 = arith.constant 32 : i32
    %c32_i32_17 = arith.constant 32 : i32
    %cst_18 = arith.constant dense<32> : tensor<8x1xi32>
    %104 = arith.muli %103, %cst_18 : tensor<8x1xi32>
    %105 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %106 = tt.addptr %105, %104 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %107 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %108 = tt.expand_dims %107 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %109 = tt.broadcast %106 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x32x!tt.ptr<f32>>
    %110 = tt.broadcast %108 : tensor<1x32xi32> -> tensor<8x32xi32>
    %111 = tt.addptr %109, %110 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    tt.store %111, %18 : tensor<8x32x!tt.ptr<f32>>
    %112 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %113 = tt.expand_dims %112 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %114 = tt.expand_dims %113 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c64_i32_19 = arith.constant 64 : i32
    %cst_20 = arith.constant dense<64> : tensor<2x1x1xi32>
    %115 = arith.muli %114, %cst_20 : tensor<2x1x1xi32>
    %116 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %117 = tt.addptr %116, %115 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %118 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %119 = tt.expand_dims %118 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %120 = tt.expand_dims %119 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %121 = tt.broadcast %117 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x16x1x!tt.ptr<f32>>
    %122 = tt.broadcast %120 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
    %123 = tt.addptr %121, %122 : tensor<2x16x1x!tt.ptr<f32>>, tensor<2x16x1xi32>
    %124 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %125 = tt.expand_dims %124 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %126 = tt.expand_dims %125 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
    %127 = tt.broadcast %123 : tensor<2x16x1x!tt.ptr<f32>> -> tensor<2x16x4x!tt.ptr<f32>>
    %128 = tt.broadcast %126 : tensor<1x1x4xi32> -> tensor<2x16x4xi32>
    %129 = tt.addptr %127, %128 : tensor<2x16x4x!tt.ptr<f32>>, tensor<2x16x4xi32>
    tt.store %129, %14 : tensor<2x16x4x!tt.ptr<f32>>
    %130 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %131 = tt.expand_dims %130 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %132 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
    %133 = tt.addptr %132, %131 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
    tt.store %133, %24 : tensor<1x128x!tt.ptr<f32>>
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
  tt.func private @triton.language.standard.cumprod__fp32S8_16S_c0_cTrue(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {noinline = false} {
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x2x2x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x2x1x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x2x1x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2x2xi32>
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
    %9 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %10 = tt.broadcast %8 : tensor<1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %11 = arith.cmpi ne, %9, %10 : tensor<2x2x2x2x2x2x2xi32>
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
    %9 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %10 = tt.broadcast %8 : tensor<1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %11 = arith.cmpi ne, %9, %10 : tensor<2x2x2x2x2x2x2xi32>
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
    %9 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %10 = tt.broadcast %8 : tensor<1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %11 = arith.cmpi ne, %9, %10 : tensor<2x2x2x2x2x2x2xi32>
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
    %9 = arith.extui %6 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %10 = tt.broadcast %8 : tensor<1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %11 = arith.cmpi ne, %9, %10 : tensor<2x2x2x2x2x2x2xi32>
    %12 = arith.select %11, %4, %arg0 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    tt.return %12 : tensor<2x2x2x2x2x2x2xf32>
  ^bb1:  // no predecessors
    %13 = ub.poison : tensor<2x2x2x2x2x2x2xf32>
    tt.return %13 : tensor<2x2x2x2x2x2x2xf32>
  }
  tt.func private @triton.language.standard.topk__fp32S8_16S_c2_cNone(%arg0: tensor<8x16xf32>) -> tensor<8x2xf32> attributes {noinline = false} {
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2x2xi1> to tensor<2x2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x2x2xi32> -> tensor<2x2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2x2xi32>
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
    %10 = arith.extui %6 : tensor<2x2x2x2xi1> to tensor<2x2x2x2xi32>
    %11 = tt.broadcast %9 : tensor<1x1x1x2xi32> -> tensor<2x2x2x2xi32>
    %12 = arith.cmpi ne, %10, %11 : tensor<2x2x2x2xi32>
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
