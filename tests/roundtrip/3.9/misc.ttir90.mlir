module {
  tt.func public @misc(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) attributes {noinline = false} {
    %c-766435501_i32 = arith.constant -766435501 : i32
    %c-845247145_i32 = arith.constant -845247145 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst_0 = arith.constant dense<-2.000000e+00> : tensor<64xf32>
    %cst_1 = arith.constant dense<6.28318548> : tensor<64xf32>
    %cst_2 = arith.constant dense<1.000000e-07> : tensor<64xf32>
    %c32_i64 = arith.constant 32 : i64
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %c-1879881855_i32 = arith.constant -1879881855 : i32
    %c-616729560_i32 = arith.constant -616729560 : i32
    %c534103459_i32 = arith.constant 534103459 : i32
    %c1401181199_i32 = arith.constant 1401181199 : i32
    %c1684936478_i32 = arith.constant 1684936478 : i32
    %c-1253254570_i32 = arith.constant -1253254570 : i32
    %c-1459197799_i32 = arith.constant -1459197799 : i32
    %c387276957_i32 = arith.constant 387276957 : i32
    %c-308364780_i32 = arith.constant -308364780 : i32
    %c2027808484_i32 = arith.constant 2027808484 : i32
    %c842468239_i32 = arith.constant 842468239 : i32
    %c-626627285_i32 = arith.constant -626627285 : i32
    %c1993301258_i32 = arith.constant 1993301258 : i32
    %c1013904242_i32 = arith.constant 1013904242 : i32
    %c-1150833019_i32 = arith.constant -1150833019 : i32
    %c-1640531527_i32 = arith.constant -1640531527 : i32
    %cst_3 = arith.constant dense<-766435501> : tensor<64xi32>
    %cst_4 = arith.constant dense<-845247145> : tensor<64xi32>
    %cst_5 = arith.constant dense<0> : tensor<64xi32>
    %cst_6 = arith.constant dense<4.6566126E-10> : tensor<64xf32>
    %cst_7 = arith.constant dense<-1> : tensor<64xi32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32, tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %4:2 = "tt.scan"(%3, %3) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %187 = arith.mulf %arg3, %arg5 : f32
      %188 = arith.mulf %arg4, %arg5 : f32
      %189 = arith.addf %188, %arg6 : f32
      tt.scan.return %187, %189 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    %5:2 = "tt.reduce"(%3, %3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %187 = arith.mulf %arg3, %arg5 : f32
      %188 = arith.mulf %arg4, %arg5 : f32
      %189 = arith.addf %188, %arg6 : f32
      tt.reduce.return %187, %189 : f32, f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> (f32, f32)
    %6 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %3 : tensor<64xf32> -> tensor<64xf32>
    %7 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
    %8 = tt.extern_elementwise %3, %6 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %9 = arith.addf %7, %8 : tensor<64xf32>
    %10 = "tt.map_elementwise"(%3, %6) <{pack = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %187 = arith.cmpf ogt, %arg3, %cst_8 : f32
      %188 = scf.if %187 -> (f32) {
        scf.yield %arg3 : f32
      } else {
        %189 = arith.mulf %arg4, %arg3 : f32
        scf.yield %189 : f32
      }
      tt.map_elementwise.return %188 : f32
    }) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    tt.print " hello: " {hex = false, isSigned = array<i32: 0, 1>} : %3, %arg2 : tensor<64xf32>, i32
    tt.print " hx: " {hex = true, isSigned = array<i32: 1>} : %0 : tensor<64xi32>
    %11 = arith.cmpf ogt, %3, %cst_9 : tensor<64xf32>
    tt.assert %11, "neg" : tensor<64xi1>
    ttg.barrier all
    %12 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    llvm.intr.assume %12 : i1
    %13 = arith.cmpi sgt, %arg2, %c2_i32 : i32
    tt.assert %13, "n small" : i1
    %14 = arith.extsi %arg2 : i32 to i64
    %15 = arith.shrui %14, %c32_i64 : i64
    %16 = arith.andi %15, %c4294967295_i64 : i64
    %17 = arith.trunci %16 : i64 to i32
    %18 = arith.andi %14, %c4294967295_i64 : i64
    %19 = arith.trunci %18 : i64 to i32
    %20 = tt.mulhiui %c-845247145_i32, %c0_i32 : i32
    %21 = arith.xori %20, %19 : i32
    %22 = tt.mulhiui %cst_3, %0 : tensor<64xi32>
    %23 = tt.splat %17 : i32 -> tensor<64xi32>
    %24 = arith.xori %22, %23 : tensor<64xi32>
    %25 = arith.muli %0, %cst_3 : tensor<64xi32>
    %26 = arith.addi %19, %c-1640531527_i32 : i32
    %27 = arith.addi %17, %c-1150833019_i32 : i32
    %28 = tt.mulhiui %cst_4, %24 : tensor<64xi32>
    %29 = tt.splat %26 : i32 -> tensor<64xi32>
    %30 = arith.xori %28, %29 : tensor<64xi32>
    %31 = tt.mulhiui %c-766435501_i32, %21 : i32
    %32 = tt.splat %31 : i32 -> tensor<64xi32>
    %33 = arith.xori %32, %25 : tensor<64xi32>
    %34 = tt.splat %27 : i32 -> tensor<64xi32>
    %35 = arith.xori %33, %34 : tensor<64xi32>
    %36 = arith.muli %24, %cst_4 : tensor<64xi32>
    %37 = arith.muli %21, %c-766435501_i32 : i32
    %38 = tt.splat %37 : i32 -> tensor<64xi32>
    %39 = arith.addi %19, %c1013904242_i32 : i32
    %40 = arith.addi %17, %c1993301258_i32 : i32
    %41 = tt.mulhiui %cst_4, %35 : tensor<64xi32>
    %42 = arith.xori %41, %36 : tensor<64xi32>
    %43 = tt.splat %39 : i32 -> tensor<64xi32>
    %44 = arith.xori %42, %43 : tensor<64xi32>
    %45 = tt.mulhiui %cst_3, %30 : tensor<64xi32>
    %46 = arith.xori %45, %38 : tensor<64xi32>
    %47 = tt.splat %40 : i32 -> tensor<64xi32>
    %48 = arith.xori %46, %47 : tensor<64xi32>
    %49 = arith.muli %35, %cst_4 : tensor<64xi32>
    %50 = arith.muli %30, %cst_3 : tensor<64xi32>
    %51 = arith.addi %19, %c-626627285_i32 : i32
    %52 = arith.addi %17, %c842468239_i32 : i32
    %53 = tt.mulhiui %cst_4, %48 : tensor<64xi32>
    %54 = arith.xori %53, %49 : tensor<64xi32>
    %55 = tt.splat %51 : i32 -> tensor<64xi32>
    %56 = arith.xori %54, %55 : tensor<64xi32>
    %57 = tt.mulhiui %cst_3, %44 : tensor<64xi32>
    %58 = arith.xori %57, %50 : tensor<64xi32>
    %59 = tt.splat %52 : i32 -> tensor<64xi32>
    %60 = arith.xori %58, %59 : tensor<64xi32>
    %61 = arith.muli %48, %cst_4 : tensor<64xi32>
    %62 = arith.muli %44, %cst_3 : tensor<64xi32>
    %63 = arith.addi %19, %c2027808484_i32 : i32
    %64 = arith.addi %17, %c-308364780_i32 : i32
    %65 = tt.mulhiui %cst_4, %60 : tensor<64xi32>
    %66 = arith.xori %65, %61 : tensor<64xi32>
    %67 = tt.splat %63 : i32 -> tensor<64xi32>
    %68 = arith.xori %66, %67 : tensor<64xi32>
    %69 = tt.mulhiui %cst_3, %56 : tensor<64xi32>
    %70 = arith.xori %69, %62 : tensor<64xi32>
    %71 = tt.splat %64 : i32 -> tensor<64xi32>
    %72 = arith.xori %70, %71 : tensor<64xi32>
    %73 = arith.muli %60, %cst_4 : tensor<64xi32>
    %74 = arith.muli %56, %cst_3 : tensor<64xi32>
    %75 = arith.addi %19, %c387276957_i32 : i32
    %76 = arith.addi %17, %c-1459197799_i32 : i32
    %77 = tt.mulhiui %cst_4, %72 : tensor<64xi32>
    %78 = arith.xori %77, %73 : tensor<64xi32>
    %79 = tt.splat %75 : i32 -> tensor<64xi32>
    %80 = arith.xori %78, %79 : tensor<64xi32>
    %81 = tt.mulhiui %cst_3, %68 : tensor<64xi32>
    %82 = arith.xori %81, %74 : tensor<64xi32>
    %83 = tt.splat %76 : i32 -> tensor<64xi32>
    %84 = arith.xori %82, %83 : tensor<64xi32>
    %85 = arith.muli %72, %cst_4 : tensor<64xi32>
    %86 = arith.muli %68, %cst_3 : tensor<64xi32>
    %87 = arith.addi %19, %c-1253254570_i32 : i32
    %88 = arith.addi %17, %c1684936478_i32 : i32
    %89 = tt.mulhiui %cst_4, %84 : tensor<64xi32>
    %90 = arith.xori %89, %85 : tensor<64xi32>
    %91 = tt.splat %87 : i32 -> tensor<64xi32>
    %92 = arith.xori %90, %91 : tensor<64xi32>
    %93 = tt.mulhiui %cst_3, %80 : tensor<64xi32>
    %94 = arith.xori %93, %86 : tensor<64xi32>
    %95 = tt.splat %88 : i32 -> tensor<64xi32>
    %96 = arith.xori %94, %95 : tensor<64xi32>
    %97 = arith.muli %84, %cst_4 : tensor<64xi32>
    %98 = arith.muli %80, %cst_3 : tensor<64xi32>
    %99 = arith.addi %19, %c1401181199_i32 : i32
    %100 = arith.addi %17, %c534103459_i32 : i32
    %101 = tt.mulhiui %cst_4, %96 : tensor<64xi32>
    %102 = arith.xori %101, %97 : tensor<64xi32>
    %103 = tt.splat %99 : i32 -> tensor<64xi32>
    %104 = arith.xori %102, %103 : tensor<64xi32>
    %105 = tt.mulhiui %cst_3, %92 : tensor<64xi32>
    %106 = arith.xori %105, %98 : tensor<64xi32>
    %107 = tt.splat %100 : i32 -> tensor<64xi32>
    %108 = arith.xori %106, %107 : tensor<64xi32>
    %109 = arith.muli %92, %cst_3 : tensor<64xi32>
    %110 = arith.addi %17, %c-616729560_i32 : i32
    %111 = tt.mulhiui %cst_3, %104 : tensor<64xi32>
    %112 = arith.xori %111, %109 : tensor<64xi32>
    %113 = tt.splat %110 : i32 -> tensor<64xi32>
    %114 = arith.xori %112, %113 : tensor<64xi32>
    %115 = arith.muli %108, %cst_4 : tensor<64xi32>
    %116 = arith.addi %19, %c-1879881855_i32 : i32
    %117 = tt.mulhiui %cst_4, %114 : tensor<64xi32>
    %118 = arith.xori %117, %115 : tensor<64xi32>
    %119 = tt.splat %116 : i32 -> tensor<64xi32>
    %120 = arith.xori %118, %119 : tensor<64xi32>
    %121 = arith.cmpi slt, %120, %cst_5 : tensor<64xi32>
    %122 = arith.xori %120, %cst_7 : tensor<64xi32>
    %123 = arith.select %121, %122, %120 : tensor<64xi1>, tensor<64xi32>
    %124 = arith.sitofp %123 : tensor<64xi32> to tensor<64xf32>
    %125 = arith.mulf %124, %cst_6 : tensor<64xf32>
    %126 = arith.muli %114, %cst_4 : tensor<64xi32>
    %127 = arith.cmpi slt, %126, %cst_5 : tensor<64xi32>
    %128 = arith.xori %126, %cst_7 : tensor<64xi32>
    %129 = arith.select %127, %128, %126 : tensor<64xi1>, tensor<64xi32>
    %130 = arith.sitofp %129 : tensor<64xi32> to tensor<64xf32>
    %131 = arith.mulf %130, %cst_6 : tensor<64xf32>
    %132 = arith.maxnumf %125, %cst_2 : tensor<64xf32>
    %133 = arith.mulf %131, %cst_1 : tensor<64xf32>
    %134 = math.log %132 : tensor<64xf32>
    %135 = arith.mulf %134, %cst_0 : tensor<64xf32>
    %136 = math.sqrt %135 : tensor<64xf32>
    %137 = math.cos %133 : tensor<64xf32>
    %138 = arith.mulf %136, %137 : tensor<64xf32>
    %139 = arith.addf %125, %138 : tensor<64xf32>
    %140 = arith.uitofp %120 : tensor<64xi32> to tensor<64xf32>
    %141 = arith.addf %139, %140 : tensor<64xf32>
    %142 = arith.muli %arg2, %c4_i32 : i32
    %143 = arith.addi %142, %arg2 : i32
    %144 = arith.divsi %143, %c8_i32 : i32
    %145 = arith.muli %144, %c2_i32 : i32
    %146 = arith.subi %c4_i32, %145 : i32
    %147 = arith.minsi %146, %c2_i32 : i32
    %148 = arith.remsi %143, %c8_i32 : i32
    %149 = arith.remsi %148, %147 : i32
    %150 = arith.addi %145, %149 : i32
    %151 = arith.divsi %148, %147 : i32
    %152 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %153 = tt.addptr %152, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %154 = arith.addf %4#0, %4#1 : tensor<64xf32>
    %155 = arith.addf %154, %6 : tensor<64xf32>
    %156 = arith.addf %155, %9 : tensor<64xf32>
    %157 = arith.addf %156, %10 : tensor<64xf32>
    %158 = tt.splat %5#0 : f32 -> tensor<64xf32>
    %159 = arith.addf %157, %158 : tensor<64xf32>
    %160 = tt.splat %5#1 : f32 -> tensor<64xf32>
    %161 = arith.addf %159, %160 : tensor<64xf32>
    %162 = arith.addf %161, %141 : tensor<64xf32>
    %163 = arith.sitofp %150 : i32 to f32
    %164 = tt.splat %163 : f32 -> tensor<64xf32>
    %165 = arith.addf %162, %164 : tensor<64xf32>
    %166 = arith.sitofp %151 : i32 to f32
    %167 = tt.splat %166 : f32 -> tensor<64xf32>
    %168 = arith.addf %165, %167 : tensor<64xf32>
    %169 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %187 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %187 : f32
    }) : (tensor<64xf32>) -> f32
    %170 = tt.splat %169 : f32 -> tensor<64xf32>
    %171 = arith.subf %3, %170 : tensor<64xf32>
    %172 = math.exp %171 : tensor<64xf32>
    %173 = "tt.reduce"(%172) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %187 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %187 : f32
    }) : (tensor<64xf32>) -> f32
    %174 = tt.splat %173 : f32 -> tensor<64xf32>
    %175 = arith.divf %172, %174 : tensor<64xf32>
    %176 = arith.addf %168, %175 : tensor<64xf32>
    %177 = arith.negf %3 : tensor<64xf32>
    %178 = math.exp %177 : tensor<64xf32>
    %179 = arith.addf %178, %cst : tensor<64xf32>
    %180 = arith.divf %cst, %179 : tensor<64xf32>
    %181 = arith.addf %176, %180 : tensor<64xf32>
    %182 = arith.addi %arg2, %c2_i32 : i32
    %183 = arith.divsi %182, %c3_i32 : i32
    %184 = arith.sitofp %183 : i32 to f32
    %185 = tt.splat %184 : f32 -> tensor<64xf32>
    %186 = arith.addf %181, %185 : tensor<64xf32>
    tt.store %153, %186 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
