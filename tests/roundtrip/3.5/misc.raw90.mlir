module {
  tt.func public @misc(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32, tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %4:2 = "tt.scan"(%3, %3) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %48:2 = tt.call @ops._mul2__fp32_fp32_fp32_fp32__(%arg3, %arg4, %arg5, %arg6) : (f32, f32, f32, f32) -> (f32, f32)
      tt.scan.return %48#0, %48#1 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    %5:2 = "tt.reduce"(%3, %3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %48:2 = tt.call @ops._mul2__fp32_fp32_fp32_fp32__(%arg3, %arg4, %arg5, %arg6) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %48#0, %48#1 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (f32, f32)
    %6 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %3 : tensor<64xf32> -> tensor<64xf32>
    %7 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
    %8 = tt.extern_elementwise %3, %6 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %9 = arith.addf %7, %8 : tensor<64xf32>
    %10 = "tt.map_elementwise"(%3, %6) <{pack = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %48 = tt.call @ops._sel__fp32_fp32__(%arg3, %arg4) : (f32, f32) -> f32
      tt.map_elementwise.return %48 : f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    tt.print " hello: " {hex = false, isSigned = array<i32: 0, 1>} : %3, %arg2 : tensor<64xf32>, i32
    tt.print " hx: " {hex = true, isSigned = array<i32: 1>} : %0 : tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %11 = arith.sitofp %c0_i32 : i32 to f32
    %12 = tt.splat %11 : f32 -> tensor<64xf32>
    %13 = arith.cmpf ogt, %3, %12 : tensor<64xf32>
    tt.assert %13, "neg" : tensor<64xi1>
    gpu.barrier
    %c0_i32_0 = arith.constant 0 : i32
    %14 = arith.cmpi sgt, %arg2, %c0_i32_0 : i32
    llvm.intr.assume %14 : i1
    %c2_i32 = arith.constant 2 : i32
    %15 = arith.cmpi sgt, %arg2, %c2_i32 : i32
    tt.assert %15, "n small" : i1
    %16 = tt.call @"triton.language.random.rand__i32_i32S64S__(2,)cconstexpr_10_"(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xf32>
    %17 = tt.call @"triton.language.random.randn__i32_i32S64S__(2,)cconstexpr_10_"(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xf32>
    %18 = arith.addf %16, %17 : tensor<64xf32>
    %19 = tt.call @"triton.language.random.randint__i32_i32S64S__(2,)cconstexpr_10_"(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xi32>
    %20 = arith.uitofp %19 : tensor<64xi32> to tensor<64xf32>
    %21 = arith.addf %18, %20 : tensor<64xf32>
    %22:2 = tt.call @"triton.language.standard.swizzle2d__i32_i32__(2,)cconstexpr_4__(3,)cconstexpr_4__(4,)cconstexpr_2_"(%arg2, %arg2) : (i32, i32) -> (i32, i32)
    %23 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %24 = tt.addptr %23, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %25 = arith.addf %4#0, %4#1 : tensor<64xf32>
    %26 = arith.addf %25, %6 : tensor<64xf32>
    %27 = arith.addf %26, %9 : tensor<64xf32>
    %28 = arith.addf %27, %10 : tensor<64xf32>
    %29 = tt.splat %5#0 : f32 -> tensor<64xf32>
    %30 = arith.addf %28, %29 : tensor<64xf32>
    %31 = tt.splat %5#1 : f32 -> tensor<64xf32>
    %32 = arith.addf %30, %31 : tensor<64xf32>
    %33 = arith.addf %32, %21 : tensor<64xf32>
    %34 = arith.sitofp %22#0 : i32 to f32
    %35 = tt.splat %34 : f32 -> tensor<64xf32>
    %36 = arith.addf %33, %35 : tensor<64xf32>
    %37 = arith.sitofp %22#1 : i32 to f32
    %38 = tt.splat %37 : f32 -> tensor<64xf32>
    %39 = arith.addf %36, %38 : tensor<64xf32>
    %40 = tt.call @"triton.language.standard.softmax__fp32S64S__(1,)cNone_(2,)cconstexpr_False__(3,)cconstexpr_False_"(%3) : (tensor<64xf32>) -> tensor<64xf32>
    %41 = arith.addf %39, %40 : tensor<64xf32>
    %42 = tt.call @triton.language.standard.sigmoid__fp32S64S__(%3) : (tensor<64xf32>) -> tensor<64xf32>
    %43 = arith.addf %41, %42 : tensor<64xf32>
    %44 = tt.call @"triton.language.standard.cdiv__i32__(1,)cconstexpr_3_"(%arg2) : (i32) -> i32
    %45 = arith.sitofp %44 : i32 to f32
    %46 = tt.splat %45 : f32 -> tensor<64xf32>
    %47 = arith.addf %43, %46 : tensor<64xf32>
    tt.store %24, %47 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @ops._mul2__fp32_fp32_fp32_fp32__(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, f32) attributes {noinline = false} {
    %0 = arith.mulf %arg0, %arg2 : f32
    %1 = arith.mulf %arg1, %arg2 : f32
    %2 = arith.addf %1, %arg3 : f32
    tt.return %0, %2 : f32, f32
  ^bb1:  // no predecessors
    %3 = ub.poison : f32
    %4 = ub.poison : f32
    tt.return %3, %4 : f32, f32
  }
  tt.func private @ops._sel__fp32_fp32__(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.sitofp %c0_i32 : i32 to f32
    %1 = arith.cmpf ogt, %arg0, %0 : f32
    %2 = scf.if %1 -> (f32) {
      scf.yield %arg0 : f32
    } else {
      %4 = arith.mulf %arg1, %arg0 : f32
      scf.yield %4 : f32
    }
    tt.return %2 : f32
  ^bb1:  // no predecessors
    %3 = ub.poison : f32
    tt.return %3 : f32
  }
  tt.func private @"triton.language.random.rand__i32_i32S64S__(2,)cconstexpr_10_"(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.call @"triton.language.random.randint__i32_i32S64S__(2,)cconstexpr_10_"(%arg0, %arg1) : (i32, tensor<64xi32>) -> tensor<64xi32>
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S__(%0) : (tensor<64xi32>) -> tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<64xf32>
    tt.return %2 : tensor<64xf32>
  }
  tt.func private @"triton.language.random.randint__i32_i32S64S__(2,)cconstexpr_10_"(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xi32> attributes {noinline = false} {
    %0:4 = tt.call @"triton.language.random.randint4x__i32_i32S64S__(2,)cconstexpr_10_"(%arg0, %arg1) : (i32, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %0#0 : tensor<64xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<64xi32>
    tt.return %1 : tensor<64xi32>
  }
  tt.func private @"triton.language.random.randint4x__i32_i32S64S__(2,)cconstexpr_10_"(%arg0: i32, %arg1: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
    %0 = arith.bitcast %arg1 : tensor<64xi32> to tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<64xi32>
    %1 = arith.muli %0, %cst : tensor<64xi32>
    %2:4 = tt.call @"triton.language.random.philox__i32_u32S64S_u32S64S_u32S64S_u32S64S__(5,)cconstexpr_10_"(%arg0, %0, %1, %1, %1) : (i32, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %2#0, %2#1, %2#2, %2#3 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %3 = ub.poison : tensor<64xi32>
    %4 = ub.poison : tensor<64xi32>
    %5 = ub.poison : tensor<64xi32>
    %6 = ub.poison : tensor<64xi32>
    tt.return %3, %4, %5, %6 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @"triton.language.random.philox__i32_u32S64S_u32S64S_u32S64S_u32S64S__(5,)cconstexpr_10_"(%arg0: i32, %arg1: tensor<64xi32>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>, %arg4: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
    %0 = arith.extsi %arg0 : i32 to i64
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %c-1_i32 = arith.constant -1 : i32
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %2 = arith.andi %1, %c4294967295_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c-1_i32_0 = arith.constant -1 : i32
    %c4294967295_i64_1 = arith.constant 4294967295 : i64
    %4 = arith.andi %0, %c4294967295_i64_1 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6:4 = tt.call @"triton.language.random.philox_impl__u32S64S_u32S64S_u32S64S_u32S64S_u32_u32__(6,)cconstexpr_10_"(%arg1, %arg2, %arg3, %arg4, %5, %3) : (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, i32, i32) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %6#0, %6#1, %6#2, %6#3 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %7 = ub.poison : tensor<64xi32>
    %8 = ub.poison : tensor<64xi32>
    %9 = ub.poison : tensor<64xi32>
    %10 = ub.poison : tensor<64xi32>
    tt.return %7, %8, %9, %10 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @"triton.language.random.philox_impl__u32S64S_u32S64S_u32S64S_u32S64S_u32_u32__(6,)cconstexpr_10_"(%arg0: tensor<64xi32>, %arg1: tensor<64xi32>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>, %arg4: i32, %arg5: i32) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
    %c-766435501_i32 = arith.constant -766435501 : i32
    %c-845247145_i32 = arith.constant -845247145 : i32
    %cst = arith.constant dense<-845247145> : tensor<64xi32>
    %0 = tt.mulhiui %cst, %arg2 : tensor<64xi32>
    %1 = arith.xori %0, %arg1 : tensor<64xi32>
    %2 = tt.splat %arg4 : i32 -> tensor<64xi32>
    %3 = arith.xori %1, %2 : tensor<64xi32>
    %cst_0 = arith.constant dense<-766435501> : tensor<64xi32>
    %4 = tt.mulhiui %cst_0, %arg0 : tensor<64xi32>
    %5 = arith.xori %4, %arg3 : tensor<64xi32>
    %6 = tt.splat %arg5 : i32 -> tensor<64xi32>
    %7 = arith.xori %5, %6 : tensor<64xi32>
    %cst_1 = arith.constant dense<-845247145> : tensor<64xi32>
    %8 = arith.muli %cst_1, %arg2 : tensor<64xi32>
    %cst_2 = arith.constant dense<-766435501> : tensor<64xi32>
    %9 = arith.muli %cst_2, %arg0 : tensor<64xi32>
    %c-1640531527_i32 = arith.constant -1640531527 : i32
    %c-1640531527_i32_3 = arith.constant -1640531527 : i32
    %10 = arith.addi %arg4, %c-1640531527_i32_3 : i32
    %c-1150833019_i32 = arith.constant -1150833019 : i32
    %c-1150833019_i32_4 = arith.constant -1150833019 : i32
    %11 = arith.addi %arg5, %c-1150833019_i32_4 : i32
    %c-766435501_i32_5 = arith.constant -766435501 : i32
    %c-845247145_i32_6 = arith.constant -845247145 : i32
    %cst_7 = arith.constant dense<-845247145> : tensor<64xi32>
    %12 = tt.mulhiui %cst_7, %7 : tensor<64xi32>
    %13 = arith.xori %12, %8 : tensor<64xi32>
    %14 = tt.splat %10 : i32 -> tensor<64xi32>
    %15 = arith.xori %13, %14 : tensor<64xi32>
    %cst_8 = arith.constant dense<-766435501> : tensor<64xi32>
    %16 = tt.mulhiui %cst_8, %3 : tensor<64xi32>
    %17 = arith.xori %16, %9 : tensor<64xi32>
    %18 = tt.splat %11 : i32 -> tensor<64xi32>
    %19 = arith.xori %17, %18 : tensor<64xi32>
    %cst_9 = arith.constant dense<-845247145> : tensor<64xi32>
    %20 = arith.muli %cst_9, %7 : tensor<64xi32>
    %cst_10 = arith.constant dense<-766435501> : tensor<64xi32>
    %21 = arith.muli %cst_10, %3 : tensor<64xi32>
    %c-1640531527_i32_11 = arith.constant -1640531527 : i32
    %c-1640531527_i32_12 = arith.constant -1640531527 : i32
    %22 = arith.addi %10, %c-1640531527_i32_12 : i32
    %c-1150833019_i32_13 = arith.constant -1150833019 : i32
    %c-1150833019_i32_14 = arith.constant -1150833019 : i32
    %23 = arith.addi %11, %c-1150833019_i32_14 : i32
    %c-766435501_i32_15 = arith.constant -766435501 : i32
    %c-845247145_i32_16 = arith.constant -845247145 : i32
    %cst_17 = arith.constant dense<-845247145> : tensor<64xi32>
    %24 = tt.mulhiui %cst_17, %19 : tensor<64xi32>
    %25 = arith.xori %24, %20 : tensor<64xi32>
    %26 = tt.splat %22 : i32 -> tensor<64xi32>
    %27 = arith.xori %25, %26 : tensor<64xi32>
    %cst_18 = arith.constant dense<-766435501> : tensor<64xi32>
    %28 = tt.mulhiui %cst_18, %15 : tensor<64xi32>
    %29 = arith.xori %28, %21 : tensor<64xi32>
    %30 = tt.splat %23 : i32 -> tensor<64xi32>
    %31 = arith.xori %29, %30 : tensor<64xi32>
    %cst_19 = arith.constant dense<-845247145> : tensor<64xi32>
    %32 = arith.muli %cst_19, %19 : tensor<64xi32>
    %cst_20 = arith.constant dense<-766435501> : tensor<64xi32>
    %33 = arith.muli %cst_20, %15 : tensor<64xi32>
    %c-1640531527_i32_21 = arith.constant -1640531527 : i32
    %c-1640531527_i32_22 = arith.constant -1640531527 : i32
    %34 = arith.addi %22, %c-1640531527_i32_22 : i32
    %c-1150833019_i32_23 = arith.constant -1150833019 : i32
    %c-1150833019_i32_24 = arith.constant -1150833019 : i32
    %35 = arith.addi %23, %c-1150833019_i32_24 : i32
    %c-766435501_i32_25 = arith.constant -766435501 : i32
    %c-845247145_i32_26 = arith.constant -845247145 : i32
    %cst_27 = arith.constant dense<-845247145> : tensor<64xi32>
    %36 = tt.mulhiui %cst_27, %31 : tensor<64xi32>
    %37 = arith.xori %36, %32 : tensor<64xi32>
    %38 = tt.splat %34 : i32 -> tensor<64xi32>
    %39 = arith.xori %37, %38 : tensor<64xi32>
    %cst_28 = arith.constant dense<-766435501> : tensor<64xi32>
    %40 = tt.mulhiui %cst_28, %27 : tensor<64xi32>
    %41 = arith.xori %40, %33 : tensor<64xi32>
    %42 = tt.splat %35 : i32 -> tensor<64xi32>
    %43 = arith.xori %41, %42 : tensor<64xi32>
    %cst_29 = arith.constant dense<-845247145> : tensor<64xi32>
    %44 = arith.muli %cst_29, %31 : tensor<64xi32>
    %cst_30 = arith.constant dense<-766435501> : tensor<64xi32>
    %45 = arith.muli %cst_30, %27 : tensor<64xi32>
    %c-1640531527_i32_31 = arith.constant -1640531527 : i32
    %c-1640531527_i32_32 = arith.constant -1640531527 : i32
    %46 = arith.addi %34, %c-1640531527_i32_32 : i32
    %c-1150833019_i32_33 = arith.constant -1150833019 : i32
    %c-1150833019_i32_34 = arith.constant -1150833019 : i32
    %47 = arith.addi %35, %c-1150833019_i32_34 : i32
    %c-766435501_i32_35 = arith.constant -766435501 : i32
    %c-845247145_i32_36 = arith.constant -845247145 : i32
    %cst_37 = arith.constant dense<-845247145> : tensor<64xi32>
    %48 = tt.mulhiui %cst_37, %43 : tensor<64xi32>
    %49 = arith.xori %48, %44 : tensor<64xi32>
    %50 = tt.splat %46 : i32 -> tensor<64xi32>
    %51 = arith.xori %49, %50 : tensor<64xi32>
    %cst_38 = arith.constant dense<-766435501> : tensor<64xi32>
    %52 = tt.mulhiui %cst_38, %39 : tensor<64xi32>
    %53 = arith.xori %52, %45 : tensor<64xi32>
    %54 = tt.splat %47 : i32 -> tensor<64xi32>
    %55 = arith.xori %53, %54 : tensor<64xi32>
    %cst_39 = arith.constant dense<-845247145> : tensor<64xi32>
    %56 = arith.muli %cst_39, %43 : tensor<64xi32>
    %cst_40 = arith.constant dense<-766435501> : tensor<64xi32>
    %57 = arith.muli %cst_40, %39 : tensor<64xi32>
    %c-1640531527_i32_41 = arith.constant -1640531527 : i32
    %c-1640531527_i32_42 = arith.constant -1640531527 : i32
    %58 = arith.addi %46, %c-1640531527_i32_42 : i32
    %c-1150833019_i32_43 = arith.constant -1150833019 : i32
    %c-1150833019_i32_44 = arith.constant -1150833019 : i32
    %59 = arith.addi %47, %c-1150833019_i32_44 : i32
    %c-766435501_i32_45 = arith.constant -766435501 : i32
    %c-845247145_i32_46 = arith.constant -845247145 : i32
    %cst_47 = arith.constant dense<-845247145> : tensor<64xi32>
    %60 = tt.mulhiui %cst_47, %55 : tensor<64xi32>
    %61 = arith.xori %60, %56 : tensor<64xi32>
    %62 = tt.splat %58 : i32 -> tensor<64xi32>
    %63 = arith.xori %61, %62 : tensor<64xi32>
    %cst_48 = arith.constant dense<-766435501> : tensor<64xi32>
    %64 = tt.mulhiui %cst_48, %51 : tensor<64xi32>
    %65 = arith.xori %64, %57 : tensor<64xi32>
    %66 = tt.splat %59 : i32 -> tensor<64xi32>
    %67 = arith.xori %65, %66 : tensor<64xi32>
    %cst_49 = arith.constant dense<-845247145> : tensor<64xi32>
    %68 = arith.muli %cst_49, %55 : tensor<64xi32>
    %cst_50 = arith.constant dense<-766435501> : tensor<64xi32>
    %69 = arith.muli %cst_50, %51 : tensor<64xi32>
    %c-1640531527_i32_51 = arith.constant -1640531527 : i32
    %c-1640531527_i32_52 = arith.constant -1640531527 : i32
    %70 = arith.addi %58, %c-1640531527_i32_52 : i32
    %c-1150833019_i32_53 = arith.constant -1150833019 : i32
    %c-1150833019_i32_54 = arith.constant -1150833019 : i32
    %71 = arith.addi %59, %c-1150833019_i32_54 : i32
    %c-766435501_i32_55 = arith.constant -766435501 : i32
    %c-845247145_i32_56 = arith.constant -845247145 : i32
    %cst_57 = arith.constant dense<-845247145> : tensor<64xi32>
    %72 = tt.mulhiui %cst_57, %67 : tensor<64xi32>
    %73 = arith.xori %72, %68 : tensor<64xi32>
    %74 = tt.splat %70 : i32 -> tensor<64xi32>
    %75 = arith.xori %73, %74 : tensor<64xi32>
    %cst_58 = arith.constant dense<-766435501> : tensor<64xi32>
    %76 = tt.mulhiui %cst_58, %63 : tensor<64xi32>
    %77 = arith.xori %76, %69 : tensor<64xi32>
    %78 = tt.splat %71 : i32 -> tensor<64xi32>
    %79 = arith.xori %77, %78 : tensor<64xi32>
    %cst_59 = arith.constant dense<-845247145> : tensor<64xi32>
    %80 = arith.muli %cst_59, %67 : tensor<64xi32>
    %cst_60 = arith.constant dense<-766435501> : tensor<64xi32>
    %81 = arith.muli %cst_60, %63 : tensor<64xi32>
    %c-1640531527_i32_61 = arith.constant -1640531527 : i32
    %c-1640531527_i32_62 = arith.constant -1640531527 : i32
    %82 = arith.addi %70, %c-1640531527_i32_62 : i32
    %c-1150833019_i32_63 = arith.constant -1150833019 : i32
    %c-1150833019_i32_64 = arith.constant -1150833019 : i32
    %83 = arith.addi %71, %c-1150833019_i32_64 : i32
    %c-766435501_i32_65 = arith.constant -766435501 : i32
    %c-845247145_i32_66 = arith.constant -845247145 : i32
    %cst_67 = arith.constant dense<-845247145> : tensor<64xi32>
    %84 = tt.mulhiui %cst_67, %79 : tensor<64xi32>
    %85 = arith.xori %84, %80 : tensor<64xi32>
    %86 = tt.splat %82 : i32 -> tensor<64xi32>
    %87 = arith.xori %85, %86 : tensor<64xi32>
    %cst_68 = arith.constant dense<-766435501> : tensor<64xi32>
    %88 = tt.mulhiui %cst_68, %75 : tensor<64xi32>
    %89 = arith.xori %88, %81 : tensor<64xi32>
    %90 = tt.splat %83 : i32 -> tensor<64xi32>
    %91 = arith.xori %89, %90 : tensor<64xi32>
    %cst_69 = arith.constant dense<-845247145> : tensor<64xi32>
    %92 = arith.muli %cst_69, %79 : tensor<64xi32>
    %cst_70 = arith.constant dense<-766435501> : tensor<64xi32>
    %93 = arith.muli %cst_70, %75 : tensor<64xi32>
    %c-1640531527_i32_71 = arith.constant -1640531527 : i32
    %c-1640531527_i32_72 = arith.constant -1640531527 : i32
    %94 = arith.addi %82, %c-1640531527_i32_72 : i32
    %c-1150833019_i32_73 = arith.constant -1150833019 : i32
    %c-1150833019_i32_74 = arith.constant -1150833019 : i32
    %95 = arith.addi %83, %c-1150833019_i32_74 : i32
    %c-766435501_i32_75 = arith.constant -766435501 : i32
    %c-845247145_i32_76 = arith.constant -845247145 : i32
    %cst_77 = arith.constant dense<-845247145> : tensor<64xi32>
    %96 = tt.mulhiui %cst_77, %91 : tensor<64xi32>
    %97 = arith.xori %96, %92 : tensor<64xi32>
    %98 = tt.splat %94 : i32 -> tensor<64xi32>
    %99 = arith.xori %97, %98 : tensor<64xi32>
    %cst_78 = arith.constant dense<-766435501> : tensor<64xi32>
    %100 = tt.mulhiui %cst_78, %87 : tensor<64xi32>
    %101 = arith.xori %100, %93 : tensor<64xi32>
    %102 = tt.splat %95 : i32 -> tensor<64xi32>
    %103 = arith.xori %101, %102 : tensor<64xi32>
    %cst_79 = arith.constant dense<-845247145> : tensor<64xi32>
    %104 = arith.muli %cst_79, %91 : tensor<64xi32>
    %cst_80 = arith.constant dense<-766435501> : tensor<64xi32>
    %105 = arith.muli %cst_80, %87 : tensor<64xi32>
    %c-1640531527_i32_81 = arith.constant -1640531527 : i32
    %c-1640531527_i32_82 = arith.constant -1640531527 : i32
    %106 = arith.addi %94, %c-1640531527_i32_82 : i32
    %c-1150833019_i32_83 = arith.constant -1150833019 : i32
    %c-1150833019_i32_84 = arith.constant -1150833019 : i32
    %107 = arith.addi %95, %c-1150833019_i32_84 : i32
    %c-766435501_i32_85 = arith.constant -766435501 : i32
    %c-845247145_i32_86 = arith.constant -845247145 : i32
    %cst_87 = arith.constant dense<-845247145> : tensor<64xi32>
    %108 = tt.mulhiui %cst_87, %103 : tensor<64xi32>
    %109 = arith.xori %108, %104 : tensor<64xi32>
    %110 = tt.splat %106 : i32 -> tensor<64xi32>
    %111 = arith.xori %109, %110 : tensor<64xi32>
    %cst_88 = arith.constant dense<-766435501> : tensor<64xi32>
    %112 = tt.mulhiui %cst_88, %99 : tensor<64xi32>
    %113 = arith.xori %112, %105 : tensor<64xi32>
    %114 = tt.splat %107 : i32 -> tensor<64xi32>
    %115 = arith.xori %113, %114 : tensor<64xi32>
    %cst_89 = arith.constant dense<-845247145> : tensor<64xi32>
    %116 = arith.muli %cst_89, %103 : tensor<64xi32>
    %cst_90 = arith.constant dense<-766435501> : tensor<64xi32>
    %117 = arith.muli %cst_90, %99 : tensor<64xi32>
    %c-1640531527_i32_91 = arith.constant -1640531527 : i32
    %c-1640531527_i32_92 = arith.constant -1640531527 : i32
    %118 = arith.addi %106, %c-1640531527_i32_92 : i32
    %c-1150833019_i32_93 = arith.constant -1150833019 : i32
    %c-1150833019_i32_94 = arith.constant -1150833019 : i32
    %119 = arith.addi %107, %c-1150833019_i32_94 : i32
    tt.return %111, %116, %115, %117 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %120 = ub.poison : tensor<64xi32>
    %121 = ub.poison : tensor<64xi32>
    %122 = ub.poison : tensor<64xi32>
    %123 = ub.poison : tensor<64xi32>
    tt.return %120, %121, %122, %123 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @triton.language.random.uint_to_uniform_float__u32S64S__(%arg0: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<64xi32> -> tensor<64xi32>
    %cst = arith.constant 4.6566126E-10 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0> : tensor<64xi32>
    %1 = arith.cmpi slt, %0, %cst_0 : tensor<64xi32>
    %c0_i32_1 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0> : tensor<64xi32>
    %2 = arith.subi %cst_2, %0 : tensor<64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<1> : tensor<64xi32>
    %3 = arith.subi %2, %cst_4 : tensor<64xi32>
    %4 = arith.select %1, %3, %0 : tensor<64xi1>, tensor<64xi32>
    %5 = arith.sitofp %4 : tensor<64xi32> to tensor<64xf32>
    %cst_5 = arith.constant dense<4.6566126E-10> : tensor<64xf32>
    %6 = arith.mulf %5, %cst_5 : tensor<64xf32>
    tt.return %6 : tensor<64xf32>
  ^bb1:  // no predecessors
    %7 = ub.poison : tensor<64xf32>
    tt.return %7 : tensor<64xf32>
  }
  tt.func private @"triton.language.random.randn__i32_i32S64S__(2,)cconstexpr_10_"(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0:4 = tt.call @"triton.language.random.randint4x__i32_i32S64S__(2,)cconstexpr_10_"(%arg0, %arg1) : (i32, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S__(%0#0) : (tensor<64xi32>) -> tensor<64xf32>
    %2 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S__(%0#1) : (tensor<64xi32>) -> tensor<64xf32>
    %3:2 = tt.call @triton.language.random.pair_uniform_to_normal__fp32S64S_fp32S64S__(%1, %2) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    tt.return %3#0 : tensor<64xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<64xf32>
    tt.return %4 : tensor<64xf32>
  }
  tt.func private @triton.language.random.pair_uniform_to_normal__fp32S64S_fp32S64S__(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) attributes {noinline = false} {
    %cst = arith.constant 1.000000e-07 : f32
    %cst_0 = arith.constant dense<1.000000e-07> : tensor<64xf32>
    %0 = arith.maxnumf %cst_0, %arg0 : tensor<64xf32>
    %cst_1 = arith.constant 6.28318548 : f32
    %cst_2 = arith.constant 6.28318548 : f32
    %cst_3 = arith.constant dense<6.28318548> : tensor<64xf32>
    %1 = arith.mulf %cst_3, %arg1 : tensor<64xf32>
    %2 = math.log %0 : tensor<64xf32>
    %cst_4 = arith.constant -2.000000e+00 : f32
    %cst_5 = arith.constant -2.000000e+00 : f32
    %cst_6 = arith.constant dense<-2.000000e+00> : tensor<64xf32>
    %3 = arith.mulf %cst_6, %2 : tensor<64xf32>
    %4 = math.sqrt %3 : tensor<64xf32>
    %5 = math.cos %1 : tensor<64xf32>
    %6 = arith.mulf %4, %5 : tensor<64xf32>
    %7 = math.sin %1 : tensor<64xf32>
    %8 = arith.mulf %4, %7 : tensor<64xf32>
    tt.return %6, %8 : tensor<64xf32>, tensor<64xf32>
  ^bb1:  // no predecessors
    %9 = ub.poison : tensor<64xf32>
    %10 = ub.poison : tensor<64xf32>
    tt.return %9, %10 : tensor<64xf32>, tensor<64xf32>
  }
  tt.func private @"triton.language.standard.swizzle2d__i32_i32__(2,)cconstexpr_4__(3,)cconstexpr_4__(4,)cconstexpr_2_"(%arg0: i32, %arg1: i32) -> (i32, i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %c4_i32_0 = arith.constant 4 : i32
    %0 = arith.muli %arg0, %c4_i32_0 : i32
    %1 = arith.addi %0, %arg1 : i32
    %c8_i32 = arith.constant 8 : i32
    %2 = arith.divsi %1, %c8_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %c2_i32_1 = arith.constant 2 : i32
    %3 = arith.muli %2, %c2_i32_1 : i32
    %c4_i32_2 = arith.constant 4 : i32
    %c4_i32_3 = arith.constant 4 : i32
    %4 = arith.subi %c4_i32_3, %3 : i32
    %c2_i32_4 = arith.constant 2 : i32
    %5 = arith.minsi %4, %c2_i32_4 : i32
    %6 = arith.remsi %1, %c8_i32 : i32
    %7 = arith.remsi %6, %5 : i32
    %8 = arith.addi %3, %7 : i32
    %9 = arith.divsi %6, %5 : i32
    tt.return %8, %9 : i32, i32
  ^bb1:  // no predecessors
    %10 = ub.poison : i32
    %11 = ub.poison : i32
    tt.return %10, %11 : i32, i32
  }
  tt.func private @"triton.language.standard.softmax__fp32S64S__(1,)cNone_(2,)cconstexpr_False__(3,)cconstexpr_False_"(%arg0: tensor<64xf32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.call @"triton.language.standard.max__fp32S64S__(1,)cconstexpr_0__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%arg0) : (tensor<64xf32>) -> f32
    %1 = tt.splat %0 : f32 -> tensor<64xf32>
    %2 = arith.subf %arg0, %1 : tensor<64xf32>
    %3 = math.exp %2 : tensor<64xf32>
    %4 = tt.call @"triton.language.standard.sum__fp32S64S__(1,)cconstexpr_0__(2,)cconstexpr_False__(3,)cNone"(%3) : (tensor<64xf32>) -> f32
    %5 = tt.splat %4 : f32 -> tensor<64xf32>
    %6 = arith.divf %3, %5 : tensor<64xf32>
    tt.return %6 : tensor<64xf32>
  ^bb1:  // no predecessors
    %7 = ub.poison : tensor<64xf32>
    tt.return %7 : tensor<64xf32>
  }
  tt.func private @"triton.language.standard.max__fp32S64S__(1,)cconstexpr_0__(2,)cconstexpr_False__(3,)cconstexpr_True__(4,)cconstexpr_False_"(%arg0: tensor<64xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32__(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32__(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @"triton.language.standard.sum__fp32S64S__(1,)cconstexpr_0__(2,)cconstexpr_False__(3,)cNone"(%arg0: tensor<64xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32__(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32__(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sigmoid__fp32S64S__(%arg0: tensor<64xf32>) -> tensor<64xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %0 = arith.subf %cst_0, %arg0 : tensor<64xf32>
    %1 = math.exp %0 : tensor<64xf32>
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %2 = arith.addf %cst_2, %1 : tensor<64xf32>
    %c1_i32_3 = arith.constant 1 : i32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %3 = arith.divf %cst_5, %2 : tensor<64xf32>
    tt.return %3 : tensor<64xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<64xf32>
    tt.return %4 : tensor<64xf32>
  }
  tt.func private @"triton.language.standard.cdiv__i32__(1,)cconstexpr_3_"(%arg0: i32) -> i32 attributes {noinline = false} {
    %c3_i32 = arith.constant 3 : i32
    %c3_i32_0 = arith.constant 3 : i32
    %0 = arith.addi %arg0, %c3_i32_0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %1 = arith.subi %0, %c1_i32_1 : i32
    %c3_i32_2 = arith.constant 3 : i32
    %c3_i32_3 = arith.constant 3 : i32
    %2 = arith.divsi %1, %c3_i32_3 : i32
    tt.return %2 : i32
  ^bb1:  // no predecessors
    %3 = ub.poison : i32
    tt.return %3 : i32
  }
}
