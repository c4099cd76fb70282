module {
  tt.func public @descs(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %c16_i32 = arith.constant 16 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <16x32xf16>
    %2 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%0, %c1_i64] {padding = 2 : i32} : <f16>, <16x32xf16>
    %3 = tt.descriptor_load %1[%c0_i32, %c32_i32] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    tt.descriptor_store %2[%c0_i32, %c0_i32], %3 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    tt.descriptor_reduce add, %2[%c0_i32, %c0_i32], %3 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    %4 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <1x32xf16>
    %5 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %6 = tt.descriptor_gather %4[%5, %c0_i32] : (!tt.tensordesc<1x32xf16>, tensor<8xi32>, i32) -> tensor<8x32xf16>
    tt.descriptor_scatter %4[%5, %c16_i32], %6 : !tt.tensordesc<1x32xf16>, tensor<8xi32>, i32, tensor<8x32xf16>
    %7 = tt.descriptor_load %2[%c4_i32, %c4_i32] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    tt.descriptor_store %1[%c0_i32, %c0_i32], %7 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    tt.return
  }
}
