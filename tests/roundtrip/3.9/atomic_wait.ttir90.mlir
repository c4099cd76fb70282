module {
  tt.func public @atomic_wait(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: i64) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c7_i32 = arith.constant 7 : i32
    %c1_i32 = arith.constant 1 : i32
    tt.store %arg0, %c1_i32 : !tt.ptr<i32>
    %0 = tt.atomic_poll acquire, gpu, %arg0, %c1_i32 : !tt.ptr<i32>, i32 -> i1
    %1 = tt.addptr %arg0, %c1_i32 : !tt.ptr<i32>, i32
    %2 = tt.atomic_poll relaxed, sys, %1, %c7_i32 timeout %arg2 : !tt.ptr<i32>, i32 -> i1
    %3 = arith.extui %0 : i1 to i32
    %4 = arith.extui %2 : i1 to i32
    %5 = arith.muli %4, %c2_i32 : i32
    %6 = arith.addi %3, %5 : i32
    tt.store %arg1, %6 : !tt.ptr<i32>
    tt.return
  }
}
