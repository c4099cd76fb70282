module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<1x16xi32>
    %cst_0 = arith.constant dense<3.000000e+00> : tensor<8x16xf32>
    %cst_1 = arith.constant dense<1> : tensor<1x1x1x2xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_3 = arith.constant dense<64> : tensor<2x1x1xi32>
    %cst_4 = arith.constant dense<32> : tensor<8x1xi32>
    %cst_5 = arith.constant dense<2> : tensor<8x1xi32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<1xf32>
    %cst_7 = arith.constant dense<15> : tensor<128xi32>
    %cst_8 = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %cst_9 = arith.constant dense<16> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = arith.muli %1, %cst_9 : tensor<8x1xi32>
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
    %15 = arith.mulf %10, %cst_8 : tensor<8x16xf32>
    %16 = tt.join %10, %15 : tensor<8x16xf32> -> tensor<8x16x2xf32>
    %outLHS, %outRHS = tt.split %16 : tensor<8x16x2xf32> -> tensor<8x16xf32>
    %17 = tt.cat %12, %12 : tensor<128xf32> -> tensor<256xf32>
    %18 = tt.join %outLHS, %outRHS : tensor<8x16xf32> -> tensor<8x16x2xf32>
    %19 = tt.reshape %18 : tensor<8x16x2xf32> -> tensor<8x32xf32>
    %20 = tt.reshape %10 : tensor<8x16xf32> -> tensor<128xf32>
    %21 = tt.bitcast %10 : tensor<8x16xf32> -> tensor<8x16xi32>
    %22 = tt.reshape %21 : tensor<8x16xi32> -> tensor<8x2x2x2x2xi32>
    %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<8x2x2x2xi32> -> tensor<8x1x2x2x2xi32>
    %25 = tt.broadcast %24 : tensor<8x1x2x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %26 = arith.xori %22, %25 : tensor<8x2x2x2x2xi32>
    %27 = "tt.reduce"(%26) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %28 = tt.expand_dims %27 {axis = 2 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x1x2x2xi32>
    %29 = tt.broadcast %28 : tensor<8x2x1x2x2xi32> -> tensor<8x2x2x2x2xi32>
    %30 = arith.xori %26, %29 : tensor<8x2x2x2x2xi32>
    %31 = "tt.reduce"(%30) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %32 = tt.expand_dims %31 {axis = 3 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x1x2xi32>
    %33 = tt.broadcast %32 : tensor<8x2x2x1x2xi32> -> tensor<8x2x2x2x2xi32>
    %34 = arith.xori %30, %33 : tensor<8x2x2x2x2xi32>
    %35 = "tt.reduce"(%34) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<8x2x2x2x2xi32>) -> tensor<8x2x2x2xi32>
    %36 = tt.expand_dims %35 {axis = 4 : i32} : tensor<8x2x2x2xi32> -> tensor<8x2x2x2x1xi32>
    %37 = tt.broadcast %36 : tensor<8x2x2x2x1xi32> -> tensor<8x2x2x2x2xi32>
    %38 = arith.xori %34, %37 : tensor<8x2x2x2x2xi32>
    %39 = tt.reshape %38 : tensor<8x2x2x2x2xi32> -> tensor<8x16xi32>
    %40 = tt.bitcast %39 : tensor<8x16xi32> -> tensor<8x16xf32>
    %41 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xf32> -> tensor<1x128xf32>
    %42 = tt.reshape %10 allow_reorder : tensor<8x16xf32> -> tensor<128xf32>
    %43 = "tt.reduce"(%42) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<128xf32>) -> f32
    %44 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    %45:2 = "tt.reduce"(%10, %6) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %317 = arith.cmpf oeq, %arg2, %arg4 : f32
      %318 = arith.cmpi slt, %arg3, %arg5 : i32
      %319 = arith.andi %317, %318 : i1
      %320 = arith.cmpf ogt, %arg2, %arg4 : f32
      %321 = arith.ori %320, %319 : i1
      %322 = arith.select %321, %arg2, %arg4 : f32
      %323 = arith.select %321, %arg3, %arg5 : i32
      tt.reduce.return %322, %323 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    %46 = tt.broadcast %1 : tensor<8x1xi32> -> tensor<8x16xi32>
    %47:2 = "tt.reduce"(%10, %46) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %317 = arith.cmpf oeq, %arg2, %arg4 : f32
      %318 = arith.cmpi slt, %arg3, %arg5 : i32
      %319 = arith.andi %317, %318 : i1
      %320 = arith.cmpf olt, %arg2, %arg4 : f32
      %321 = arith.ori %320, %319 : i1
      %322 = arith.select %321, %arg2, %arg4 : f32
      %323 = arith.select %321, %arg3, %arg5 : i32
      tt.reduce.return %322, %323 : f32, i32
    }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    %48 = "tt.scan"(%10) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %317 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %49 = "tt.scan"(%10) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.mulf %arg2, %arg3 : f32
      tt.scan.return %317 : f32
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %50 = arith.andi %4, %cst : tensor<1x16xi32>
    %51 = tt.broadcast %50 : tensor<1x16xi32> -> tensor<8x16xi32>
    %52 = tt.gather %10[%51] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
    %53 = arith.fptosi %12 : tensor<128xf32> to tensor<128xi32>
    %54 = arith.andi %53, %cst_7 : tensor<128xi32>
    %55 = tt.histogram %54 : tensor<128xi32> -> tensor<16xi32>
    %56 = arith.cmpf ogt, %12, %cst_2 : tensor<128xf32>
    %57 = tt.histogram %54, %56 : tensor<128xi32> -> tensor<16xi32>
    %58 = tt.reshape %10 : tensor<8x16xf32> -> tensor<2x2x2x2x2x2x2xf32>
    %59 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %60 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1xi32>
    %61 = tt.bitcast %58 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %62 = "tt.reduce"(%61) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %63 = tt.expand_dims %62 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %64 = tt.broadcast %63 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %65 = arith.xori %61, %64 : tensor<2x2x2x2x2x2x2xi32>
    %66 = tt.bitcast %65 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %67 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2xi32>
    %68 = arith.cmpf ogt, %58, %66 : tensor<2x2x2x2x2x2x2xf32>
    %69 = tt.broadcast %60 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %70 = tt.broadcast %67 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x2x2xi32>
    %71 = arith.xori %69, %70 : tensor<1x1x1x1x1x2x2xi32>
    %72 = arith.extui %68 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %73 = tt.broadcast %71 : tensor<1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %74 = arith.cmpi ne, %72, %73 : tensor<2x2x2x2x2x2x2xi32>
    %75 = arith.select %74, %66, %58 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %76 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1xi32>
    %77 = tt.bitcast %75 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %78 = "tt.reduce"(%77) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %79 = tt.expand_dims %78 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %80 = tt.broadcast %79 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %81 = arith.xori %77, %80 : tensor<2x2x2x2x2x2x2xi32>
    %82 = tt.bitcast %81 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %83 = arith.cmpf ogt, %75, %82 : tensor<2x2x2x2x2x2x2xf32>
    %84 = tt.broadcast %76 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %85 = tt.broadcast %60 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %86 = arith.xori %84, %85 : tensor<1x1x1x1x2x2x1xi32>
    %87 = arith.extui %83 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %88 = tt.broadcast %86 : tensor<1x1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %89 = arith.cmpi ne, %87, %88 : tensor<2x2x2x2x2x2x2xi32>
    %90 = arith.select %89, %82, %75 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %91 = tt.bitcast %90 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %92 = "tt.reduce"(%91) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %93 = tt.expand_dims %92 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %94 = tt.broadcast %93 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %95 = arith.xori %91, %94 : tensor<2x2x2x2x2x2x2xi32>
    %96 = tt.bitcast %95 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %97 = arith.cmpf ogt, %90, %96 : tensor<2x2x2x2x2x2x2xf32>
    %98 = tt.broadcast %76 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %99 = tt.broadcast %67 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %100 = arith.xori %98, %99 : tensor<1x1x1x1x2x1x2xi32>
    %101 = arith.extui %97 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %102 = tt.broadcast %100 : tensor<1x1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %103 = arith.cmpi ne, %101, %102 : tensor<2x2x2x2x2x2x2xi32>
    %104 = arith.select %103, %96, %90 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %105 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1xi32>
    %106 = tt.bitcast %104 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %107 = "tt.reduce"(%106) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %108 = tt.expand_dims %107 {axis = 4 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2xi32>
    %109 = tt.broadcast %108 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %110 = arith.xori %106, %109 : tensor<2x2x2x2x2x2x2xi32>
    %111 = tt.bitcast %110 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %112 = arith.cmpf ogt, %104, %111 : tensor<2x2x2x2x2x2x2xf32>
    %113 = tt.broadcast %105 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %114 = tt.broadcast %76 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x2x2x1x1xi32>
    %115 = arith.xori %113, %114 : tensor<1x1x1x2x2x1x1xi32>
    %116 = arith.extui %112 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %117 = tt.broadcast %115 : tensor<1x1x1x2x2x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %118 = arith.cmpi ne, %116, %117 : tensor<2x2x2x2x2x2x2xi32>
    %119 = arith.select %118, %111, %104 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %120 = tt.bitcast %119 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %121 = "tt.reduce"(%120) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %122 = tt.expand_dims %121 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %123 = tt.broadcast %122 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %124 = arith.xori %120, %123 : tensor<2x2x2x2x2x2x2xi32>
    %125 = tt.bitcast %124 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %126 = arith.cmpf ogt, %119, %125 : tensor<2x2x2x2x2x2x2xf32>
    %127 = tt.broadcast %105 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %128 = tt.broadcast %60 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x2x1x2x1xi32>
    %129 = arith.xori %127, %128 : tensor<1x1x1x2x1x2x1xi32>
    %130 = arith.extui %126 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %131 = tt.broadcast %129 : tensor<1x1x1x2x1x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %132 = arith.cmpi ne, %130, %131 : tensor<2x2x2x2x2x2x2xi32>
    %133 = arith.select %132, %125, %119 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %134 = tt.bitcast %133 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %135 = "tt.reduce"(%134) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %136 = tt.expand_dims %135 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %137 = tt.broadcast %136 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %138 = arith.xori %134, %137 : tensor<2x2x2x2x2x2x2xi32>
    %139 = tt.bitcast %138 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %140 = arith.cmpf ogt, %133, %139 : tensor<2x2x2x2x2x2x2xf32>
    %141 = tt.broadcast %105 : tensor<1x1x1x2x1x1x1xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %142 = tt.broadcast %67 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x2x1x1x2xi32>
    %143 = arith.xori %141, %142 : tensor<1x1x1x2x1x1x2xi32>
    %144 = arith.extui %140 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %145 = tt.broadcast %143 : tensor<1x1x1x2x1x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %146 = arith.cmpi ne, %144, %145 : tensor<2x2x2x2x2x2x2xi32>
    %147 = arith.select %146, %139, %133 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %148 = tt.bitcast %147 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %149 = "tt.reduce"(%148) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %150 = tt.expand_dims %149 {axis = 3 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2xi32>
    %151 = tt.broadcast %150 : tensor<2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %152 = arith.xori %148, %151 : tensor<2x2x2x2x2x2x2xi32>
    %153 = tt.bitcast %152 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %154 = arith.cmpf ogt, %147, %153 : tensor<2x2x2x2x2x2x2xf32>
    %155 = arith.extui %154 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %156 = tt.broadcast %105 : tensor<1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %157 = arith.cmpi ne, %155, %156 : tensor<2x2x2x2x2x2x2xi32>
    %158 = arith.select %157, %153, %147 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %159 = tt.bitcast %158 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %160 = "tt.reduce"(%159) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %161 = tt.expand_dims %160 {axis = 4 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2xi32>
    %162 = tt.broadcast %161 : tensor<2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %163 = arith.xori %159, %162 : tensor<2x2x2x2x2x2x2xi32>
    %164 = tt.bitcast %163 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %165 = arith.cmpf ogt, %158, %164 : tensor<2x2x2x2x2x2x2xf32>
    %166 = arith.extui %165 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %167 = tt.broadcast %76 : tensor<1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %168 = arith.cmpi ne, %166, %167 : tensor<2x2x2x2x2x2x2xi32>
    %169 = arith.select %168, %164, %158 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %170 = tt.bitcast %169 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %171 = "tt.reduce"(%170) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %172 = tt.expand_dims %171 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %173 = tt.broadcast %172 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %174 = arith.xori %170, %173 : tensor<2x2x2x2x2x2x2xi32>
    %175 = tt.bitcast %174 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %176 = arith.cmpf ogt, %169, %175 : tensor<2x2x2x2x2x2x2xf32>
    %177 = arith.extui %176 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %178 = tt.broadcast %60 : tensor<1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %179 = arith.cmpi ne, %177, %178 : tensor<2x2x2x2x2x2x2xi32>
    %180 = arith.select %179, %175, %169 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %181 = tt.bitcast %180 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %182 = "tt.reduce"(%181) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %183 = tt.expand_dims %182 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %184 = tt.broadcast %183 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %185 = arith.xori %181, %184 : tensor<2x2x2x2x2x2x2xi32>
    %186 = tt.bitcast %185 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %187 = arith.cmpf ogt, %180, %186 : tensor<2x2x2x2x2x2x2xf32>
    %188 = arith.extui %187 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %189 = tt.broadcast %67 : tensor<1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %190 = arith.cmpi ne, %188, %189 : tensor<2x2x2x2x2x2x2xi32>
    %191 = arith.select %190, %186, %180 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %192 = tt.reshape %191 : tensor<2x2x2x2x2x2x2xf32> -> tensor<8x16xf32>
    %193 = "tt.reduce"(%75) <{axis = 5 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    %194 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %195 = tt.bitcast %193 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %196 = "tt.reduce"(%195) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %197 = tt.expand_dims %196 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %198 = tt.broadcast %197 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %199 = arith.xori %195, %198 : tensor<2x2x2x2x2x2xi32>
    %200 = tt.bitcast %199 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %201 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %202 = arith.cmpf ogt, %193, %200 : tensor<2x2x2x2x2x2xf32>
    %203 = tt.broadcast %194 : tensor<1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2xi32>
    %204 = tt.broadcast %201 : tensor<1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x2xi32>
    %205 = arith.xori %203, %204 : tensor<1x1x1x1x2x2xi32>
    %206 = arith.extui %202 : tensor<2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2xi32>
    %207 = tt.broadcast %205 : tensor<1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %208 = arith.cmpi ne, %206, %207 : tensor<2x2x2x2x2x2xi32>
    %209 = arith.select %208, %200, %193 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %210 = "tt.reduce"(%209) <{axis = 4 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    %211 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
    %212 = tt.bitcast %210 : tensor<2x2x2x2x2xf32> -> tensor<2x2x2x2x2xi32>
    %213 = "tt.reduce"(%212) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2xi32>
    %214 = tt.expand_dims %213 {axis = 4 : i32} : tensor<2x2x2x2xi32> -> tensor<2x2x2x2x1xi32>
    %215 = tt.broadcast %214 : tensor<2x2x2x2x1xi32> -> tensor<2x2x2x2x2xi32>
    %216 = arith.xori %212, %215 : tensor<2x2x2x2x2xi32>
    %217 = tt.bitcast %216 : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xf32>
    %218 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x1x2xi32>
    %219 = arith.cmpf ogt, %210, %217 : tensor<2x2x2x2x2xf32>
    %220 = tt.broadcast %211 : tensor<1x1x1x2x1xi32> -> tensor<1x1x1x2x2xi32>
    %221 = tt.broadcast %218 : tensor<1x1x1x1x2xi32> -> tensor<1x1x1x2x2xi32>
    %222 = arith.xori %220, %221 : tensor<1x1x1x2x2xi32>
    %223 = arith.extui %219 : tensor<2x2x2x2x2xi1> to tensor<2x2x2x2x2xi32>
    %224 = tt.broadcast %222 : tensor<1x1x1x2x2xi32> -> tensor<2x2x2x2x2xi32>
    %225 = arith.cmpi ne, %223, %224 : tensor<2x2x2x2x2xi32>
    %226 = arith.select %225, %217, %210 : tensor<2x2x2x2x2xi1>, tensor<2x2x2x2x2xf32>
    %227 = "tt.reduce"(%226) <{axis = 3 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
    %228 = tt.bitcast %227 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %229 = "tt.reduce"(%228) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %317 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %317 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %230 = tt.expand_dims %229 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %231 = tt.broadcast %230 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %232 = arith.xori %228, %231 : tensor<2x2x2x2xi32>
    %233 = tt.bitcast %232 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %234 = tt.reshape %59 : tensor<2xi32> -> tensor<1x1x1x2xi32>
    %235 = arith.cmpf ogt, %227, %233 : tensor<2x2x2x2xf32>
    %236 = arith.xori %234, %cst_1 : tensor<1x1x1x2xi32>
    %237 = arith.extui %235 : tensor<2x2x2x2xi1> to tensor<2x2x2x2xi32>
    %238 = tt.broadcast %236 : tensor<1x1x1x2xi32> -> tensor<2x2x2x2xi32>
    %239 = arith.cmpi ne, %237, %238 : tensor<2x2x2x2xi32>
    %240 = arith.select %239, %233, %227 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %241 = tt.reshape %240 : tensor<2x2x2x2xf32> -> tensor<8x2xf32>
    %242 = "tt.reduce"(%44) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %317 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %317 : f32
    }) : (tensor<8xf32>) -> f32
    %243 = "tt.reduce"(%cst_6) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      tt.reduce.return %arg2 : f32
    }) : (tensor<1xf32>) -> f32
    %244 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %245 = tt.addptr %244, %7 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %246 = tt.splat %43 : f32 -> tensor<8x16xf32>
    %247 = arith.addf %10, %246 : tensor<8x16xf32>
    %248 = tt.expand_dims %44 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %249 = tt.broadcast %248 : tensor<8x1xf32> -> tensor<8x16xf32>
    %250 = arith.addf %247, %249 : tensor<8x16xf32>
    %251 = tt.expand_dims %45#0 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %252 = tt.broadcast %251 : tensor<8x1xf32> -> tensor<8x16xf32>
    %253 = arith.addf %250, %252 : tensor<8x16xf32>
    %254 = tt.expand_dims %45#1 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %255 = arith.sitofp %254 : tensor<8x1xi32> to tensor<8x1xf32>
    %256 = tt.broadcast %255 : tensor<8x1xf32> -> tensor<8x16xf32>
    %257 = arith.addf %253, %256 : tensor<8x16xf32>
    %258 = tt.expand_dims %47#1 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %259 = arith.sitofp %258 : tensor<1x16xi32> to tensor<1x16xf32>
    %260 = tt.broadcast %259 : tensor<1x16xf32> -> tensor<8x16xf32>
    %261 = arith.addf %257, %260 : tensor<8x16xf32>
    %262 = arith.addf %261, %48 : tensor<8x16xf32>
    %263 = arith.addf %262, %49 : tensor<8x16xf32>
    %264 = arith.addf %263, %52 : tensor<8x16xf32>
    %265 = arith.addf %264, %40 : tensor<8x16xf32>
    %266 = arith.addf %265, %192 : tensor<8x16xf32>
    %267 = arith.addf %266, %cst_0 : tensor<8x16xf32>
    %268 = tt.splat %242 : f32 -> tensor<8x16xf32>
    %269 = arith.addf %267, %268 : tensor<8x16xf32>
    %270 = tt.splat %243 : f32 -> tensor<8x16xf32>
    %271 = arith.addf %269, %270 : tensor<8x16xf32>
    %272 = arith.addf %271, %outLHS : tensor<8x16xf32>
    %273 = arith.addf %272, %outRHS : tensor<8x16xf32>
    tt.store %245, %273 : tensor<8x16x!tt.ptr<f32>>
    %274 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %275 = tt.addptr %274, %3 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %276 = arith.addi %55, %57 : tensor<16xi32>
    %277 = arith.sitofp %276 : tensor<16xi32> to tensor<16xf32>
    tt.store %275, %277 : tensor<16x!tt.ptr<f32>>
    %278 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %279 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %280 = tt.addptr %279, %278 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %280, %17 : tensor<256x!tt.ptr<f32>>
    %281 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %282 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %283 = tt.addptr %282, %281 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %284 = arith.addf %20, %12 : tensor<128xf32>
    tt.store %283, %284 : tensor<128x!tt.ptr<f32>>
    %285 = arith.muli %1, %cst_5 : tensor<8x1xi32>
    %286 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %287 = tt.addptr %286, %285 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %288 = tt.expand_dims %59 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %289 = tt.broadcast %287 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x2x!tt.ptr<f32>>
    %290 = tt.broadcast %288 : tensor<1x2xi32> -> tensor<8x2xi32>
    %291 = tt.addptr %289, %290 : tensor<8x2x!tt.ptr<f32>>, tensor<8x2xi32>
    tt.store %291, %241 : tensor<8x2x!tt.ptr<f32>>
    %292 = arith.muli %1, %cst_4 : tensor<8x1xi32>
    %293 = tt.addptr %286, %292 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %294 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %295 = tt.expand_dims %294 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %296 = tt.broadcast %293 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x32x!tt.ptr<f32>>
    %297 = tt.broadcast %295 : tensor<1x32xi32> -> tensor<8x32xi32>
    %298 = tt.addptr %296, %297 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    tt.store %298, %19 : tensor<8x32x!tt.ptr<f32>>
    %299 = tt.expand_dims %59 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %300 = tt.expand_dims %299 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %301 = arith.muli %300, %cst_3 : tensor<2x1x1xi32>
    %302 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %303 = tt.addptr %302, %301 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %304 = tt.expand_dims %4 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %305 = tt.broadcast %303 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x16x1x!tt.ptr<f32>>
    %306 = tt.broadcast %304 : tensor<1x16x1xi32> -> tensor<2x16x1xi32>
    %307 = tt.addptr %305, %306 : tensor<2x16x1x!tt.ptr<f32>>, tensor<2x16x1xi32>
    %308 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %309 = tt.expand_dims %308 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %310 = tt.expand_dims %309 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
    %311 = tt.broadcast %307 : tensor<2x16x1x!tt.ptr<f32>> -> tensor<2x16x4x!tt.ptr<f32>>
    %312 = tt.broadcast %310 : tensor<1x1x4xi32> -> tensor<2x16x4xi32>
    %313 = tt.addptr %311, %312 : tensor<2x16x4x!tt.ptr<f32>>, tensor<2x16x4xi32>
    tt.store %313, %14 : tensor<2x16x4x!tt.ptr<f32>>
    %314 = tt.expand_dims %281 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %315 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
    %316 = tt.addptr %315, %314 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
    tt.store %316, %41 : tensor<1x128x!tt.ptr<f32>>
    tt.return
  }
}
