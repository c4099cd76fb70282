module {
  tt.func public @misc(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32, tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %4:2 = "tt.scan"(%3, %3) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %46:2 = tt.call @ops._mul2__fp32_fp32_fp32_fp32(%arg3, %arg4, %arg5, %arg6) : (f32, f32, f32, f32) -> (f32, f32)
      tt.scan.return %46#0, %46#1 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    %5:2 = "tt.reduce"(%3, %3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %46:2 = tt.call @ops._mul2__fp32_fp32_fp32_fp32(%arg3, %arg4, %arg5, %arg6) : (f32, f32, f32, f32) -> (f32, f32)
      tt.reduce.return %46#0, %46#1 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (f32, f32)
    %6 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %3 : tensor<64xf32> -> tensor<64xf32>
    %7 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
    %8 = tt.extern_elementwise %3, %6 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %9 = arith.addf %7, %8 : tensor<64xf32>
    %10 = "tt.map_elementwise"(%3, %6) <{pack = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %46 = tt.call @ops._sel__fp32_fp32(%arg3, %arg4) : (f32, f32) -> f32
      tt.map_elementwise.return %46 : f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    tt.print " hello: " {hex = false, isSigned = array<i32: 0, 1>} : %3, %arg2 : tensor<64xf32>, i32
    tt.print " hx: " {hex = true, isSigned = array<i32: 1>} : %0 : tensor<64xi32>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %11 = arith.cmpf ogt, %3, %cst_0 : tensor<64xf32>
    tt.assert %11, "neg" : tensor<64xi1>
    ttg.barrier all
    %c0_i32 = arith.constant 0 : i32
    %12 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    llvm.intr.assume %12 : i1
    %c2_i32 = arith.constant 2 : i32
    %13 = arith.cmpi sgt, %arg2, %c2_i32 : i32
    tt.assert %13, "n small" : i1
    %14 = tt.call @triton.language.random.rand__i32_i32S64S_c10(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xf32>
    %15 = tt.call @triton.language.random.randn__i32_i32S64S_c10(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xf32>
    %16 = arith.addf %14, %15 : tensor<64xf32>
    %17 = tt.call @triton.language.random.randint__i32_i32S64S_c10(%arg2, %0) : (i32, tensor<64xi32>) -> tensor<64xi32>
    %18 = arith.uitofp %17 : tensor<64xi32> to tensor<64xf32>
    %19 = arith.addf %16, %18 : tensor<64xf32>
    %20:2 = tt.call @triton.language.standard.swizzle2d__i32_i32_c4_c4_c2(%arg2, %arg2) : (i32, i32) -> (i32, i32)
    %21 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %22 = tt.addptr %21, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %23 = arith.addf %4#0, %4#1 : tensor<64xf32>
    %24 = arith.addf %23, %6 : tensor<64xf32>
    %25 = arith.addf %24, %9 : tensor<64xf32>
    %26 = arith.addf %25, %10 : tensor<64xf32>
    %27 = tt.splat %5#0 : f32 -> tensor<64xf32>
    %28 = arith.addf %26, %27 : tensor<64xf32>
    %29 = tt.splat %5#1 : f32 -> tensor<64xf32>
    %30 = arith.addf %28, %29 : tensor<64xf32>
    %31 = arith.addf %30, %19 : tensor<64xf32>
    %32 = arith.sitofp %20#0 : i32 to f32
    %33 = tt.splat %32 : f32 -> tensor<64xf32>
    %34 = arith.addf %31, %33 : tensor<64xf32>
    %35 = arith.sitofp %20#1 : i32 to f32
    %36 = tt.splat %35 : f32 -> tensor<64xf32>
    %37 = arith.addf %34, %36 : tensor<64xf32>
    %38 = tt.call @triton.language.standard.softmax__fp32S64S_cNone_cNone_cFalse(%3) : (tensor<64xf32>) -> tensor<64xf32>
    %39 = arith.addf %37, %38 : tensor<64xf32>
    %40 = tt.call @triton.language.standard.sigmoid__fp32S64S(%3) : (tensor<64xf32>) -> tensor<64xf32>
    %41 = arith.addf %39, %40 : tensor<64xf32>
    %42 = tt.call @triton.language.standard.cdiv__i32_c3(%arg2) : (i32) -> i32
    %43 = arith.sitofp %42 : i32 to f32
    %44 = tt.splat %43 : f32 -> tensor<64xf32>
    %45 = arith.addf %41, %44 : tensor<64xf32>
    tt.store %22, %45 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @ops._mul2__fp32_fp32_fp32_fp32(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, f32) attributes {noinline = false} {
    %0 = arith.mulf %arg0, %arg2 : f32
    %1 = arith.mulf %arg1, %arg2 : f32
    %2 = arith.addf %1, %arg3 : f32
    tt.return %0, %2 : f32, f32
  ^bb1:  // no predecessors
    %3 = ub.poison : f32
    %4 = ub.poison : f32
    tt.return %3, %4 : f32, f32
  }
  tt.func private @ops._sel__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = arith.cmpf ogt, %arg0, %cst : f32
    %1 = scf.if %0 -> (f32) {
      scf.yield %arg0 : f32
    } else {
      %3 = arith.mulf %arg1, %arg0 : f32
      scf.yield %3 : f32
    }
    tt.return %1 : f32
  ^bb1:  // no predecessors
    %2 = ub.poison : f32
    tt.return %2 : f32
  }
  tt.func private @triton.language.random.rand__i32_i32S64S_c10(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.random.randint__i32_i32S64S_c10(%arg0, %arg1) : (i32, tensor<64xi32>) -> tensor<64xi32>
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S(%0) : (tensor<64xi32>) -> tensor<64xf32>
    tt.return %1 : tensor<64xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<64xf32>
    tt.return %2 : tensor<64xf32>
  }
  tt.func private @triton.language.random.randint__i32_i32S64S_c10(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xi32> attributes {noinline = false} {
    %0:4 = tt.call @triton.language.random.randint4x__i32_i32S64S_c10(%arg0, %arg1) : (i32, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %0#0 : tensor<64xi32>
  ^bb1:  // no predecessors
    %1 = ub.poison : tensor<64xi32>
    tt.return %1 : tensor<64xi32>
  }
  tt.func private @triton.language.random.randint4x__i32_i32S64S_c10(%arg0: i32, %arg1: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
    %0 = arith.bitcast %arg1 : tensor<64xi32> to tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<64xi32>
    %1 = arith.muli %0, %cst : tensor<64xi32>
    %2:4 = tt.call @triton.language.random.philox__i32_u32S64S_u32S64S_u32S64S_u32S64S_c10(%arg0, %0, %1, %1, %1) : (i32, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %2#0, %2#1, %2#2, %2#3 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %3 = ub.poison : tensor<64xi32>
    %4 = ub.poison : tensor<64xi32>
    %5 = ub.poison : tensor<64xi32>
    %6 = ub.poison : tensor<64xi32>
    tt.return %3, %4, %5, %6 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @triton.language.random.philox__i32_u32S64S_u32S64S_u32S64S_u32S64S_c10(%arg0: i32, %arg1: tensor<64xi32>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>, %arg4: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
    %0 = arith.extsi %arg0 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %2 = arith.andi %1, %c4294967295_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c4294967295_i64_0 = arith.constant 4294967295 : i64
    %4 = arith.andi %0, %c4294967295_i64_0 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6:4 = tt.call @triton.language.random.philox_impl__u32S64S_u32S64S_u32S64S_u32S64S_u32_u32_c10(%arg1, %arg2, %arg3, %arg4, %5, %3) : (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, i32, i32) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    tt.return %6#0, %6#1, %6#2, %6#3 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %7 = ub.poison : tensor<64xi32>
    %8 = ub.poison : tensor<64xi32>
    %9 = ub.poison : tensor<64xi32>
    %10 = ub.poison : tensor<64xi32>
    tt.return %7, %8, %9, %10 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @triton.language.random.philox_impl__u32S64S_u32S64S_u32S64S_u32S64S_u32_u32_c10(%arg0: tensor<64xi32>, %arg1: tensor<64xi32>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>, %arg4: i32, %arg5: i32) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) attributes {noinline = false} {
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
    %10 = arith.addi %arg4, %c-1640531527_i32 : i32
    %c-1150833019_i32 = arith.constant -1150833019 : i32
    %11 = arith.addi %arg5, %c-1150833019_i32 : i32
    %c-766435501_i32_3 = arith.constant -766435501 : i32
    %c-845247145_i32_4 = arith.constant -845247145 : i32
    %cst_5 = arith.constant dense<-845247145> : tensor<64xi32>
    %12 = tt.mulhiui %cst_5, %7 : tensor<64xi32>
    %13 = arith.xori %12, %8 : tensor<64xi32>
    %14 = tt.splat %10 : i32 -> tensor<64xi32>
    %15 = arith.xori %13, %14 : tensor<64xi32>
    %cst_6 = arith.constant dense<-766435501> : tensor<64xi32>
    %16 = tt.mulhiui %cst_6, %3 : tensor<64xi32>
    %17 = arith.xori %16, %9 : tensor<64xi32>
    %18 = tt.splat %11 : i32 -> tensor<64xi32>
    %19 = arith.xori %17, %18 : tensor<64xi32>
    %cst_7 = arith.constant dense<-845247145> : tensor<64xi32>
    %20 = arith.muli %cst_7, %7 : tensor<64xi32>
    %cst_8 = arith.constant dense<-766435501> : tensor<64xi32>
    %21 = arith.muli %cst_8, %3 : tensor<64xi32>
    %c-1640531527_i32_9 = arith.constant -1640531527 : i32
    %22 = arith.addi %10, %c-1640531527_i32_9 : i32
    %c-1150833019_i32_10 = arith.constant -1150833019 : i32
    %23 = arith.addi %11, %c-1150833019_i32_10 : i32
    %c-766435501_i32_11 = arith.constant -766435501 : i32
    %c-845247145_i32_12 = arith.constant -845247145 : i32
    %cst_13 = arith.constant dense<-845247145> : tensor<64xi32>
    %24 = tt.mulhiui %cst_13, %19 : tensor<64xi32>
    %25 = arith.xori %24, %20 : tensor<64xi32>
    %26 = tt.splat %22 : i32 -> tensor<64xi32>
    %27 = arith.xori %25, %26 : tensor<64xi32>
    %cst_14 = arith.constant dense<-766435501> : tensor<64xi32>
    %28 = tt.mulhiui %cst_14, %15 : tensor<64xi32>
    %29 = arith.xori %28, %21 : tensor<64xi32>
    %30 = tt.splat %23 : i32 -> tensor<64xi32>
    %31 = arith.xori %29, %30 : tensor<64xi32>
    %cst_15 = arith.constant dense<-845247145> : tensor<64xi32>
    %32 = arith.muli %cst_15, %19 : tensor<64xi32>
    %cst_16 = arith.constant dense<-766435501> : tensor<64xi32>
    %33 = arith.muli %cst_16, %15 : tensor<64xi32>
    %c-1640531527_i32_17 = arith.constant -1640531527 : i32
    %34 = arith.addi %22, %c-1640531527_i32_17 : i32
    %c-1150833019_i32_18 = arith.constant -1150833019 : i32
    %35 = arith.addi %23, %c-1150833019_i32_18 : i32
    %c-766435501_i32_19 = arith.constant -766435501 : i32
    %c-845247145_i32_20 = arith.constant -845247145 : i32
    %cst_21 = arith.constant dense<-845247145> : tensor<64xi32>
    %36 = tt.mulhiui %cst_21, %31 : tensor<64xi32>
    %37 = arith.xori %36, %32 : tensor<64xi32>
    %38 = tt.splat %34 : i32 -> tensor<64xi32>
    %39 = arith.xori %37, %38 : tensor<64xi32>
    %cst_22 = arith.constant dense<-766435501> : tensor<64xi32>
    %40 = tt.mulhiui %cst_22, %27 : tensor<64xi32>
    %41 = arith.xori %40, %33 : tensor<64xi32>
    %42 = tt.splat %35 : i32 -> tensor<64xi32>
    %43 = arith.xori %41, %42 : tensor<64xi32>
    %cst_23 = arith.constant dense<-845247145> : tensor<64xi32>
    %44 = arith.muli %cst_23, %31 : tensor<64xi32>
    %cst_24 = arith.constant dense<-766435501> : tensor<64xi32>
    %45 = arith.muli %cst_24, %27 : tensor<64xi32>
    %c-1640531527_i32_25 = arith.constant -1640531527 : i32
    %46 = arith.addi %34, %c-1640531527_i32_25 : i32
    %c-1150833019_i32_26 = arith.constant -1150833019 : i32
    %47 = arith.addi %35, %c-1150833019_i32_26 : i32
    %c-766435501_i32_27 = arith.constant -766435501 : i32
    %c-845247145_i32_28 = arith.constant -845247145 : i32
    %cst_29 = arith.constant dense<-845247145> : tensor<64xi32>
    %48 = tt.mulhiui %cst_29, %43 : tensor<64xi32>
    %49 = arith.xori %48, %44 : tensor<64xi32>
    %50 = tt.splat %46 : i32 -> tensor<64xi32>
    %51 = arith.xori %49, %50 : tensor<64xi32>
    %cst_30 = arith.constant dense<-766435501> : tensor<64xi32>
    %52 = tt.mulhiui %cst_30, %39 : tensor<64xi32>
    %53 = arith.xori %52, %45 : tensor<64xi32>
    %54 = tt.splat %47 : i32 -> tensor<64xi32>
    %55 = arith.xori %53, %54 : tensor<64xi32>
    %cst_31 = arith.constant dense<-845247145> : tensor<64xi32>
    %56 = arith.muli %cst_31, %43 : tensor<64xi32>
    %cst_32 = arith.constant dense<-766435501> : tensor<64xi32>
    %57 = arith.muli %cst_32, %39 : tensor<64xi32>
    %c-1640531527_i32_33 = arith.constant -1640531527 : i32
    %58 = arith.addi %46, %c-1640531527_i32_33 : i32
    %c-1150833019_i32_34 = arith.constant -1150833019 : i32
    %59 = arith.addi %47, %c-1150833019_i32_34 : i32
    %c-766435501_i32_35 = arith.constant -766435501 : i32
    %c-845247145_i32_36 = arith.constant -845247145 : i32
    %cst_37 = arith.constant dense<-845247145> : tensor<64xi32>
    %60 = tt.mulhiui %cst_37, %55 : tensor<64xi32>
    %61 = arith.xori %60, %56 : tensor<64xi32>
    %62 = tt.splat %58 : i32 -> tensor<64xi32>
    %63 = arith.xori %61, %62 : tensor<64xi32>
    %cst_38 = arith.constant dense<-766435501> : tensor<64xi32>
    %64 = tt.mulhiui %cst_38, %51 : tensor<64xi32>
    %65 = arith.xori %64, %57 : tensor<64xi32>
    %66 = tt.splat %59 : i32 -> tensor<64xi32>
    %67 = arith.xori %65, %66 : tensor<64xi32>
    %cst_39 = arith.constant dense<-845247145> : tensor<64xi32>
    %68 = arith.muli %cst_39, %55 : tensor<64xi32>
    %cst_40 = arith.constant dense<-766435501> : tensor<64xi32>
    %69 = arith.muli %cst_40, %51 : tensor<64xi32>
    %c-1640531527_i32_41 = arith.constant -1640531527 : i32
    %70 = arith.addi %58, %c-1640531527_i32_41 : i32
    %c-1150833019_i32_42 = arith.constant -1150833019 : i32
    %71 = arith.addi %59, %c-1150833019_i32_42 : i32
    %c-766435501_i32_43 = arith.constant -766435501 : i32
    %c-845247145_i32_44 = arith.constant -845247145 : i32
    %cst_45 = arith.constant dense<-845247145> : tensor<64xi32>
    %72 = tt.mulhiui %cst_45, %67 : tensor<64xi32>
    %73 = arith.xori %72, %68 : tensor<64xi32>
    %74 = tt.splat %70 : i32 -> tensor<64xi32>
    %75 = arith.xori %73, %74 : tensor<64xi32>
    %cst_46 = arith.constant dense<-766435501> : tensor<64xi32>
    %76 = tt.mulhiui %cst_46, %63 : tensor<64xi32>
    %77 = arith.xori %76, %69 : tensor<64xi32>
    %78 = tt.splat %71 : i32 -> tensor<64xi32>
    %79 = arith.xori %77, %78 : tensor<64xi32>
    %cst_47 = arith.constant dense<-845247145> : tensor<64xi32>
    %80 = arith.muli %cst_47, %67 : tensor<64xi32>
    %cst_48 = arith.constant dense<-766435501> : tensor<64xi32>
    %81 = arith.muli %cst_48, %63 : tensor<64xi32>
    %c-1640531527_i32_49 = arith.constant -1640531527 : i32
    %82 = arith.addi %70, %c-1640531527_i32_49 : i32
    %c-1150833019_i32_50 = arith.constant -1150833019 : i32
    %83 = arith.addi %71, %c-1150833019_i32_50 : i32
    %c-766435501_i32_51 = arith.constant -766435501 : i32
    %c-845247145_i32_52 = arith.constant -845247145 : i32
    %cst_53 = arith.constant dense<-845247145> : tensor<64xi32>
    %84 = tt.mulhiui %cst_53, %79 : tensor<64xi32>
    %85 = arith.xori %84, %80 : tensor<64xi32>
    %86 = tt.splat %82 : i32 -> tensor<64xi32>
    %87 = arith.xori %85, %86 : tensor<64xi32>
    %cst_54 = arith.constant dense<-766435501> : tensor<64xi32>
    %88 = tt.mulhiui %cst_54, %75 : tensor<64xi32>
    %89 = arith.xori %88, %81 : tensor<64xi32>
    %90 = tt.splat %83 : i32 -> tensor<64xi32>
    %91 = arith.xori %89, %90 : tensor<64xi32>
    %cst_55 = arith.constant dense<-845247145> : tensor<64xi32>
    %92 = arith.muli %cst_55, %79 : tensor<64xi32>
    %cst_56 = arith.constant dense<-766435501> : tensor<64xi32>
    %93 = arith.muli %cst_56, %75 : tensor<64xi32>
    %c-1640531527_i32_57 = arith.constant -1640531527 : i32
    %94 = arith.addi %82, %c-1640531527_i32_57 : i32
    %c-1150833019_i32_58 = arith.constant -1150833019 : i32
    %95 = arith.addi %83, %c-1150833019_i32_58 : i32
    %c-766435501_i32_59 = arith.constant -766435501 : i32
    %c-845247145_i32_60 = arith.constant -845247145 : i32
    %cst_61 = arith.constant dense<-845247145> : tensor<64xi32>
    %96 = tt.mulhiui %cst_61, %91 : tensor<64xi32>
    %97 = arith.xori %96, %92 : tensor<64xi32>
    %98 = tt.splat %94 : i32 -> tensor<64xi32>
    %99 = arith.xori %97, %98 : tensor<64xi32>
    %cst_62 = arith.constant dense<-766435501> : tensor<64xi32>
    %100 = tt.mulhiui %cst_62, %87 : tensor<64xi32>
    %101 = arith.xori %100, %93 : tensor<64xi32>
    %102 = tt.splat %95 : i32 -> tensor<64xi32>
    %103 = arith.xori %101, %102 : tensor<64xi32>
    %cst_63 = arith.constant dense<-845247145> : tensor<64xi32>
    %104 = arith.muli %cst_63, %91 : tensor<64xi32>
    %cst_64 = arith.constant dense<-766435501> : tensor<64xi32>
    %105 = arith.muli %cst_64, %87 : tensor<64xi32>
    %c-1640531527_i32_65 = arith.constant -1640531527 : i32
    %106 = arith.addi %94, %c-1640531527_i32_65 : i32
    %c-1150833019_i32_66 = arith.constant -1150833019 : i32
    %107 = arith.addi %95, %c-1150833019_i32_66 : i32
    %c-766435501_i32_67 = arith.constant -766435501 : i32
    %c-845247145_i32_68 = arith.constant -845247145 : i32
    %cst_69 = arith.constant dense<-845247145> : tensor<64xi32>
    %108 = tt.mulhiui %cst_69, %103 : tensor<64xi32>
    %109 = arith.xori %108, %104 : tensor<64xi32>
    %110 = tt.splat %106 : i32 -> tensor<64xi32>
    %111 = arith.xori %109, %110 : tensor<64xi32>
    %cst_70 = arith.constant dense<-766435501> : tensor<64xi32>
    %112 = tt.mulhiui %cst_70, %99 : tensor<64xi32>
    %113 = arith.xori %112, %105 : tensor<64xi32>
    %114 = tt.splat %107 : i32 -> tensor<64xi32>
    %115 = arith.xori %113, %114 : tensor<64xi32>
    %cst_71 = arith.constant dense<-845247145> : tensor<64xi32>
    %116 = arith.muli %cst_71, %103 : tensor<64xi32>
    %cst_72 = arith.constant dense<-766435501> : tensor<64xi32>
    %117 = arith.muli %cst_72, %99 : tensor<64xi32>
    %c-1640531527_i32_73 = arith.constant -1640531527 : i32
    %118 = arith.addi %106, %c-1640531527_i32_73 : i32
    %c-1150833019_i32_74 = arith.constant -1150833019 : i32
    %119 = arith.addi %107, %c-1150833019_i32_74 : i32
    tt.return %111, %116, %115, %117 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  ^bb1:  // no predecessors
    %120 = ub.poison : tensor<64xi32>
    %121 = ub.poison : tensor<64xi32>
    %122 = ub.poison : tensor<64xi32>
    %123 = ub.poison : tensor<64xi32>
    tt.return %120, %121, %122, %123 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  tt.func private @triton.language.random.uint_to_uniform_float__u32S64S(%arg0: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.bitcast %arg0 : tensor<64xi32> -> tensor<64xi32>
    %cst = arith.constant 4.6566126E-10 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0> : tensor<64xi32>
    %1 = arith.cmpi slt, %0, %cst_0 : tensor<64xi32>
    %c-1_i32 = arith.constant -1 : i32
    %cst_1 = arith.constant dense<-1> : tensor<64xi32>
    %2 = arith.xori %0, %cst_1 : tensor<64xi32>
    %3 = arith.select %1, %2, %0 : tensor<64xi1>, tensor<64xi32>
    %4 = arith.sitofp %3 : tensor<64xi32> to tensor<64xf32>
    %cst_2 = arith.constant dense<4.6566126E-10> : tensor<64xf32>
    %5 = arith.mulf %4, %cst_2 : tensor<64xf32>
    tt.return %5 : tensor<64xf32>
  ^bb1:  // no predecessors
    %6 = ub.poison : tensor<64xf32>
    tt.return %6 : tensor<64xf32>
  }
  tt.func private @triton.language.random.randn__i32_i32S64S_c10(%arg0: i32, %arg1: tensor<64xi32>) -> tensor<64xf32> attributes {noinline = false} {
    %0:4 = tt.call @triton.language.random.randint4x__i32_i32S64S_c10(%arg0, %arg1) : (i32, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>)
    %1 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S(%0#0) : (tensor<64xi32>) -> tensor<64xf32>
    %2 = tt.call @triton.language.random.uint_to_uniform_float__u32S64S(%0#1) : (tensor<64xi32>) -> tensor<64xf32>
    %3:2 = tt.call @triton.language.random.pair_uniform_to_normal__fp32S64S_fp32S64S(%1, %2) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    tt.return %3#0 : tensor<64xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<64xf32>
    tt.return %4 : tensor<64xf32>
  }
  tt.func private @triton.language.random.pair_uniform_to_normal__fp32S64S_fp32S64S(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) attributes {noinline = false} {
    %cst = arith.constant 1.000000e-07 : f32
    %cst_0 = arith.constant dense<1.000000e-07> : tensor<64xf32>
    %0 = arith.maxnumf %cst_0, %arg0 : tensor<64xf32>
    %cst_1 = arith.constant 6.28318548 : f32
    %cst_2 = arith.constant dense<6.28318548> : tensor<64xf32>
    %1 = arith.mulf %cst_2, %arg1 : tensor<64xf32>
    %2 = math.log %0 : tensor<64xf32>
    %cst_3 = arith.constant -2.000000e+00 : f32
    %cst_4 = arith.constant dense<-2.000000e+00> : tensor<64xf32>
    %3 = arith.mulf %cst_4, %2 : tensor<64xf32>
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
  tt.func private @triton.language.standard.swizzle2d__i32_i32_c4_c4_c2(%arg0: i32, %arg1: i32) -> (i32, i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.muli %arg0, %c4_i32 : i32
    %1 = arith.addi %0, %arg1 : i32
    %c8_i32 = arith.constant 8 : i32
    %2 = arith.divsi %1, %c8_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %3 = arith.muli %2, %c2_i32 : i32
    %c4_i32_0 = arith.constant 4 : i32
    %4 = arith.subi %c4_i32_0, %3 : i32
    %c2_i32_1 = arith.constant 2 : i32
    %5 = arith.minsi %4, %c2_i32_1 : i32
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
  tt.func private @triton.language.standard.softmax__fp32S64S_cNone_cNone_cFalse(%arg0: tensor<64xf32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = tt.call @triton.language.standard.max__fp32S64S_c0_cFalse_cTrue_cTrue(%arg0) : (tensor<64xf32>) -> tensor<1xf32>
    %1 = tt.broadcast %0 : tensor<1xf32> -> tensor<64xf32>
    %2 = arith.subf %arg0, %1 : tensor<64xf32>
    %3 = math.exp %2 : tensor<64xf32>
    %4 = tt.call @triton.language.standard.sum__fp32S64S_c0_cTrue_cNone(%3) : (tensor<64xf32>) -> tensor<1xf32>
    %5 = tt.broadcast %4 : tensor<1xf32> -> tensor<64xf32>
    %6 = arith.divf %3, %5 : tensor<64xf32>
    tt.return %6 : tensor<64xf32>
  ^bb1:  // no predecessors
    %7 = ub.poison : tensor<64xf32>
    tt.return %7 : tensor<64xf32>
  }
  tt.func private @triton.language.standard.max__fp32S64S_c0_cFalse_cTrue_cTrue(%arg0: tensor<64xf32>) -> tensor<1xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %3 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %3 : f32
    }) : (tensor<64xf32>) -> f32
    %1 = tt.splat %0 : f32 -> tensor<1xf32>
    tt.return %1 : tensor<1xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1xf32>
    tt.return %2 : tensor<1xf32>
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S64S_c0_cTrue_cNone(%arg0: tensor<64xf32>) -> tensor<1xf32> attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %3 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %3 : f32
    }) : (tensor<64xf32>) -> f32
    %1 = tt.splat %0 : f32 -> tensor<1xf32>
    tt.return %1 : tensor<1xf32>
  ^bb1:  // no predecessors
    %2 = ub.poison : tensor<1xf32>
    tt.return %2 : tensor<1xf32>
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sigmoid__fp32S64S(%arg0: tensor<64xf32>) -> tensor<64xf32> attributes {noinline = false} {
    %0 = arith.negf %arg0 : tensor<64xf32>
    %1 = math.exp %0 : tensor<64xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %2 = arith.addf %cst_0, %1 : tensor<64xf32>
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %3 = arith.divf %cst_2, %2 : tensor<64xf32>
    tt.return %3 : tensor<64xf32>
  ^bb1:  // no predecessors
    %4 = ub.poison : tensor<64xf32>
    tt.return %4 : tensor<64xf32>
  }
  tt.func private @triton.language.standard.cdiv__i32_c3(%arg0: i32) -> i32 attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.addi %arg0, %c2_i32 : i32
    %c3_i32 = arith.constant 3 : i32
    %1 = arith.divsi %0, %c3_i32 : i32
    tt.return %1 : i32
  ^bb1:  // no predecessors
    %2 = ub.poison : i32
    tt.return %2 : i32
  }
}
