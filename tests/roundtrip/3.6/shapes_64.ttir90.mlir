module {
  tt.func public @shapes(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<1x64xi32>
    %cst_0 = arith.constant dense<3.000000e+00> : tensor<64x64xf32>
    %cst_1 = arith.constant dense<1> : tensor<1x1x1x1x1x1x2xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<4096xf32>
    %cst_3 = arith.constant dense<2048> : tensor<2x1x1xi32>
    %cst_4 = arith.constant dense<128> : tensor<64x1xi32>
    %cst_5 = arith.constant dense<2> : tensor<64x1xi32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<1xf32>
    %cst_7 = arith.constant dense<15> : tensor<4096xi32>
    %cst_8 = arith.constant dense<2.000000e+00> : tensor<64x64xf32>
    %cst_9 = arith.constant dense<64> : tensor<64x1xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = arith.muli %1, %cst_9 : tensor<64x1xi32>
    %3 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %4 = tt.broadcast %2 : tensor<64x1xi32> -> tensor<64x64xi32>
    %5 = tt.broadcast %3 : tensor<1x64xi32> -> tensor<64x64xi32>
    %6 = arith.addi %4, %5 : tensor<64x64xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %8 = tt.addptr %7, %6 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %9 = tt.load %8 : tensor<64x64x!tt.ptr<f32>>
    %10 = tt.trans %9 {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    %11 = tt.reshape %10 : tensor<64x64xf32> -> tensor<4096xf32>
    %12 = tt.reshape %9 : tensor<64x64xf32> -> tensor<32x2x64xf32>
    %13 = tt.trans %12 {order = array<i32: 1, 2, 0>} : tensor<32x2x64xf32> -> tensor<2x64x32xf32>
    %14 = arith.mulf %9, %cst_8 : tensor<64x64xf32>
    %15 = tt.join %9, %14 : tensor<64x64xf32> -> tensor<64x64x2xf32>
    %outLHS, %outRHS = tt.split %15 : tensor<64x64x2xf32> -> tensor<64x64xf32>
    %16 = tt.cat %11, %11 : tensor<4096xf32> -> tensor<8192xf32>
    %17 = tt.join %outLHS, %outRHS : tensor<64x64xf32> -> tensor<64x64x2xf32>
    %18 = tt.reshape %17 : tensor<64x64x2xf32> -> tensor<64x128xf32>
    %19 = tt.reshape %9 : tensor<64x64xf32> -> tensor<4096xf32>
    %20 = tt.bitcast %9 : tensor<64x64xf32> -> tensor<64x64xi32>
    %21 = tt.reshape %20 : tensor<64x64xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %22 = "tt.reduce"(%21) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x1x2x2x2x2x2xi32>
    %24 = tt.broadcast %23 : tensor<64x1x2x2x2x2x2xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %25 = arith.xori %21, %24 : tensor<64x2x2x2x2x2x2xi32>
    %26 = "tt.reduce"(%25) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %27 = tt.expand_dims %26 {axis = 2 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x2x1x2x2x2x2xi32>
    %28 = tt.broadcast %27 : tensor<64x2x1x2x2x2x2xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %29 = arith.xori %25, %28 : tensor<64x2x2x2x2x2x2xi32>
    %30 = "tt.reduce"(%29) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %31 = tt.expand_dims %30 {axis = 3 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x2x2x1x2x2x2xi32>
    %32 = tt.broadcast %31 : tensor<64x2x2x1x2x2x2xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %33 = arith.xori %29, %32 : tensor<64x2x2x2x2x2x2xi32>
    %34 = "tt.reduce"(%33) <{axis = 4 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %35 = tt.expand_dims %34 {axis = 4 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x2x2x2x1x2x2xi32>
    %36 = tt.broadcast %35 : tensor<64x2x2x2x1x2x2xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %37 = arith.xori %33, %36 : tensor<64x2x2x2x2x2x2xi32>
    %38 = "tt.reduce"(%37) <{axis = 5 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %39 = tt.expand_dims %38 {axis = 5 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x2x2x2x2x1x2xi32>
    %40 = tt.broadcast %39 : tensor<64x2x2x2x2x1x2xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %41 = arith.xori %37, %40 : tensor<64x2x2x2x2x2x2xi32>
    %42 = "tt.reduce"(%41) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<64x2x2x2x2x2x2xi32>) -> tensor<64x2x2x2x2x2xi32>
    %43 = tt.expand_dims %42 {axis = 6 : i32} : tensor<64x2x2x2x2x2xi32> -> tensor<64x2x2x2x2x2x1xi32>
    %44 = tt.broadcast %43 : tensor<64x2x2x2x2x2x1xi32> -> tensor<64x2x2x2x2x2x2xi32>
    %45 = arith.xori %41, %44 : tensor<64x2x2x2x2x2x2xi32>
    %46 = tt.reshape %45 : tensor<64x2x2x2x2x2x2xi32> -> tensor<64x64xi32>
    %47 = tt.bitcast %46 : tensor<64x64xi32> -> tensor<64x64xf32>
    %48 = tt.expand_dims %11 {axis = 0 : i32} : tensor<4096xf32> -> tensor<1x4096xf32>
    %49 = tt.reshape %9 allow_reorder : tensor<64x64xf32> -> tensor<4096xf32>
    %50 = "tt.reduce"(%49) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<4096xf32>) -> f32
    %51 = "tt.reduce"(%9) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %52:2 = "tt.reduce"(%9, %5) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %509 = arith.cmpf oeq, %arg2, %arg4 : f32
      %510 = arith.cmpi slt, %arg3, %arg5 : i32
      %511 = arith.andi %509, %510 : i1
      %512 = arith.cmpf ogt, %arg2, %arg4 : f32
      %513 = arith.ori %512, %511 : i1
      %514 = arith.select %513, %arg2, %arg4 : f32
      %515 = arith.select %513, %arg3, %arg5 : i32
      tt.reduce.return %514, %515 : f32, i32
    }) : (tensor<64x64xf32>, tensor<64x64xi32>) -> (tensor<64xf32>, tensor<64xi32>)
    %53 = tt.broadcast %1 : tensor<64x1xi32> -> tensor<64x64xi32>
    %54:2 = "tt.reduce"(%9, %53) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %509 = arith.cmpf oeq, %arg2, %arg4 : f32
      %510 = arith.cmpi slt, %arg3, %arg5 : i32
      %511 = arith.andi %509, %510 : i1
      %512 = arith.cmpf olt, %arg2, %arg4 : f32
      %513 = arith.ori %512, %511 : i1
      %514 = arith.select %513, %arg2, %arg4 : f32
      %515 = arith.select %513, %arg3, %arg5 : i32
      tt.reduce.return %514, %515 : f32, i32
    }) : (tensor<64x64xf32>, tensor<64x64xi32>) -> (tensor<64xf32>, tensor<64xi32>)
    %55 = "tt.scan"(%9) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %509 : f32
    }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %56 = "tt.scan"(%9) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.mulf %arg2, %arg3 : f32
      tt.scan.return %509 : f32
    }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %57 = arith.andi %3, %cst : tensor<1x64xi32>
    %58 = tt.broadcast %57 : tensor<1x64xi32> -> tensor<64x64xi32>
    %59 = tt.gather %9[%58] {axis = 1 : i32} : (tensor<64x64xf32>, tensor<64x64xi32>) -> tensor<64x64xf32>
    %60 = arith.fptosi %11 : tensor<4096xf32> to tensor<4096xi32>
    %61 = arith.andi %60, %cst_7 : tensor<4096xi32>
    %62 = tt.histogram %61 : tensor<4096xi32> -> tensor<16xi32>
    %63 = arith.cmpf ogt, %11, %cst_2 : tensor<4096xf32>
    %64 = tt.histogram %61, %63 : tensor<4096xi32> -> tensor<16xi32>
    %65 = tt.reshape %9 : tensor<64x64xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %66 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %67 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32>
    %68 = tt.bitcast %65 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %69 = "tt.reduce"(%68) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %70 = tt.expand_dims %69 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %71 = tt.broadcast %70 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %72 = arith.xori %68, %71 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %73 = tt.bitcast %72 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %74 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32>
    %75 = arith.cmpf ogt, %65, %73 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %76 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x1x1x1x2x2xi32>
    %77 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x1x1x1x2x2xi32>
    %78 = arith.xori %76, %77 : tensor<1x1x1x1x1x1x1x1x1x1x2x2xi32>
    %79 = arith.extui %75 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %80 = tt.broadcast %78 : tensor<1x1x1x1x1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %81 = arith.cmpi ne, %79, %80 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %82 = arith.select %81, %73, %65 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %83 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32>
    %84 = tt.bitcast %82 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %85 = "tt.reduce"(%84) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %86 = tt.expand_dims %85 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32>
    %87 = tt.broadcast %86 : tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %88 = arith.xori %84, %87 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %89 = tt.bitcast %88 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %90 = arith.cmpf ogt, %82, %89 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %91 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x2x1xi32>
    %92 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x2x1xi32>
    %93 = arith.xori %91, %92 : tensor<1x1x1x1x1x1x1x1x1x2x2x1xi32>
    %94 = arith.extui %90 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %95 = tt.broadcast %93 : tensor<1x1x1x1x1x1x1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %96 = arith.cmpi ne, %94, %95 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %97 = arith.select %96, %89, %82 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %98 = tt.bitcast %97 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %99 = "tt.reduce"(%98) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %100 = tt.expand_dims %99 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %101 = tt.broadcast %100 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %102 = arith.xori %98, %101 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %103 = tt.bitcast %102 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %104 = arith.cmpf ogt, %97, %103 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %105 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x1x2xi32>
    %106 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x1x2xi32>
    %107 = arith.xori %105, %106 : tensor<1x1x1x1x1x1x1x1x1x2x1x2xi32>
    %108 = arith.extui %104 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %109 = tt.broadcast %107 : tensor<1x1x1x1x1x1x1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %110 = arith.cmpi ne, %108, %109 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %111 = arith.select %110, %103, %97 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %112 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32>
    %113 = tt.bitcast %111 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %114 = "tt.reduce"(%113) <{axis = 9 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %115 = tt.expand_dims %114 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32>
    %116 = tt.broadcast %115 : tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %117 = arith.xori %113, %116 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %118 = tt.bitcast %117 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %119 = arith.cmpf ogt, %111, %118 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %120 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x2x1x1xi32>
    %121 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x2x1x1xi32>
    %122 = arith.xori %120, %121 : tensor<1x1x1x1x1x1x1x1x2x2x1x1xi32>
    %123 = arith.extui %119 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %124 = tt.broadcast %122 : tensor<1x1x1x1x1x1x1x1x2x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %125 = arith.cmpi ne, %123, %124 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %126 = arith.select %125, %118, %111 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %127 = tt.bitcast %126 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %128 = "tt.reduce"(%127) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %129 = tt.expand_dims %128 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32>
    %130 = tt.broadcast %129 : tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %131 = arith.xori %127, %130 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %132 = tt.bitcast %131 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %133 = arith.cmpf ogt, %126, %132 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %134 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x1x2x1xi32>
    %135 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x1x2x1xi32>
    %136 = arith.xori %134, %135 : tensor<1x1x1x1x1x1x1x1x2x1x2x1xi32>
    %137 = arith.extui %133 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %138 = tt.broadcast %136 : tensor<1x1x1x1x1x1x1x1x2x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %139 = arith.cmpi ne, %137, %138 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %140 = arith.select %139, %132, %126 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %141 = tt.bitcast %140 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %142 = "tt.reduce"(%141) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %143 = tt.expand_dims %142 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %144 = tt.broadcast %143 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %145 = arith.xori %141, %144 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %146 = tt.bitcast %145 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %147 = arith.cmpf ogt, %140, %146 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %148 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x1x1x2xi32>
    %149 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1x1x2xi32>
    %150 = arith.xori %148, %149 : tensor<1x1x1x1x1x1x1x1x2x1x1x2xi32>
    %151 = arith.extui %147 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %152 = tt.broadcast %150 : tensor<1x1x1x1x1x1x1x1x2x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %153 = arith.cmpi ne, %151, %152 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %154 = arith.select %153, %146, %140 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %155 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32>
    %156 = tt.bitcast %154 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %157 = "tt.reduce"(%156) <{axis = 8 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %158 = tt.expand_dims %157 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32>
    %159 = tt.broadcast %158 : tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %160 = arith.xori %156, %159 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %161 = tt.bitcast %160 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %162 = arith.cmpf ogt, %154, %161 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %163 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x2x1x1x1xi32>
    %164 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x2x1x1x1xi32>
    %165 = arith.xori %163, %164 : tensor<1x1x1x1x1x1x1x2x2x1x1x1xi32>
    %166 = arith.extui %162 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %167 = tt.broadcast %165 : tensor<1x1x1x1x1x1x1x2x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %168 = arith.cmpi ne, %166, %167 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %169 = arith.select %168, %161, %154 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %170 = tt.bitcast %169 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %171 = "tt.reduce"(%170) <{axis = 9 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %172 = tt.expand_dims %171 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32>
    %173 = tt.broadcast %172 : tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %174 = arith.xori %170, %173 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %175 = tt.bitcast %174 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %176 = arith.cmpf ogt, %169, %175 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %177 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x1x2x1x1xi32>
    %178 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x1x2x1x1xi32>
    %179 = arith.xori %177, %178 : tensor<1x1x1x1x1x1x1x2x1x2x1x1xi32>
    %180 = arith.extui %176 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %181 = tt.broadcast %179 : tensor<1x1x1x1x1x1x1x2x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %182 = arith.cmpi ne, %180, %181 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %183 = arith.select %182, %175, %169 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %184 = tt.bitcast %183 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %185 = "tt.reduce"(%184) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %186 = tt.expand_dims %185 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32>
    %187 = tt.broadcast %186 : tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %188 = arith.xori %184, %187 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %189 = tt.bitcast %188 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %190 = arith.cmpf ogt, %183, %189 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %191 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x1x1x2x1xi32>
    %192 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x2x1x1x2x1xi32>
    %193 = arith.xori %191, %192 : tensor<1x1x1x1x1x1x1x2x1x1x2x1xi32>
    %194 = arith.extui %190 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %195 = tt.broadcast %193 : tensor<1x1x1x1x1x1x1x2x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %196 = arith.cmpi ne, %194, %195 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %197 = arith.select %196, %189, %183 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %198 = tt.bitcast %197 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %199 = "tt.reduce"(%198) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %200 = tt.expand_dims %199 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %201 = tt.broadcast %200 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %202 = arith.xori %198, %201 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %203 = tt.bitcast %202 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %204 = arith.cmpf ogt, %197, %203 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %205 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x1x2x1x1x1x2xi32>
    %206 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1x1x2xi32>
    %207 = arith.xori %205, %206 : tensor<1x1x1x1x1x1x1x2x1x1x1x2xi32>
    %208 = arith.extui %204 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %209 = tt.broadcast %207 : tensor<1x1x1x1x1x1x1x2x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %210 = arith.cmpi ne, %208, %209 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %211 = arith.select %210, %203, %197 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %212 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32>
    %213 = tt.bitcast %211 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %214 = "tt.reduce"(%213) <{axis = 7 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %215 = tt.expand_dims %214 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2x2x2xi32>
    %216 = tt.broadcast %215 : tensor<2x2x2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %217 = arith.xori %213, %216 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %218 = tt.bitcast %217 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %219 = arith.cmpf ogt, %211, %218 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %220 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x2x1x1x1x1xi32>
    %221 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x2x1x1x1x1xi32>
    %222 = arith.xori %220, %221 : tensor<1x1x1x1x1x1x2x2x1x1x1x1xi32>
    %223 = arith.extui %219 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %224 = tt.broadcast %222 : tensor<1x1x1x1x1x1x2x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %225 = arith.cmpi ne, %223, %224 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %226 = arith.select %225, %218, %211 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %227 = tt.bitcast %226 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %228 = "tt.reduce"(%227) <{axis = 8 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %229 = tt.expand_dims %228 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32>
    %230 = tt.broadcast %229 : tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %231 = arith.xori %227, %230 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %232 = tt.bitcast %231 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %233 = arith.cmpf ogt, %226, %232 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %234 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x2x1x1x1xi32>
    %235 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x2x1x1x1xi32>
    %236 = arith.xori %234, %235 : tensor<1x1x1x1x1x1x2x1x2x1x1x1xi32>
    %237 = arith.extui %233 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %238 = tt.broadcast %236 : tensor<1x1x1x1x1x1x2x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %239 = arith.cmpi ne, %237, %238 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %240 = arith.select %239, %232, %226 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %241 = tt.bitcast %240 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %242 = "tt.reduce"(%241) <{axis = 9 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %243 = tt.expand_dims %242 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32>
    %244 = tt.broadcast %243 : tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %245 = arith.xori %241, %244 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %246 = tt.bitcast %245 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %247 = arith.cmpf ogt, %240, %246 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %248 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x1x2x1x1xi32>
    %249 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x1x2x1x1xi32>
    %250 = arith.xori %248, %249 : tensor<1x1x1x1x1x1x2x1x1x2x1x1xi32>
    %251 = arith.extui %247 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %252 = tt.broadcast %250 : tensor<1x1x1x1x1x1x2x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %253 = arith.cmpi ne, %251, %252 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %254 = arith.select %253, %246, %240 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %255 = tt.bitcast %254 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %256 = "tt.reduce"(%255) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %257 = tt.expand_dims %256 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32>
    %258 = tt.broadcast %257 : tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %259 = arith.xori %255, %258 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %260 = tt.bitcast %259 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %261 = arith.cmpf ogt, %254, %260 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %262 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x1x1x2x1xi32>
    %263 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x2x1x1x1x2x1xi32>
    %264 = arith.xori %262, %263 : tensor<1x1x1x1x1x1x2x1x1x1x2x1xi32>
    %265 = arith.extui %261 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %266 = tt.broadcast %264 : tensor<1x1x1x1x1x1x2x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %267 = arith.cmpi ne, %265, %266 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %268 = arith.select %267, %260, %254 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %269 = tt.bitcast %268 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %270 = "tt.reduce"(%269) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %271 = tt.expand_dims %270 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %272 = tt.broadcast %271 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %273 = arith.xori %269, %272 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %274 = tt.bitcast %273 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %275 = arith.cmpf ogt, %268, %274 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %276 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<1x1x1x1x1x1x2x1x1x1x1x2xi32>
    %277 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1x1x2xi32>
    %278 = arith.xori %276, %277 : tensor<1x1x1x1x1x1x2x1x1x1x1x2xi32>
    %279 = arith.extui %275 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %280 = tt.broadcast %278 : tensor<1x1x1x1x1x1x2x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %281 = arith.cmpi ne, %279, %280 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %282 = arith.select %281, %274, %268 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %283 = tt.bitcast %282 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %284 = "tt.reduce"(%283) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %285 = tt.expand_dims %284 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2x2x2xi32>
    %286 = tt.broadcast %285 : tensor<2x2x2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %287 = arith.xori %283, %286 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %288 = tt.bitcast %287 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %289 = arith.cmpf ogt, %282, %288 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %290 = arith.extui %289 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %291 = tt.broadcast %212 : tensor<1x1x1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %292 = arith.cmpi ne, %290, %291 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %293 = arith.select %292, %288, %282 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %294 = tt.bitcast %293 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %295 = "tt.reduce"(%294) <{axis = 7 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %296 = tt.expand_dims %295 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2x2x2xi32>
    %297 = tt.broadcast %296 : tensor<2x2x2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %298 = arith.xori %294, %297 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %299 = tt.bitcast %298 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %300 = arith.cmpf ogt, %293, %299 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %301 = arith.extui %300 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %302 = tt.broadcast %155 : tensor<1x1x1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %303 = arith.cmpi ne, %301, %302 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %304 = arith.select %303, %299, %293 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %305 = tt.bitcast %304 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %306 = "tt.reduce"(%305) <{axis = 8 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %307 = tt.expand_dims %306 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32>
    %308 = tt.broadcast %307 : tensor<2x2x2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %309 = arith.xori %305, %308 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %310 = tt.bitcast %309 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %311 = arith.cmpf ogt, %304, %310 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %312 = arith.extui %311 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %313 = tt.broadcast %112 : tensor<1x1x1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %314 = arith.cmpi ne, %312, %313 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %315 = arith.select %314, %310, %304 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %316 = tt.bitcast %315 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %317 = "tt.reduce"(%316) <{axis = 9 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %318 = tt.expand_dims %317 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32>
    %319 = tt.broadcast %318 : tensor<2x2x2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %320 = arith.xori %316, %319 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %321 = tt.bitcast %320 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %322 = arith.cmpf ogt, %315, %321 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %323 = arith.extui %322 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %324 = tt.broadcast %83 : tensor<1x1x1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %325 = arith.cmpi ne, %323, %324 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %326 = arith.select %325, %321, %315 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %327 = tt.bitcast %326 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %328 = "tt.reduce"(%327) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %329 = tt.expand_dims %328 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32>
    %330 = tt.broadcast %329 : tensor<2x2x2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %331 = arith.xori %327, %330 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %332 = tt.bitcast %331 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %333 = arith.cmpf ogt, %326, %332 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %334 = arith.extui %333 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %335 = tt.broadcast %67 : tensor<1x1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %336 = arith.cmpi ne, %334, %335 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %337 = arith.select %336, %332, %326 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %338 = tt.bitcast %337 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %339 = "tt.reduce"(%338) <{axis = 11 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %340 = tt.expand_dims %339 {axis = 11 : i32} : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32>
    %341 = tt.broadcast %340 : tensor<2x2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %342 = arith.xori %338, %341 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %343 = tt.bitcast %342 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %344 = arith.cmpf ogt, %337, %343 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %345 = arith.extui %344 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %346 = tt.broadcast %74 : tensor<1x1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %347 = arith.cmpi ne, %345, %346 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi32>
    %348 = arith.select %347, %343, %337 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>
    %349 = tt.reshape %348 : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<64x64xf32>
    %350 = "tt.reduce"(%82) <{axis = 10 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
    %351 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x1xi32>
    %352 = tt.bitcast %350 : tensor<2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %353 = "tt.reduce"(%352) <{axis = 10 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %354 = tt.expand_dims %353 {axis = 10 : i32} : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x1xi32>
    %355 = tt.broadcast %354 : tensor<2x2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %356 = arith.xori %352, %355 : tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %357 = tt.bitcast %356 : tensor<2x2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
    %358 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x1x2xi32>
    %359 = arith.cmpf ogt, %350, %357 : tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
    %360 = tt.broadcast %351 : tensor<1x1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x2xi32>
    %361 = tt.broadcast %358 : tensor<1x1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2x2xi32>
    %362 = arith.xori %360, %361 : tensor<1x1x1x1x1x1x1x1x1x2x2xi32>
    %363 = arith.extui %359 : tensor<2x2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %364 = tt.broadcast %362 : tensor<1x1x1x1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %365 = arith.cmpi ne, %363, %364 : tensor<2x2x2x2x2x2x2x2x2x2x2xi32>
    %366 = arith.select %365, %357, %350 : tensor<2x2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
    %367 = "tt.reduce"(%366) <{axis = 9 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2x2x2xf32>
    %368 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %369 = tt.bitcast %367 : tensor<2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %370 = "tt.reduce"(%369) <{axis = 9 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %371 = tt.expand_dims %370 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %372 = tt.broadcast %371 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %373 = arith.xori %369, %372 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %374 = tt.bitcast %373 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xf32>
    %375 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %376 = arith.cmpf ogt, %367, %374 : tensor<2x2x2x2x2x2x2x2x2x2xf32>
    %377 = tt.broadcast %368 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x1x2x2xi32>
    %378 = tt.broadcast %375 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x1x2x2xi32>
    %379 = arith.xori %377, %378 : tensor<1x1x1x1x1x1x1x1x2x2xi32>
    %380 = arith.extui %376 : tensor<2x2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %381 = tt.broadcast %379 : tensor<1x1x1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %382 = arith.cmpi ne, %380, %381 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %383 = arith.select %382, %374, %367 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xf32>
    %384 = "tt.reduce"(%383) <{axis = 8 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2x2xf32>
    %385 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1xi32>
    %386 = tt.bitcast %384 : tensor<2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %387 = "tt.reduce"(%386) <{axis = 8 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2xi32>
    %388 = tt.expand_dims %387 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1xi32>
    %389 = tt.broadcast %388 : tensor<2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %390 = arith.xori %386, %389 : tensor<2x2x2x2x2x2x2x2x2xi32>
    %391 = tt.bitcast %390 : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2xf32>
    %392 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2xi32>
    %393 = arith.cmpf ogt, %384, %391 : tensor<2x2x2x2x2x2x2x2x2xf32>
    %394 = tt.broadcast %385 : tensor<1x1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x1x2x2xi32>
    %395 = tt.broadcast %392 : tensor<1x1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x1x2x2xi32>
    %396 = arith.xori %394, %395 : tensor<1x1x1x1x1x1x1x2x2xi32>
    %397 = arith.extui %393 : tensor<2x2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2x2xi32>
    %398 = tt.broadcast %396 : tensor<1x1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %399 = arith.cmpi ne, %397, %398 : tensor<2x2x2x2x2x2x2x2x2xi32>
    %400 = arith.select %399, %391, %384 : tensor<2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2xf32>
    %401 = "tt.reduce"(%400) <{axis = 7 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2xf32>
    %402 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1xi32>
    %403 = tt.bitcast %401 : tensor<2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %404 = "tt.reduce"(%403) <{axis = 7 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2xi32>
    %405 = tt.expand_dims %404 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1xi32>
    %406 = tt.broadcast %405 : tensor<2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %407 = arith.xori %403, %406 : tensor<2x2x2x2x2x2x2x2xi32>
    %408 = tt.bitcast %407 : tensor<2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2xf32>
    %409 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2xi32>
    %410 = arith.cmpf ogt, %401, %408 : tensor<2x2x2x2x2x2x2x2xf32>
    %411 = tt.broadcast %402 : tensor<1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x2x2xi32>
    %412 = tt.broadcast %409 : tensor<1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x2x2xi32>
    %413 = arith.xori %411, %412 : tensor<1x1x1x1x1x1x2x2xi32>
    %414 = arith.extui %410 : tensor<2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2xi32>
    %415 = tt.broadcast %413 : tensor<1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %416 = arith.cmpi ne, %414, %415 : tensor<2x2x2x2x2x2x2x2xi32>
    %417 = arith.select %416, %408, %401 : tensor<2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2xf32>
    %418 = "tt.reduce"(%417) <{axis = 6 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %419 = tt.bitcast %418 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %420 = "tt.reduce"(%419) <{axis = 6 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %509 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %509 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %421 = tt.expand_dims %420 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %422 = tt.broadcast %421 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %423 = arith.xori %419, %422 : tensor<2x2x2x2x2x2x2xi32>
    %424 = tt.bitcast %423 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %425 = tt.reshape %66 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2xi32>
    %426 = arith.cmpf ogt, %418, %424 : tensor<2x2x2x2x2x2x2xf32>
    %427 = arith.xori %425, %cst_1 : tensor<1x1x1x1x1x1x2xi32>
    %428 = arith.extui %426 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %429 = tt.broadcast %427 : tensor<1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %430 = arith.cmpi ne, %428, %429 : tensor<2x2x2x2x2x2x2xi32>
    %431 = arith.select %430, %424, %418 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %432 = tt.reshape %431 : tensor<2x2x2x2x2x2x2xf32> -> tensor<64x2xf32>
    %433 = "tt.reduce"(%51) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %509 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %509 : f32
    }) : (tensor<64xf32>) -> f32
    %434 = tt.unsplat %cst_6 : tensor<1xf32>
    %435 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %436 = tt.addptr %435, %6 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %437 = tt.splat %50 : f32 -> tensor<64x64xf32>
    %438 = arith.addf %9, %437 : tensor<64x64xf32>
    %439 = tt.expand_dims %51 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %440 = tt.broadcast %439 : tensor<64x1xf32> -> tensor<64x64xf32>
    %441 = arith.addf %438, %440 : tensor<64x64xf32>
    %442 = tt.expand_dims %52#0 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %443 = tt.broadcast %442 : tensor<64x1xf32> -> tensor<64x64xf32>
    %444 = arith.addf %441, %443 : tensor<64x64xf32>
    %445 = tt.expand_dims %52#1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %446 = arith.sitofp %445 : tensor<64x1xi32> to tensor<64x1xf32>
    %447 = tt.broadcast %446 : tensor<64x1xf32> -> tensor<64x64xf32>
    %448 = arith.addf %444, %447 : tensor<64x64xf32>
    %449 = tt.expand_dims %54#1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %450 = arith.sitofp %449 : tensor<1x64xi32> to tensor<1x64xf32>
    %451 = tt.broadcast %450 : tensor<1x64xf32> -> tensor<64x64xf32>
    %452 = arith.addf %448, %451 : tensor<64x64xf32>
    %453 = arith.addf %452, %55 : tensor<64x64xf32>
    %454 = arith.addf %453, %56 : tensor<64x64xf32>
    %455 = arith.addf %454, %59 : tensor<64x64xf32>
    %456 = arith.addf %455, %47 : tensor<64x64xf32>
    %457 = arith.addf %456, %349 : tensor<64x64xf32>
    %458 = arith.addf %457, %cst_0 : tensor<64x64xf32>
    %459 = tt.splat %433 : f32 -> tensor<64x64xf32>
    %460 = arith.addf %458, %459 : tensor<64x64xf32>
    %461 = tt.splat %434 : f32 -> tensor<64x64xf32>
    %462 = arith.addf %460, %461 : tensor<64x64xf32>
    %463 = arith.addf %462, %outLHS : tensor<64x64xf32>
    %464 = arith.addf %463, %outRHS : tensor<64x64xf32>
    tt.store %436, %464 : tensor<64x64x!tt.ptr<f32>>
    %465 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %466 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %467 = tt.addptr %466, %465 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %468 = arith.addi %62, %64 : tensor<16xi32>
    %469 = arith.sitofp %468 : tensor<16xi32> to tensor<16xf32>
    tt.store %467, %469 : tensor<16x!tt.ptr<f32>>
    %470 = tt.make_range {end = 8192 : i32, start = 0 : i32} : tensor<8192xi32>
    %471 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>>
    %472 = tt.addptr %471, %470 : tensor<8192x!tt.ptr<f32>>, tensor<8192xi32>
    tt.store %472, %16 : tensor<8192x!tt.ptr<f32>>
    %473 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %474 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %475 = tt.addptr %474, %473 : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
    %476 = arith.addf %19, %11 : tensor<4096xf32>
    tt.store %475, %476 : tensor<4096x!tt.ptr<f32>>
    %477 = arith.muli %1, %cst_5 : tensor<64x1xi32>
    %478 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %479 = tt.addptr %478, %477 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %480 = tt.expand_dims %66 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %481 = tt.broadcast %479 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x2x!tt.ptr<f32>>
    %482 = tt.broadcast %480 : tensor<1x2xi32> -> tensor<64x2xi32>
    %483 = tt.addptr %481, %482 : tensor<64x2x!tt.ptr<f32>>, tensor<64x2xi32>
    tt.store %483, %432 : tensor<64x2x!tt.ptr<f32>>
    %484 = arith.muli %1, %cst_4 : tensor<64x1xi32>
    %485 = tt.addptr %478, %484 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %486 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %487 = tt.expand_dims %486 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %488 = tt.broadcast %485 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x128x!tt.ptr<f32>>
    %489 = tt.broadcast %487 : tensor<1x128xi32> -> tensor<64x128xi32>
    %490 = tt.addptr %488, %489 : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %490, %18 : tensor<64x128x!tt.ptr<f32>>
    %491 = tt.expand_dims %66 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %492 = tt.expand_dims %491 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %493 = arith.muli %492, %cst_3 : tensor<2x1x1xi32>
    %494 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %495 = tt.addptr %494, %493 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %496 = tt.expand_dims %3 {axis = 2 : i32} : tensor<1x64xi32> -> tensor<1x64x1xi32>
    %497 = tt.broadcast %495 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x64x1x!tt.ptr<f32>>
    %498 = tt.broadcast %496 : tensor<1x64x1xi32> -> tensor<2x64x1xi32>
    %499 = tt.addptr %497, %498 : tensor<2x64x1x!tt.ptr<f32>>, tensor<2x64x1xi32>
    %500 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %501 = tt.expand_dims %500 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %502 = tt.expand_dims %501 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
    %503 = tt.broadcast %499 : tensor<2x64x1x!tt.ptr<f32>> -> tensor<2x64x32x!tt.ptr<f32>>
    %504 = tt.broadcast %502 : tensor<1x1x32xi32> -> tensor<2x64x32xi32>
    %505 = tt.addptr %503, %504 : tensor<2x64x32x!tt.ptr<f32>>, tensor<2x64x32xi32>
    tt.store %505, %13 : tensor<2x64x32x!tt.ptr<f32>>
    %506 = tt.expand_dims %473 {axis = 0 : i32} : tensor<4096xi32> -> tensor<1x4096xi32>
    %507 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x4096x!tt.ptr<f32>>
    %508 = tt.addptr %507, %506 : tensor<1x4096x!tt.ptr<f32>>, tensor<1x4096xi32>
    tt.store %508, %48 : tensor<1x4096x!tt.ptr<f32>>
    tt.return
  }
}
