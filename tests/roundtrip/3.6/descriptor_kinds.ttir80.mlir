module {
  tt.func public @descriptor_kinds(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x1x32xi64>
    %cst_0 = arith.constant dense<0> : tensor<1x16x1xi64>
    %cst_1 = arith.constant dense<32> : tensor<32xi64>
    %cst_2 = arith.constant dense<0> : tensor<1x32xi64>
    %cst_3 = arith.constant dense<0> : tensor<16x1xi64>
    %cst_4 = arith.constant dense<0> : tensor<16x32xi32>
    %0 = arith.extsi %arg4 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = arith.muli %arg3, %arg4 : i32
    %3 = arith.extsi %2 : i32 to i64
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %5 = arith.extsi %4 : tensor<16xi32> to tensor<16xi64>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %8 = arith.extsi %7 : tensor<32xi32> to tensor<32xi64>
    %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %10 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
    %11 = tt.splat %0 : i64 -> tensor<16x1xi64>
    %12 = arith.muli %6, %11 : tensor<16x1xi64>
    %13 = tt.broadcast %12 : tensor<16x1xi64> -> tensor<16x32xi64>
    %14 = tt.broadcast %9 : tensor<1x32xi64> -> tensor<16x32xi64>
    %15 = arith.addi %13, %14 : tensor<16x32xi64>
    %16 = tt.addptr %10, %15 : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi64>
    %17 = arith.cmpi sge, %6, %cst_3 : tensor<16x1xi64>
    %18 = tt.splat %1 : i64 -> tensor<16x1xi64>
    %19 = arith.cmpi slt, %6, %18 : tensor<16x1xi64>
    %20 = arith.andi %17, %19 : tensor<16x1xi1>
    %21 = tt.broadcast %20 : tensor<16x1xi1> -> tensor<16x32xi1>
    %22 = arith.cmpi sge, %9, %cst_2 : tensor<1x32xi64>
    %23 = tt.splat %0 : i64 -> tensor<1x32xi64>
    %24 = arith.cmpi slt, %9, %23 : tensor<1x32xi64>
    %25 = arith.andi %22, %24 : tensor<1x32xi1>
    %26 = tt.broadcast %25 : tensor<1x32xi1> -> tensor<16x32xi1>
    %27 = arith.andi %21, %26 : tensor<16x32xi1>
    %28 = tt.load %16, %27, %cst_4 : tensor<16x32x!tt.ptr<i32>>
    %29 = tt.atomic_rmw add, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %30 = tt.atomic_rmw min, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %31 = tt.atomic_rmw max, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %32 = tt.atomic_rmw and, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %33 = tt.atomic_rmw or, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %34 = tt.atomic_rmw xor, release, gpu, %16, %28, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %35 = arith.addi %8, %cst_1 : tensor<32xi64>
    %36 = tt.expand_dims %35 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %37 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>>
    %38 = tt.broadcast %36 : tensor<1x32xi64> -> tensor<16x32xi64>
    %39 = arith.addi %13, %38 : tensor<16x32xi64>
    %40 = tt.addptr %37, %39 : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi64>
    %41 = arith.cmpi sge, %36, %cst_2 : tensor<1x32xi64>
    %42 = arith.cmpi slt, %36, %23 : tensor<1x32xi64>
    %43 = arith.andi %41, %42 : tensor<1x32xi1>
    %44 = tt.broadcast %43 : tensor<1x32xi1> -> tensor<16x32xi1>
    %45 = arith.andi %21, %44 : tensor<16x32xi1>
    %46 = tt.load %40, %45, %cst_4 : tensor<16x32x!tt.ptr<i32>>
    %47 = tt.addptr %37, %15 : tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi64>
    %48 = tt.atomic_rmw umax, release, gpu, %47, %46, %27 : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>) -> tensor<16x32xi32>
    %49 = arith.sitofp %28 : tensor<16x32xi32> to tensor<16x32xf32>
    %50 = tt.reshape %49 : tensor<16x32xf32> -> tensor<1x16x32xf32>
    %51 = tt.expand_dims %5 {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
    %52 = tt.expand_dims %51 {axis = 2 : i32} : tensor<1x16xi64> -> tensor<1x16x1xi64>
    %53 = tt.expand_dims %9 {axis = 1 : i32} : tensor<1x32xi64> -> tensor<1x1x32xi64>
    %54 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<1x16x32x!tt.ptr<f32>>
    %55 = tt.splat %3 : i64 -> tensor<1x16x32xi64>
    %56 = tt.splat %0 : i64 -> tensor<1x16x1xi64>
    %57 = arith.muli %52, %56 : tensor<1x16x1xi64>
    %58 = tt.broadcast %57 : tensor<1x16x1xi64> -> tensor<1x16x32xi64>
    %59 = tt.broadcast %53 : tensor<1x1x32xi64> -> tensor<1x16x32xi64>
    %60 = arith.addi %58, %59 : tensor<1x16x32xi64>
    %61 = arith.addi %55, %60 : tensor<1x16x32xi64>
    %62 = tt.addptr %54, %61 : tensor<1x16x32x!tt.ptr<f32>>, tensor<1x16x32xi64>
    %63 = arith.cmpi sge, %52, %cst_0 : tensor<1x16x1xi64>
    %64 = tt.splat %1 : i64 -> tensor<1x16x1xi64>
    %65 = arith.cmpi slt, %52, %64 : tensor<1x16x1xi64>
    %66 = arith.andi %63, %65 : tensor<1x16x1xi1>
    %67 = tt.broadcast %66 : tensor<1x16x1xi1> -> tensor<1x16x32xi1>
    %68 = arith.cmpi sge, %53, %cst : tensor<1x1x32xi64>
    %69 = tt.splat %0 : i64 -> tensor<1x1x32xi64>
    %70 = arith.cmpi slt, %53, %69 : tensor<1x1x32xi64>
    %71 = arith.andi %68, %70 : tensor<1x1x32xi1>
    %72 = tt.broadcast %71 : tensor<1x1x32xi1> -> tensor<1x16x32xi1>
    %73 = arith.andi %67, %72 : tensor<1x16x32xi1>
    tt.store %62, %50, %73 : tensor<1x16x32x!tt.ptr<f32>>
    tt.return
  }
}
