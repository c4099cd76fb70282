module attributes {tt.x = 1 : i64, ttg.y = "a\22b\\c\0A"} {
  tt.func private @decl(i32, tensor<8xf32>) -> (i32 {tt.a}, f32)
  tt.func public @"two words"() attributes {noinline = false} {
    tt.return
  }
  tt.func public @rare(%arg0: !tt.ptr<f32> {tt.b = [1, 2 : i32, "s", 1.500000e+00, 2.500000e+00 : f32, @sym, unit, true], tt.divisibility = 16 : i32}, %arg1: i32, %arg2: f32, %arg3: index, %arg4: tensor<8xf32>, %arg5: tensor<8xi32>, %arg6: i1, %arg7: !tt.ptr<f32, 3>, %arg8: !tt.ptr<!tt.ptr<f16>>) -> (i32, f32) {
    %0 = arith.ceildivsi %arg1, %arg1 : i32
    %1 = arith.ceildivui %arg1, %arg1 : i32
    %2 = arith.floordivsi %arg1, %arg1 : i32
    %3 = arith.index_cast %arg1 : i32 to index
    %4 = arith.index_castui %arg3 : index to i32
    %5 = arith.negf %arg2 : f32
    %6 = arith.addi %arg1, %arg1 overflow<nsw, nuw> : i32
    %7 = arith.addf %arg2, %arg2 fastmath<fast> : f32
    %8 = arith.divsi %arg1, %arg1 {foo = 1 : i32} : i32
    %9 = arith.extui %arg1 : i32 to i64
    %10 = arith.truncf %arg2 to_nearest_even : f32 to f16
    %11 = arith.select %arg6, %arg4, %arg4 : tensor<8xf32>
    %12 = arith.cmpf false, %arg2, %arg2 fastmath<nnan> : f32
    %13 = math.acos %arg2 : f32
    %14 = math.asin %arg2 fastmath<afn> : f32
    %15 = math.atan %arg2 : f32
    %16 = math.atan2 %arg2, %arg2 : f32
    %17 = math.cbrt %arg2 : f32
    %18 = math.copysign %arg2, %arg2 : f32
    %19 = math.cosh %arg2 : f32
    %20 = math.sinh %arg2 : f32
    %21 = math.tan %arg2 : f32
    %22 = math.tanh %arg2 : f32
    %23 = math.expm1 %arg2 : f32
    %24 = math.log10 %arg2 : f32
    %25 = math.log1p %arg2 : f32
    %26 = math.powf %arg2, %arg2 : f32
    %27 = math.round %arg2 : f32
    %28 = math.roundeven %arg2 : f32
    %29 = math.trunc %arg2 : f32
    %30 = tt.reshape %arg4 allow_reorder efficient_layout : tensor<8xf32> -> tensor<2x4xf32>
    %31 = tt.load %arg0 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true, z} : !tt.ptr<f32>
    %32 = tt.load %arg7 : !tt.ptr<f32, 3>
    %33 = tt.load %arg8 : !tt.ptr<!tt.ptr<f16>>
    %34 = tt.fp_to_fp %arg2, rounding = rtne : f32 -> f16
    %cst = arith.constant dense<[1, 2, 3, -4]> : tensor<4xi32>
    %cst_0 = arith.constant dense<[[1.000000e+00, 2.500000e+00], [0x7FC00000, -0.000000e+00]]> : tensor<2x2xf32>
    %cst_1 = arith.constant dense<[true, false]> : tensor<2xi1>
    %cst_2 = arith.constant dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000101010101111111112121212131313131414141415151515161616161717171718181818191919191A1A1A1A1B1B1B1B1C1C1C1C1D1D1D1D1E1E1E1E1F1F1F1F202020202121212122222222232323232424242425252525262626262727272728282828292929292A2A2A2A2B2B2B2B2C2C2C2C2D2D2D2D2E2E2E2E2F2F2F2F303030303131313132323232333333333434343435353535363636363737373738383838393939393A3A3A3A3B3B3B3B3C3C3C3C3D3D3D3D3E3E3E3E3F3F3F3F000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000101010101111111112121212131313131414141415151515161616161717171718181818191919191A1A1A1A1B1B1B1B1C1C1C1C1D1D1D1D1E1E1E1E1F1F1F1F202020202121212122222222232323232424242425252525262626262727272728282828292929292A2A2A2A2B2B2B2B2C2C2C2C2D2D2D2D2E2E2E2E2F2F2F2F303030303131313132323232333333333434343435353535363636363737373738383838393939393A3A3A3A3B3B3B3B3C3C3C3C3D3D3D3D3E3E3E3E3F3F3F3F"> : tensor<128xi32>
    %c64 = arith.constant 64 : index
    %cst_3 = arith.constant 0x7F800000 : f32
    %cst_4 = arith.constant -1.500000e+00 : bf16
    %cst_5 = arith.constant 9.997550e-02 : f16
    %cst_6 = arith.constant 1.000000e-01 : f64
    %cst_7 = arith.constant 1.000000e+30 : f32
    %cst_8 = arith.constant 0x419D6F3454000000 : f64
    %cst_9 = arith.constant 0x4B800000 : f32
    %cst_10 = arith.constant 4.940660e-324 : f64
    %cst_11 = arith.constant 1.17549435E-38 : f32
    %cst_12 = arith.constant 6.550400e+04 : f16
    %cst_13 = arith.constant 4.480000e+02 : f8E4M3FN
    %cst_14 = arith.constant 3.051760e-05 : f8E5M2
    %cst_15 = arith.constant 99999.9531 : f32
    %cst_16 = arith.constant 1.23456789E-4 : f64
    %cst_17 = arith.constant 0.0012345678899999999 : f64
    %cst_18 = arith.constant 0x4132D68700000000 : f64
    %cst_19 = arith.constant 0x4206FEE0C5800000 : f64
    %cst_20 = arith.constant 3.40282347E+38 : f32
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %c-1_i8 = arith.constant -1 : i8
    %35 = tt.join %arg4, %arg4 : tensor<8xf32> -> tensor<8x2xf32>
    %outLHS, %outRHS = tt.split %35 : tensor<8x2xf32> -> tensor<8xf32>
    scf.if %arg6 {
      tt.print "x" {hex = false, isSigned = array<i32>}
    }
    scf.if %arg6 {
      %c1_i32 = arith.constant 1 : i32
    } else {
      %c1_i32 = arith.constant 1 : i32
    }
    scf.for %arg9 = %c64 to %c64 step %c64 {
      %c1_i32 = arith.constant 1 : i32
    } {tt.flatten}
    scf.for unsigned %arg9 = %arg1 to %arg1 step %arg1  : i32 {
      %c1_i32 = arith.constant 1 : i32
    }
    scf.while : () -> () {
      scf.condition(%arg6)
    } do {
      scf.yield
    }
    %36 = scf.while (%arg9 = %arg1) : (i32) -> f32 {
      scf.condition(%arg6) %arg2 : f32
    } do {
    ^bb0(%arg9: f32):
      scf.yield %arg1 : i32
    }
    cf.cond_br %arg6, ^bb1(%arg1 : i32), ^bb1(%arg1 : i32)
  ^bb1(%37: i32):  // 2 preds: ^bb0, ^bb0
    %38:2 = tt.call @decl(%37, %11) : (i32, tensor<8xf32>) -> (i32, f32)
    tt.return %38#0, %38#1 : i32, f32
  }
}
