module {
  tt.func public @wide(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i64>, %arg2: i64) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = arith.extsi %0 : tensor<64xi32> to tensor<64xi64>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 : tensor<64x!tt.ptr<i32>>, tensor<64xi64>
    %4 = tt.load %3 : tensor<64x!tt.ptr<i32>>
    %5 = arith.extsi %4 : tensor<64xi32> to tensor<64xi64>
    %6 = tt.splat %arg2 : i64 -> tensor<64xi64>
    %7 = arith.muli %5, %6 : tensor<64xi64>
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %cst = arith.constant dense<32> : tensor<64xi64>
    %8 = arith.shrsi %7, %cst : tensor<64xi64>
    %9 = tt.splat %arg2 : i64 -> tensor<64xi64>
    %10 = arith.cmpi slt, %1, %9 : tensor<64xi64>
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant dense<0> : tensor<64xi64>
    %11 = arith.subi %cst_0, %8 : tensor<64xi64>
    %12 = arith.select %10, %8, %11 : tensor<64xi1>, tensor<64xi64>
    %13 = tt.call @triton.language.standard.cdiv__i64_c7(%arg2) : (i64) -> i64
    %14 = tt.mulhiui %arg2, %arg2 : i64
    %15 = arith.addi %13, %14 : i64
    %16 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %17 = tt.addptr %16, %1 : tensor<64x!tt.ptr<i64>>, tensor<64xi64>
    %18 = tt.splat %15 : i64 -> tensor<64xi64>
    %19 = arith.addi %12, %18 : tensor<64xi64>
    %20 = arith.trunci %1 : tensor<64xi64> to tensor<64xi32>
    %c31_i32 = arith.constant 31 : i32
    %c31_i32_1 = arith.constant 31 : i32
    %cst_2 = arith.constant dense<31> : tensor<64xi32>
    %21 = arith.andi %20, %cst_2 : tensor<64xi32>
    %22 = arith.shrsi %4, %21 : tensor<64xi32>
    %23 = arith.extsi %22 : tensor<64xi32> to tensor<64xi64>
    %24 = arith.addi %19, %23 : tensor<64xi64>
    tt.store %17, %24 : tensor<64x!tt.ptr<i64>>
    tt.return
  }
  tt.func private @triton.language.standard.cdiv__i64_c7(%arg0: i64) -> i64 attributes {noinline = false} {
    %c6_i32 = arith.constant 6 : i32
    %c6_i64 = arith.constant 6 : i64
    %0 = arith.addi %arg0, %c6_i64 : i64
    %c7_i32 = arith.constant 7 : i32
    %c7_i64 = arith.constant 7 : i64
    %1 = arith.divsi %0, %c7_i64 : i64
    tt.return %1 : i64
  ^bb1:  // no predecessors
    %2 = ub.poison : i64
    tt.return %2 : i64
  }
}
