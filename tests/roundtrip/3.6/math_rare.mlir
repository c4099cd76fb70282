module {
  tt.func public @math(%arg0: f32, %arg1: tensor<8xf64>, %arg2: i32, %arg3: tensor<8xi16>, %arg4: tensor<8xi32>) {
    %0 = math.acosh %arg0 : f32
    %1 = math.asinh %arg1 fastmath<afn> : tensor<8xf64>
    %2 = math.atanh %arg1 : tensor<8xf64>
    %3 = math.erfc %arg0 : f32
    %4 = math.ipowi %arg2, %arg2 : i32
    %5 = math.fpowi %arg1, %arg4 : tensor<8xf64>, tensor<8xi32>
    %6 = math.fpowi %arg0, %arg2 fastmath<nnan> : f32, i32
    %7 = math.ctlz %arg3 : tensor<8xi16>
    %8 = math.cttz %arg2 : i32
    %9 = math.ctpop %arg3 : tensor<8xi16>
    %10 = math.isnan %arg1 : tensor<8xf64>
    %11 = math.isinf %arg0 : f32
    %12 = math.isfinite %arg0 : f32
    %13 = math.isnormal %arg1 : tensor<8xf64>
    %14 = math.absi %arg3 : tensor<8xi16>
    tt.return
  }
}
