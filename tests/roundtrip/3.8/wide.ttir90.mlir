module {
  tt.func public @wide(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i64>, %arg2: i64) attributes {noinline = false} {
    %c6_i64 = arith.constant 6 : i64
    %c7_i64 = arith.constant 7 : i64
    %cst = arith.constant dense<31> : tensor<64xi32>
    %cst_0 = arith.constant dense<0> : tensor<64xi64>
    %cst_1 = arith.constant dense<32> : tensor<64xi64>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = arith.extsi %0 : tensor<64xi32> to tensor<64xi64>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 : tensor<64x!tt.ptr<i32>>, tensor<64xi64>
    %4 = tt.load %3 : tensor<64x!tt.ptr<i32>>
    %5 = arith.extsi %4 : tensor<64xi32> to tensor<64xi64>
    %6 = tt.splat %arg2 : i64 -> tensor<64xi64>
    %7 = arith.muli %5, %6 : tensor<64xi64>
    %8 = arith.shrsi %7, %cst_1 : tensor<64xi64>
    %9 = arith.cmpi slt, %1, %6 : tensor<64xi64>
    %10 = arith.subi %cst_0, %8 : tensor<64xi64>
    %11 = arith.select %9, %8, %10 : tensor<64xi1>, tensor<64xi64>
    %12 = arith.addi %arg2, %c6_i64 : i64
    %13 = arith.divsi %12, %c7_i64 : i64
    %14 = tt.mulhiui %arg2, %arg2 : i64
    %15 = arith.addi %13, %14 : i64
    %16 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %17 = tt.addptr %16, %1 : tensor<64x!tt.ptr<i64>>, tensor<64xi64>
    %18 = tt.splat %15 : i64 -> tensor<64xi64>
    %19 = arith.addi %11, %18 : tensor<64xi64>
    %20 = arith.andi %0, %cst : tensor<64xi32>
    %21 = arith.shrsi %4, %20 : tensor<64xi32>
    %22 = arith.extsi %21 : tensor<64xi32> to tensor<64xi64>
    %23 = arith.addi %19, %22 : tensor<64xi64>
    tt.store %17, %23 : tensor<64x!tt.ptr<i64>>
    tt.return
  }
}
