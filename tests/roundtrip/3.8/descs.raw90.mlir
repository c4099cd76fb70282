module {
  tt.func public @descs(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = arith.extsi %arg3 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <16x32xf16>
    %2 = arith.extsi %arg3 : i32 to i64
    %c1_i64_0 = arith.constant 1 : i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%2, %c1_i64_0] {padding = 2 : i32} : <f16>, <16x32xf16>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %4 = tt.descriptor_load %1[%c0_i32, %c32_i32] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    tt.descriptor_store %3[%c0_i32_1, %c0_i32_2], %4 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    %c0_i32_3 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    tt.descriptor_reduce add, %3[%c0_i32_3, %c0_i32_4], %4 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    %5 = arith.extsi %arg3 : i32 to i64
    %c1_i64_5 = arith.constant 1 : i64
    %6 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%5, %c1_i64_5] : <f16>, <1x32xf16>
    %7 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %c0_i32_6 = arith.constant 0 : i32
    %8 = tt.descriptor_gather %6[%7, %c0_i32_6] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x32xf16>
    %9 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %c16_i32 = arith.constant 16 : i32
    tt.descriptor_scatter %6[%9, %c16_i32], %8 : !tt.tensordesc<1x32xf16>, tensor<8xi32>, i32, tensor<8x32xf16>
    %c4_i32 = arith.constant 4 : i32
    %c4_i32_7 = arith.constant 4 : i32
    %10 = tt.descriptor_load %3[%c4_i32, %c4_i32_7] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    %c0_i32_8 = arith.constant 0 : i32
    %c0_i32_9 = arith.constant 0 : i32
    tt.descriptor_store %1[%c0_i32_8, %c0_i32_9], %10 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    tt.return
  }
}
