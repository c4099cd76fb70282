"""TTIR kernels in our own words for tests of the extension, planned once each. They need neither torch nor Triton."""

from __future__ import annotations

import functools

from lockstep import _native

COPY = """
module {{
  tt.func public @copy(%x: !tt.ptr<{0}>, %o: !tt.ptr<{0}>, %n: i32) {{
    %i = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
    %count = tt.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %i, %count : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<{0}> -> tensor<64x!tt.ptr<{0}>>
    %from = tt.addptr %xs, %i : tensor<64x!tt.ptr<{0}>>, tensor<64xi32>
    %value = tt.load %from, %mask : tensor<64x!tt.ptr<{0}>>
    %os = tt.splat %o : !tt.ptr<{0}> -> tensor<64x!tt.ptr<{0}>>
    %to = tt.addptr %os, %i : tensor<64x!tt.ptr<{0}>>, tensor<64xi32>
    tt.store %to, %value, %mask : tensor<64x!tt.ptr<{0}>>
    tt.return
  }}
}}
"""

# o[0] = 2, then o[1] = x[0]: shows whether x and o are the same memory.
STORE_THEN_LOAD = """
module {
  tt.func public @store_then_load(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1 : i32
    tt.store %o, %two : !tt.ptr<f32>
    %seen = tt.load %x : !tt.ptr<f32>
    %next = tt.addptr %o, %one : !tt.ptr<f32>, i32
    tt.store %next, %seen : !tt.ptr<f32>
    tt.return
  }
}
"""

SCALAR = """
module {{
  tt.func public @scalar(%o: !tt.ptr<{0}>, %value: {0}) {{
    tt.store %o, %value : !tt.ptr<{0}>
    tt.return
  }}
}}
"""

DESCRIPTOR = """
module {
  tt.func public @block(%d: !tt.tensordesc<tensor<4x8xf32>>, %rows: i32, %columns: i32, %s0: i64, %s1: i64,
                        %o: !tt.ptr<f32>) {
    %zero = arith.constant 0 : i32
    %tile = tt.descriptor_load %d[%zero, %zero] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
    %flat = tt.reshape %tile : tensor<4x8xf32> -> tensor<32xf32>
    %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %to = tt.addptr %os, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %to, %flat : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
"""

PRINT = """
module {
  tt.func public @say(%n: i32) {
    tt.print "n: " {hex = false, isSigned = array<i32: 1>} : %n : i32
    tt.return
  }
}
"""

# Counts to 2^40 in steps of 1: for Ctrl-C and for the interpreter's lock.
ENDLESS = """
module {
  tt.func public @endless(%o: !tt.ptr<i64>) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %many = arith.constant 1099511627776 : i64
    %sum = scf.for %i = %zero to %many step %one iter_args(%s = %zero) -> (i64) : i64 {
      %next = arith.addi %s, %i : i64
      scf.yield %next : i64
    }
    tt.store %o, %sum : !tt.ptr<i64>
    tt.return
  }
}
"""


@functools.cache
def kernel(text: str, *types: str) -> _native.Kernel:
    """The only kernel of a text; `types` fill its holes."""
    return _native.Module.from_ttir(text.format(*types) if types else text).kernel()
