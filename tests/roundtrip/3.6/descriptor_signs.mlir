module {
  tt.func public @signs(%arg0: !tt.ptr<i32>, %arg1: !tt.tensordesc<tensor<16x16xui8>>, %arg2: i32, %arg3: i64) attributes {noinline = false} {
    %0 = tt.make_tensor_descriptor %arg0, [%arg2, %arg2], [%arg3, %arg3] : <i32>, <tensor<16x16xsi32>>
    %1 = tt.descriptor_load %0[%arg2, %arg2] : !tt.tensordesc<tensor<16x16xsi32>> -> tensor<16x16xi32>
    tt.descriptor_reduce min, %0[%arg2, %arg2], %1 : !tt.tensordesc<tensor<16x16xsi32>>, tensor<16x16xi32>
    %2 = tt.descriptor_load %arg1[%arg2, %arg2] : !tt.tensordesc<tensor<16x16xui8>> -> tensor<16x16xi8>
    tt.descriptor_store %arg1[%arg2, %arg2], %2 : !tt.tensordesc<tensor<16x16xui8>>, tensor<16x16xi8>
    tt.return
  }
}
