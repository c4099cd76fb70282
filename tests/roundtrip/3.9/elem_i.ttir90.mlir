module {
  tt.func public @elem_i(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>, %arg3: !tt.ptr<i32>) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<64xi32>
    %cst_0 = arith.constant dense<0> : tensor<64xi32>
    %cst_1 = arith.constant dense<-1> : tensor<64xi32>
    %cst_2 = arith.constant dense<2> : tensor<64xi32>
    %cst_3 = arith.constant dense<3> : tensor<64xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<i32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %6 = tt.load %5 : tensor<64x!tt.ptr<i32>>
    %7 = arith.muli %3, %cst_3 : tensor<64xi32>
    %8 = arith.divsi %7, %3 : tensor<64xi32>
    %9 = arith.remsi %8, %3 : tensor<64xi32>
    %10 = arith.shli %9, %cst_2 : tensor<64xi32>
    %11 = arith.shrsi %10, %3 : tensor<64xi32>
    %12 = arith.xori %11, %cst_1 : tensor<64xi32>
    %13 = arith.subi %cst_0, %12 : tensor<64xi32>
    %14 = math.absi %13 : tensor<64xi32>
    %15 = arith.andi %14, %3 : tensor<64xi32>
    %16 = arith.xori %14, %3 : tensor<64xi32>
    %17 = arith.ori %15, %16 : tensor<64xi32>
    %18 = arith.maxsi %3, %17 : tensor<64xi32>
    %19 = arith.minsi %3, %18 : tensor<64xi32>
    %20 = arith.divui %6, %cst_3 : tensor<64xi32>
    %21 = arith.remui %20, %6 : tensor<64xi32>
    %22 = arith.shrui %21, %cst : tensor<64xi32>
    %23 = arith.maxui %6, %22 : tensor<64xi32>
    %24 = arith.minui %6, %23 : tensor<64xi32>
    %25 = tt.mulhiui %6, %24 : tensor<64xi32>
    %26 = arith.minsi %3, %19 : tensor<64xi32>
    %27 = arith.minui %6, %25 : tensor<64xi32>
    %28 = arith.cmpi sge, %3, %26 : tensor<64xi32>
    %29 = arith.addi %26, %cst_2 : tensor<64xi32>
    %30 = arith.select %28, %3, %29 : tensor<64xi1>, tensor<64xi32>
    %31 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %32 = tt.addptr %31, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %32, %30 : tensor<64x!tt.ptr<i32>>
    %33 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %34 = tt.addptr %33, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %34, %27 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
