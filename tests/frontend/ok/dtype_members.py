"""What can be asked of types at compile time."""
# spec: x=*fp16 y=*u8 o=*i32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, o, B: tl.constexpr):
    f: tl.constexpr = x.dtype.element_ty
    u: tl.constexpr = y.dtype.element_ty
    block: tl.constexpr = tl.load(x + tl.arange(0, B)).type
    tl.store(o + 0, f.is_fp16() + f.is_bf16() * 2 + f.is_fp32() * 4 + f.is_fp64() * 8 + f.is_floating() * 16)
    tl.store(o + 1, f.is_fp8() + tl.float8e5.is_fp8e5() * 2 + tl.float8e4nv.is_fp8e4nv() * 4 + tl.float8e4b15.is_fp8e4b15() * 8)
    tl.store(o + 2, tl.float8e4b8.is_fp8e4b8() + tl.float8e5b16.is_fp8e5b16() * 2 + f.is_standard_floating() * 4)
    tl.store(o + 3, u.is_int() + u.is_uint8() * 2 + u.is_int8() * 4 + u.is_int16() * 8 + u.is_int32() * 16 + u.is_int64() * 32)
    tl.store(o + 4, u.is_uint16() + u.is_uint32() * 2 + u.is_uint64() * 4 + u.is_int1() * 8 + u.is_bool() * 16)
    tl.store(o + 5, u.is_int_signed() + u.is_int_unsigned() * 2 + x.dtype.is_ptr() * 4 + x.dtype.is_const() * 8)
    tl.store(o + 6, block.is_block() + block.is_ptr() * 2 + block.numel + block.shape[0] + block.scalar.itemsize)
    tl.store(o + 7, u.get_int_max_value() + u.get_int_min_value() + tl.int16.get_int_min_value())
    tl.store(o + 8, f.primitive_bitwidth + f.itemsize + f.fp_mantissa_width + f.exponent_bias + u.int_bitwidth)
    tl.store(o + 9, x.dtype.address_space + tl.float32.is_fp32() + (tl.void == tl.void))
    other: tl.constexpr = block.with_element_ty(tl.int32)
    tl.store(o + 11, other.numel + other.element_ty.itemsize)
    if f == tl.float16 and f != tl.bfloat16 and f.name == "fp16" and f.scalar == tl.float16:
        tl.store(o + 10, block.element_ty.primitive_bitwidth)
