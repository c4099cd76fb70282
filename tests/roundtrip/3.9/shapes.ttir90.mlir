module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<1x16xi32>
    %cst_0 = arith.constant dense<3.000000e+00> : tensor<8x16xf32>
    %cst_1 = arith.constant dense<0> : tensor<1x1x1x1x2x2xi32>
    %cst_2 = arith.constant dense<0> : tensor<1x1x1x2x2xi32>
    %cst_3 = arith.constant dense<1> : tensor<1x1x1x2xi32>
    %cst_4 = arith.constant dense<0> : tensor<1x1x1x2xi32>
    %cst_5 = arith.constant dense<0> : tensor<1x1x1x1x1x2x2xi32>
    %cst_6 = arith.constant dense<0> : tensor<1x1x1x1x2x1x2xi32>
    %cst_7 = arith.constant dense<0> : tensor<1x1x1x1x2x2x1xi32>
    %cst_8 = arith.constant dense<0> : tensor<1x1x1x2x1x1x2xi32>
    %cst_9 = arith.constant dense<0> : tensor<1x1x1x2x1x2x1xi32>
    %cst_10 = arith.constant dense<0> : tensor<1x1x1x2x2x1x1xi32>
    %cst_11 = arith.constant dense<0> : tensor<1x1x1x1x1x1x2xi32>
    %cst_12 = arith.constant dense<0> : tensor<1x1x1x1x1x2x1xi32>
    %cst_13 = arith.constant dense<0> : tensor<1x1x1x1x2x1x1xi32>
    %cst_14 = arith.constant dense<0> : tensor<1x1x1x2x1x1x1xi32>
    %cst_15 = arith.constant dense<64> : tensor<2x1x1xi32>
    %cst_16 = arith.constant dense<32> : tensor<8x1xi32>
    %cst_17 = arith.constant dense<2> : tensor<8x1xi32>
    %cst_18 = arith.constant dense<2.000000e+00> : tensor<1xf32>
    %cst_19 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_20 = arith.constant dense<15> : tensor<128xi32>
    %cst_21 = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %cst_22 = arith.constant dense<16> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = arith.muli %1, %cst_22 : tensor<8x1xi32>
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
    %15 = arith.mulf %10, %cst_21 : tensor<8x16xf32>
    %16 = tt.cat %12, %12 : tensor<128xf32> -> tensor<256xf32>
    %17 = tt.join %10, %15 : tensor<8x16xf32> -> tensor<8x16x2xf32>
    %18 = tt.reshape %17 : tensor<8x16x2xf32> -> tensor<8x32xf32>
    %19 = tt.reshape %10 : tensor<8x16xf32> -> tensor<128xf32>
    %20 = tt.bitcast %10 : tensor<8x16xf32> -> tensor<8x16xi32>
    %21 = tt.reshape %20 : tensor<8x16xi32> -> tensor<8x2x2x2x2xi32>
    %22 = "tt.reduce"(%21) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<8x2x2x2xi32> -> tensor<8x1x2x2x2xi32>
    %24 = tt.broadcast %23 : tensor<8x1x2x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %25 = arith.xori %21, %24 : tensor<8x2x2x2x2xi32>
    %26 = "tt.reduce"(%25) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %27 = tt.expand_dims %26 {axis = 2 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x1x2x2xi32>
    %28 = tt.broadcast %27 : tensor<8x2x1x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %29 = arith.xori %25, %28 : tensor<8x2x2x2x2xi32>
    %30 = "tt.reduce"(%29) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %31 = tt.expand_dims %30 {axis = 3 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x1x2xi32>
    %32 = tt.broadcast %31 : tensor<8x2x2x1x2xi32> -> tensor<8x2x2x2x2xi32>
    %33 = arith.xori %29, %32 : tensor<8x2x2x2x2xi32>
    %34 = "tt.reduce"(%33) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %35 = tt.expand_dims %34 {axis = 4 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x2x1xi32>
    %36 = tt.broadcast %35 : tensor<8x2x2x2x1xi32> -> tensor<8x2x2x2x2xi32>
    %37 = arith.xori %33, %36 : tensor<8x2x2x2x2xi32>
    %38 = tt.reshape %37 : tensor<8x2x2x2x2xi32> -> tensor<8x16xi32>
    %39 = tt.bitcast %38 : tensor<8x16xi32> -> tensor<8x16xf32>
    %40 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xf32> -> tensor<1x128xf32>
    %41 = tt.reshape %10 allow_reorder : tensor<8x16xf32> -> tensor<128xf32>
    %42 = "tt.reduce"(%41) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<128xf32>) -> f32
    %43 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    %44:2 = "tt.reduce"(%10, %6) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %316 = arith.cmpf oeq, %arg2, %arg4 : f32
      %317 = arith.cmpi slt, %arg3, %arg5 : i32
      %318 = arith.andi %316, %317 : i1
      %319 = arith.cmpf ogt, %arg2, %arg4 : f32
      %320 = arith.ori %319, %318 : i1
      %321 = arith.select %320, %arg2, %arg4 : f32
      %322 = arith.select %320, %arg3, %arg5 : i32
      tt.reduce.return %321, %322 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    %45 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x16xi32>
    %46:2 = "tt.reduce"(%10, %45) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %316 = arith.cmpf oeq, %arg2, %arg4 : f32
      %317 = arith.cmpi slt, %arg3, %arg5 : i32
      %318 = arith.andi %316, %317 : i1
      %319 = arith.cmpf olt, %arg2, %arg4 : f32
      %320 = arith.ori %319, %318 : i1
      %321 = arith.select %320, %arg2, %arg4 : f32
      %322 = arith.select %320, %arg3, %arg5 : i32
      tt.reduce.return %321, %322 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    %47 = "tt.scan"(%10) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %316 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %48 = "tt.scan"(%10) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.mulf %arg2, %arg3 : f32
      tt.scan.return %316 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %49 = arith.andi %4, %cst : tensor<1x16xi32>
    %50 = tt.broadcast %49 : tensor<1x16xi32> -> tensor<8x16xi32>
    %51 = tt.gather %10[%50] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
    %52 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %53 = arith.andi %52, %cst_20 : tensor<128xi32>
    %54 = tt.histogram %53 : tensor<128xi32> -> tensor<16xi32>
    %55 = arith.cmpf ogt, %12, %cst_19 : tensor<128xf32>
    %56 = tt.histogram %53, %55 : tensor<128xi32> -> tensor<16xi32>
    %57 = tt.reshape %10 : tensor<8x16xf32> -> tensor<2x2x2x2x2x2x2xf32>
    %58 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %59 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1xi32>
    %60 = tt.bitcast %57 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %61 = "tt.reduce"(%60) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %62 = tt.expand_dims %61 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %63 = tt.broadcast %62 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %64 = arith.xori %60, %63 : tensor<2x2x2x2x2x2x2xi32>
    %65 = tt.bitcast %64 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %66 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2xi32>
    %67 = arith.cmpf ogt, %57, %65 : tensor<2x2x2x2x2x2x2xf32>
    %68 = tt.broadcast %59 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %69 = tt.broadcast %66 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %70 = arith.xori %68, %69 : tensor<1x1x1x1x1x2x2xi32>
    %71 = arith.cmpi ne, %70, %cst_5 : tensor<1x1x1x1x1x2x2xi32>
    %72 = tt.broadcast %71 : tensor<1x1x1x1x1x2x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %73 = arith.cmpi ne, %67, %72 : tensor<2x2x2x2x2x2x2xi1>
    %74 = arith.select %73, %65, %57 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %75 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1xi32>
    %76 = tt.bitcast %74 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %77 = "tt.reduce"(%76) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %78 = tt.expand_dims %77 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %79 = tt.broadcast %78 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %80 = arith.xori %76, %79 : tensor<2x2x2x2x2x2x2xi32>
    %81 = tt.bitcast %80 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %82 = arith.cmpf ogt, %74, %81 : tensor<2x2x2x2x2x2x2xf32>
    %83 = tt.broadcast %75 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %84 = tt.broadcast %59 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %85 = arith.xori %83, %84 : tensor<1x1x1x1x2x2x1xi32>
    %86 = arith.cmpi ne, %85, %cst_7 : tensor<1x1x1x1x2x2x1xi32>
    %87 = tt.broadcast %86 : tensor<1x1x1x1x2x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %88 = arith.cmpi ne, %82, %87 : tensor<2x2x2x2x2x2x2xi1>
    %89 = arith.select %88, %81, %74 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %90 = tt.bitcast %89 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %91 = "tt.reduce"(%90) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %92 = tt.expand_dims %91 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %93 = tt.broadcast %92 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %94 = arith.xori %90, %93 : tensor<2x2x2x2x2x2x2xi32>
    %95 = tt.bitcast %94 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %96 = arith.cmpf ogt, %89, %95 : tensor<2x2x2x2x2x2x2xf32>
    %97 = tt.broadcast %75 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %98 = tt.broadcast %66 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %99 = arith.xori %97, %98 : tensor<1x1x1x1x2x1x2xi32>
    %100 = arith.cmpi ne, %99, %cst_6 : tensor<1x1x1x1x2x1x2xi32>
    %101 = tt.broadcast %100 : tensor<1x1x1x1x2x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %102 = arith.cmpi ne, %96, %101 : tensor<2x2x2x2x2x2x2xi1>
    %103 = arith.select %102, %95, %89 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %104 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1xi32>
    %105 = tt.bitcast %103 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %106 = "tt.reduce"(%105) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %107 = tt.expand_dims %106 {axis = 4 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2xi32>
    %108 = tt.broadcast %107 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %109 = arith.xori %105, %108 : tensor<2x2x2x2x2x2x2xi32>
    %110 = tt.bitcast %109 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %111 = arith.cmpf ogt, %103, %110 : tensor<2x2x2x2x2x2x2xf32>
    %112 = tt.broadcast %104 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %113 = tt.broadcast %75 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %114 = arith.xori %112, %113 : tensor<1x1x1x2x2x1x1xi32>
    %115 = arith.cmpi ne, %114, %cst_10 : tensor<1x1x1x2x2x1x1xi32>
    %116 = tt.broadcast %115 : tensor<1x1x1x2x2x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %117 = arith.cmpi ne, %111, %116 : tensor<2x2x2x2x2x2x2xi1>
    %118 = arith.select %117, %110, %103 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %119 = tt.bitcast %118 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %120 = "tt.reduce"(%119) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %121 = tt.expand_dims %120 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %122 = tt.broadcast %121 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %123 = arith.xori %119, %122 : tensor<2x2x2x2x2x2x2xi32>
    %124 = tt.bitcast %123 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %125 = arith.cmpf ogt, %118, %124 : tensor<2x2x2x2x2x2x2xf32>
    %126 = tt.broadcast %104 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %127 = tt.broadcast %59 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %128 = arith.xori %126, %127 : tensor<1x1x1x2x1x2x1xi32>
    %129 = arith.cmpi ne, %128, %cst_9 : tensor<1x1x1x2x1x2x1xi32>
    %130 = tt.broadcast %129 : tensor<1x1x1x2x1x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %131 = arith.cmpi ne, %125, %130 : tensor<2x2x2x2x2x2x2xi1>
    %132 = arith.select %131, %124, %118 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %133 = tt.bitcast %132 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %134 = "tt.reduce"(%133) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %135 = tt.expand_dims %134 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %136 = tt.broadcast %135 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %137 = arith.xori %133, %136 : tensor<2x2x2x2x2x2x2xi32>
    %138 = tt.bitcast %137 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %139 = arith.cmpf ogt, %132, %138 : tensor<2x2x2x2x2x2x2xf32>
    %140 = tt.broadcast %104 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %141 = tt.broadcast %66 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %142 = arith.xori %140, %141 : tensor<1x1x1x2x1x1x2xi32>
    %143 = arith.cmpi ne, %142, %cst_8 : tensor<1x1x1x2x1x1x2xi32>
    %144 = tt.broadcast %143 : tensor<1x1x1x2x1x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %145 = arith.cmpi ne, %139, %144 : tensor<2x2x2x2x2x2x2xi1>
    %146 = arith.select %145, %138, %132 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %147 = tt.bitcast %146 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %148 = "tt.reduce"(%147) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %149 = tt.expand_dims %148 {axis = 3 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2xi32>
    %150 = tt.broadcast %149 : tensor<2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %151 = arith.xori %147, %150 : tensor<2x2x2x2x2x2x2xi32>
    %152 = tt.bitcast %151 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %153 = arith.cmpf ogt, %146, %152 : tensor<2x2x2x2x2x2x2xf32>
    %154 = arith.cmpi ne, %104, %cst_14 : tensor<1x1x1x2x1x1x1xi32>
    %155 = tt.broadcast %154 : tensor<1x1x1x2x1x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %156 = arith.cmpi ne, %153, %155 : tensor<2x2x2x2x2x2x2xi1>
    %157 = arith.select %156, %152, %146 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %158 = tt.bitcast %157 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %159 = "tt.reduce"(%158) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %160 = tt.expand_dims %159 {axis = 4 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2xi32>
    %161 = tt.broadcast %160 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %162 = arith.xori %158, %161 : tensor<2x2x2x2x2x2x2xi32>
    %163 = tt.bitcast %162 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %164 = arith.cmpf ogt, %157, %163 : tensor<2x2x2x2x2x2x2xf32>
    %165 = arith.cmpi ne, %75, %cst_13 : tensor<1x1x1x1x2x1x1xi32>
    %166 = tt.broadcast %165 : tensor<1x1x1x1x2x1x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %167 = arith.cmpi ne, %164, %166 : tensor<2x2x2x2x2x2x2xi1>
    %168 = arith.select %167, %163, %157 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %169 = tt.bitcast %168 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %170 = "tt.reduce"(%169) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %171 = tt.expand_dims %170 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %172 = tt.broadcast %171 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %173 = arith.xori %169, %172 : tensor<2x2x2x2x2x2x2xi32>
    %174 = tt.bitcast %173 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %175 = arith.cmpf ogt, %168, %174 : tensor<2x2x2x2x2x2x2xf32>
    %176 = arith.cmpi ne, %59, %cst_12 : tensor<1x1x1x1x1x2x1xi32>
    %177 = tt.broadcast %176 : tensor<1x1x1x1x1x2x1xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %178 = arith.cmpi ne, %175, %177 : tensor<2x2x2x2x2x2x2xi1>
    %179 = arith.select %178, %174, %168 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %180 = tt.bitcast %179 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %181 = "tt.reduce"(%180) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %182 = tt.expand_dims %181 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %183 = tt.broadcast %182 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %184 = arith.xori %180, %183 : tensor<2x2x2x2x2x2x2xi32>
    %185 = tt.bitcast %184 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %186 = arith.cmpf ogt, %179, %185 : tensor<2x2x2x2x2x2x2xf32>
    %187 = arith.cmpi ne, %66, %cst_11 : tensor<1x1x1x1x1x1x2xi32>
    %188 = tt.broadcast %187 : tensor<1x1x1x1x1x1x2xi1> -> tensor<2x2x2x2x2x2x2xi1>
    %189 = arith.cmpi ne, %186, %188 : tensor<2x2x2x2x2x2x2xi1>
    %190 = arith.select %189, %185, %179 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %191 = tt.reshape %190 : tensor<2x2x2x2x2x2x2xf32> -> tensor<8x16xf32>
    %192 = "tt.reduce"(%74) <{axis = 5 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    %193 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %194 = tt.bitcast %192 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %195 = "tt.reduce"(%194) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %196 = tt.expand_dims %195 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %197 = tt.broadcast %196 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %198 = arith.xori %194, %197 : tensor<2x2x2x2x2x2xi32>
    %199 = tt.bitcast %198 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %200 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %201 = arith.cmpf ogt, %192, %199 : tensor<2x2x2x2x2x2xf32>
    %202 = tt.broadcast %193 : tensor<1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2xi32>
    %203 = tt.broadcast %200 : tensor<1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x2xi32>
    %204 = arith.xori %202, %203 : tensor<1x1x1x1x2x2xi32>
    %205 = arith.cmpi ne, %204, %cst_1 : tensor<1x1x1x1x2x2xi32>
    %206 = tt.broadcast %205 : tensor<1x1x1x1x2x2xi1> -> tensor<2x2x2x2x2x2xi1>
    %207 = arith.cmpi ne, %201, %206 : tensor<2x2x2x2x2x2xi1>
    %208 = arith.select %207, %199, %192 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %209 = "tt.reduce"(%208) <{axis = 4 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    %210 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
    %211 = tt.bitcast %209 : tensor<2x2x2x2x2xf32> -> tensor<2x2x2x2x2xi32>
    %212 = "tt.reduce"(%211) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2xi32>
    %213 = tt.expand_dims %212 {axis = 4 : i32} : tensor<2x2x2x2xi32> -> tensor<2x2x2x2x1xi32>
    %214 = tt.broadcast %213 : tensor<2x2x2x2x1xi32> -> tensor<2x2x2x2x2xi32>
    %215 = arith.xori %211, %214 : tensor<2x2x2x2x2xi32>
    %216 = tt.bitcast %215 : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xf32>
    %217 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x1x2xi32>
    %218 = arith.cmpf ogt, %209, %216 : tensor<2x2x2x2x2xf32>
    %219 = tt.broadcast %210 : tensor<1x1x1x2x1xi32> -> tensor<1x1x1x2x2xi32>
    %220 = tt.broadcast %217 : tensor<1x1x1x1x2xi32> -> tensor<1x1x1x2x2xi32>
    %221 = arith.xori %219, %220 : tensor<1x1x1x2x2xi32>
    %222 = arith.cmpi ne, %221, %cst_2 : tensor<1x1x1x2x2xi32>
    %223 = tt.broadcast %222 : tensor<1x1x1x2x2xi1> -> tensor<2x2x2x2x2xi1>
    %224 = arith.cmpi ne, %218, %223 : tensor<2x2x2x2x2xi1>
    %225 = arith.select %224, %216, %209 : tensor<2x2x2x2x2xi1>, tensor<2x2x2x2x2xf32>
    %226 = "tt.reduce"(%225) <{axis = 3 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    %227 = tt.bitcast %226 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %228 = "tt.reduce"(%227) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %316 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %316 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %229 = tt.expand_dims %228 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %230 = tt.broadcast %229 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %231 = arith.xori %227, %230 : tensor<2x2x2x2xi32>
    %232 = tt.bitcast %231 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %233 = tt.reshape %58 : tensor<2xi32> -> tensor<1x1x1x2xi32>
    %234 = arith.cmpf ogt, %226, %232 : tensor<2x2x2x2xf32>
    %235 = arith.xori %233, %cst_3 : tensor<1x1x1x2xi32>
    %236 = arith.cmpi ne, %235, %cst_4 : tensor<1x1x1x2xi32>
    %237 = tt.broadcast %236 : tensor<1x1x1x2xi1> -> tensor<2x2x2x2xi1>
    %238 = arith.cmpi ne, %234, %237 : tensor<2x2x2x2xi1>
    %239 = arith.select %238, %232, %226 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %240 = tt.reshape %239 : tensor<2x2x2x2xf32> -> tensor<8x2xf32>
    %241 = "tt.reduce"(%43) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %316 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %316 : f32
    }) : (tensor<8xf32>) -> f32
    %242 = tt.unsplat %cst_18 : tensor<1xf32>
    %243 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %244 = tt.addptr %243, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %245 = tt.splat %42 : f32 -> tensor<8x16xf32>
    %246 = arith.addf %10, %245 : tensor<8x16xf32>
    %247 = tt.expand_dims %43 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %248 = tt.broadcast %247 : tensor<8x1xf32> -> tensor<8x16xf32>
    %249 = arith.addf %246, %248 : tensor<8x16xf32>
    %250 = tt.expand_dims %44#0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %251 = tt.broadcast %250 : tensor<8x1xf32> -> tensor<8x16xf32>
    %252 = arith.addf %249, %251 : tensor<8x16xf32>
    %253 = tt.expand_dims %44#1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %254 = arith.sitofp %253 : tensor<8x1xi32> to tensor<8x1xf32>
    %255 = tt.broadcast %254 : tensor<8x1xf32> -> tensor<8x16xf32>
    %256 = arith.addf %252, %255 : tensor<8x16xf32>
    %257 = tt.expand_dims %46#1 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %258 = arith.sitofp %257 : tensor<1x16xi32> to tensor<1x16xf32>
    %259 = tt.broadcast %258 : tensor<1x16xf32> -> tensor<8x16xf32>
    %260 = arith.addf %256, %259 : tensor<8x16xf32>
    %261 = arith.addf %260, %47 : tensor<8x16xf32>
    %262 = arith.addf %261, %48 : tensor<8x16xf32>
    %263 = arith.addf %262, %51 : tensor<8x16xf32>
    %264 = arith.addf %263, %39 : tensor<8x16xf32>
    %265 = arith.addf %264, %191 : tensor<8x16xf32>
    %266 = arith.addf %265, %cst_0 : tensor<8x16xf32>
    %267 = tt.splat %241 : f32 -> tensor<8x16xf32>
    %268 = arith.addf %266, %267 : tensor<8x16xf32>
    %269 = tt.splat %242 : f32 -> tensor<8x16xf32>
    %270 = arith.addf %268, %269 : tensor<8x16xf32>
    %271 = arith.addf %270, %10 : tensor<8x16xf32>
    %272 = arith.addf %271, %15 : tensor<8x16xf32>
    tt.store %244, %272 : tensor<8x16x!tt.ptr<f32>>
    %273 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %274 = tt.addptr %273, %3 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %275 = arith.addi %54, %56 : tensor<16xi32>
    %276 = arith.sitofp %275 : tensor<16xi32> to tensor<16xf32>
    tt.store %274, %276 : tensor<16x!tt.ptr<f32>>
    %277 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %278 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %279 = tt.addptr %278, %277 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %279, %16 : tensor<256x!tt.ptr<f32>>
    %280 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %281 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %282 = tt.addptr %281, %280 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %283 = arith.addf %19, %12 : tensor<128xf32>
    tt.store %282, %283 : tensor<128x!tt.ptr<f32>>
    %284 = arith.muli %1, %cst_17 : tensor<8x1xi32>
    %285 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %286 = tt.addptr %285, %284 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %287 = tt.expand_dims %58 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %288 = tt.broadcast %286 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x2x!tt.ptr<f32>>
    %289 = tt.broadcast %287 : tensor<1x2xi32> -> tensor<8x2xi32>
    %290 = tt.addptr %288, %289 : tensor<8x2x!tt.ptr<f32>>, tensor<8x2xi32>
    tt.store %290, %240 : tensor<8x2x!tt.ptr<f32>>
    %291 = arith.muli %1, %cst_16 : tensor<8x1xi32>
    %292 = tt.addptr %285, %291 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %293 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %294 = tt.expand_dims %293 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %295 = tt.broadcast %292 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x32x!tt.ptr<f32>>
    %296 = tt.broadcast %294 : tensor<1x32xi32> -> tensor<8x32xi32>
    %297 = tt.addptr %295, %296 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    tt.store %297, %18 : tensor<8x32x!tt.ptr<f32>>
    %298 = tt.expand_dims %58 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %299 = tt.expand_dims %298 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %300 = arith.muli %299, %cst_15 : tensor<2x1x1xi32>
    %301 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %302 = tt.addptr %301, %300 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %303 = tt.expand_dims %4 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %304 = tt.broadcast %302 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x16x1x!tt.ptr<f32>>
    %305 = tt.broadcast %303 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
    %306 = tt.addptr %304, %305 : tensor<2x16x1x!tt.ptr<f32>>, tensor<2x16x1xi32>
    %307 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %308 = tt.expand_dims %307 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %309 = tt.expand_dims %308 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
    %310 = tt.broadcast %306 : tensor<2x16x1x!tt.ptr<f32>> -> tensor<2x16x4x!tt.ptr<f32>>
    %311 = tt.broadcast %309 : tensor<1x1x4xi32> -> tensor<2x16x4xi32>
    %312 = tt.addptr %310, %311 : tensor<2x16x4x!tt.ptr<f32>>, tensor<2x16x4xi32>
    tt.store %312, %14 : tensor<2x16x4x!tt.ptr<f32>>
    %313 = tt.expand_dims %280 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %314 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
    %315 = tt.addptr %314, %313 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
    tt.store %315, %40 : tensor<1x128x!tt.ptr<f32>>
    tt.return
  }
}
