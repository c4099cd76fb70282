module {
  tt.func public @elem_i(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>, %arg3: !tt.ptr<i32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<i32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %6 = tt.load %5 : tensor<64x!tt.ptr<i32>>
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<3> : tensor<64xi32>
    %7 = arith.addi %3, %cst : tensor<64xi32>
    %8 = arith.subi %7, %3 : tensor<64xi32>
    %9 = arith.muli %8, %3 : tensor<64xi32>
    %10 = arith.divsi %9, %3 : tensor<64xi32>
    %11 = arith.remsi %10, %3 : tensor<64xi32>
    %c2_i32 = arith.constant 2 : i32
    %cst_0 = arith.constant dense<2> : tensor<64xi32>
    %12 = arith.shli %11, %cst_0 : tensor<64xi32>
    %13 = arith.shrsi %12, %3 : tensor<64xi32>
    %c-1_i32 = arith.constant -1 : i32
    %cst_1 = arith.constant dense<-1> : tensor<64xi32>
    %14 = arith.xori %13, %cst_1 : tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0> : tensor<64xi32>
    %15 = arith.subi %cst_2, %14 : tensor<64xi32>
    %16 = math.absi %15 : tensor<64xi32>
    %17 = arith.andi %16, %3 : tensor<64xi32>
    %18 = arith.xori %16, %3 : tensor<64xi32>
    %19 = arith.ori %17, %18 : tensor<64xi32>
    %20 = arith.maxsi %3, %19 : tensor<64xi32>
    %21 = arith.minsi %3, %20 : tensor<64xi32>
    %c3_i32_3 = arith.constant 3 : i32
    %cst_4 = arith.constant dense<3> : tensor<64xi32>
    %22 = arith.divui %6, %cst_4 : tensor<64xi32>
    %23 = arith.remui %22, %6 : tensor<64xi32>
    %c1_i32 = arith.constant 1 : i32
    %cst_5 = arith.constant dense<1> : tensor<64xi32>
    %24 = arith.shrui %23, %cst_5 : tensor<64xi32>
    %25 = arith.maxui %6, %24 : tensor<64xi32>
    %26 = arith.minui %6, %25 : tensor<64xi32>
    %27 = tt.mulhiui %6, %26 : tensor<64xi32>
    %28 = arith.cmpi slt, %3, %21 : tensor<64xi32>
    %29 = arith.select %28, %3, %21 : tensor<64xi1>, tensor<64xi32>
    %30 = arith.cmpi ult, %6, %27 : tensor<64xi32>
    %31 = arith.select %30, %6, %27 : tensor<64xi1>, tensor<64xi32>
    %32 = arith.cmpi eq, %3, %29 : tensor<64xi32>
    %33 = arith.select %32, %3, %29 : tensor<64xi1>, tensor<64xi32>
    %34 = arith.cmpi sge, %3, %33 : tensor<64xi32>
    %c2_i32_6 = arith.constant 2 : i32
    %cst_7 = arith.constant dense<2> : tensor<64xi32>
    %35 = arith.addi %33, %cst_7 : tensor<64xi32>
    %36 = arith.select %34, %3, %35 : tensor<64xi1>, tensor<64xi32>
    %37 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %38 = tt.addptr %37, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %38, %36 : tensor<64x!tt.ptr<i32>>
    %39 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %40 = tt.addptr %39, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %40, %31 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
