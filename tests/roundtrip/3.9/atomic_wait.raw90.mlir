module {
  tt.func public @atomic_wait(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: i64) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    tt.store %arg0, %c1_i32 : !tt.ptr<i32>
    %c1_i32_0 = arith.constant 1 : i32
    %0 = tt.atomic_poll acquire, gpu, %arg0, %c1_i32_0 : !tt.ptr<i32>, i32 -> i1
    %c1_i32_1 = arith.constant 1 : i32
    %1 = tt.addptr %arg0, %c1_i32_1 : !tt.ptr<i32>, i32
    %c7_i32 = arith.constant 7 : i32
    %2 = arith.bitcast %arg2 : i64 to i64
    %3 = tt.atomic_poll relaxed, sys, %1, %c7_i32 timeout %2 : !tt.ptr<i32>, i32 -> i1
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %3 : i1 to i32
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.muli %5, %c2_i32 : i32
    %7 = arith.addi %4, %6 : i32
    tt.store %arg1, %7 : !tt.ptr<i32>
    tt.return
  }
}
