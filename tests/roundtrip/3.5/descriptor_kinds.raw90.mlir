module {
  tt.func public @descriptor_kinds(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %0 = arith.extsi %arg4 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg4], [%0, %c1_i64] : <i32>, <tensor<16x32xsi32>>
    %2 = arith.extsi %arg4 : i32 to i64
    %c1_i64_0 = arith.constant 1 : i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg3, %arg4], [%2, %c1_i64_0] : <i32>, <tensor<16x32xui32>>
    %4 = arith.muli %arg3, %arg4 : i32
    %c2_i32 = arith.constant 2 : i32
    %5 = arith.extsi %4 : i32 to i64
    %6 = arith.extsi %arg4 : i32 to i64
    %c1_i64_1 = arith.constant 1 : i64
    %7 = tt.make_tensor_descriptor %arg2, [%c2_i32, %arg3, %arg4], [%5, %6, %c1_i64_1] : <f32>, <tensor<1x16x32xf32>>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %8 = tt.descriptor_load %1[%c0_i32, %c0_i32_2] : !tt.tensordesc<tensor<16x32xsi32>> -> tensor<16x32xi32>
    %c0_i32_3 = arith.constant 0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    tt.descriptor_reduce add, %1[%c0_i32_3, %c0_i32_4], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    tt.descriptor_reduce min, %1[%c0_i32_5, %c0_i32_6], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_7 = arith.constant 0 : i32
    %c0_i32_8 = arith.constant 0 : i32
    tt.descriptor_reduce max, %1[%c0_i32_7, %c0_i32_8], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_9 = arith.constant 0 : i32
    %c0_i32_10 = arith.constant 0 : i32
    tt.descriptor_reduce and, %1[%c0_i32_9, %c0_i32_10], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_11 = arith.constant 0 : i32
    %c0_i32_12 = arith.constant 0 : i32
    tt.descriptor_reduce or, %1[%c0_i32_11, %c0_i32_12], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_13 = arith.constant 0 : i32
    %c0_i32_14 = arith.constant 0 : i32
    tt.descriptor_reduce xor, %1[%c0_i32_13, %c0_i32_14], %8 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32>
    %c0_i32_15 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %9 = tt.descriptor_load %3[%c0_i32_15, %c32_i32] : !tt.tensordesc<tensor<16x32xui32>> -> tensor<16x32xi32>
    %c0_i32_16 = arith.constant 0 : i32
    %c0_i32_17 = arith.constant 0 : i32
    tt.descriptor_reduce max, %3[%c0_i32_16, %c0_i32_17], %9 : !tt.tensordesc<tensor<16x32xui32>>, tensor<16x32xi32>
    %10 = arith.sitofp %8 : tensor<16x32xi32> to tensor<16x32xf32>
    %11 = tt.reshape %10 : tensor<16x32xf32> -> tensor<1x16x32xf32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_18 = arith.constant 0 : i32
    %c0_i32_19 = arith.constant 0 : i32
    tt.descriptor_store %7[%c1_i32, %c0_i32_18, %c0_i32_19], %11 : !tt.tensordesc<tensor<1x16x32xf32>>, tensor<1x16x32xf32>
    tt.return
  }
}
