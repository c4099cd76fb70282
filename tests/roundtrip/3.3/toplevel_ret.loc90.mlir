#loc = loc("ops.py":98:0)
module {
  tt.func public @toplevel_ret(%arg0: !tt.ptr<f32> loc("ops.py":98:0), %arg1: i32 loc("ops.py":98:0)) attributes {noinline = false} {
    %cst = arith.constant 1.000000e+00 : f32 loc(#loc1)
    %0 = tt.get_program_id x : i32 loc(#loc2)
    %1 = arith.cmpi sge, %0, %arg1 : i32 loc(#loc3)
    cf.cond_br %1, ^bb1, ^bb2 loc(#loc3)
  ^bb1:  // pred: ^bb0
    tt.return loc(#loc4)
  ^bb2:  // pred: ^bb0
    %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32 loc(#loc5)
    tt.store %2, %cst : !tt.ptr<f32> loc(#loc6)
    tt.return loc(#loc7)
  } loc(#loc)
} loc(#loc)
#loc1 = loc(unknown)
#loc2 = loc("ops.py":99:24)
#loc3 = loc("ops.py":100:14)
#loc4 = loc("ops.py":101:8)
#loc5 = loc("ops.py":102:17)
#loc6 = loc("ops.py":102:22)
#loc7 = loc("ops.py":102:4)
