module {
  tt.func public @descriptor_kinds(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg4], [%0, %c1_i64] : <i32>, <16x32xsi32>
    %2 = tt.make_tensor_descriptor %arg1, [%arg3, %arg4], [%0, %c1_i64] : <i32>, <16x32xui32>
    %3 = arith.muli %arg3, %arg4 : i32
    %4 = arith.extsi %3 : i32 to i64
    %5 = tt.make_tensor_descriptor %arg2, [%c2_i32, %arg3, %arg4], [%4, %0, %c1_i64] : <f32>, <1x16x32xf32>
    %6 = tt.descriptor_load %1[%c0_i32, %c0_i32] : !tt.tensordesc<16x32xsi32> -> tensor<16x32xi32>
    tt.descriptor_reduce add, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    tt.descriptor_reduce min, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    tt.descriptor_reduce max, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    tt.descriptor_reduce and, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    tt.descriptor_reduce or, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    tt.descriptor_reduce xor, %1[%c0_i32, %c0_i32], %6 : !tt.tensordesc<16x32xsi32>, tensor<16x32xi32>
    %7 = tt.descriptor_load %2[%c0_i32, %c32_i32] : !tt.tensordesc<16x32xui32> -> tensor<16x32xi32>
    tt.descriptor_reduce max, %2[%c0_i32, %c0_i32], %7 : !tt.tensordesc<16x32xui32>, tensor<16x32xi32>
    %8 = arith.sitofp %6 : tensor<16x32xi32> to tensor<16x32xf32>
    %9 = tt.reshape %8 : tensor<16x32xf32> -> tensor<1x16x32xf32>
    tt.descriptor_store %5[%c1_i32, %c0_i32, %c0_i32], %9 : !tt.tensordesc<1x16x32xf32>, tensor<1x16x32xf32>
    tt.return
  }
}
