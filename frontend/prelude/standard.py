# The functions of triton.language that Triton itself writes in its own language. They are lowered like user code; the names,
# parameters and the order of operations are those of Triton 3.6, because both show in its IR. `lockstep` holds the
# compile-time helpers.
import triton.language as tl
from triton import jit
from triton.language import lockstep


# ---- Small arithmetic ----

@tensor_method
@jit
def cdiv(x, div):
    return (x + (div - 1)) // div


@tensor_method
@jit
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@tensor_method
@jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    if dim is None:
        along: tl.constexpr = 0
    else:
        along: tl.constexpr = dim
    shifted = x - max(x, along, keep_dims=keep_dims)
    weights = tl.exp(shifted)
    total = sum(weights, along, keep_dims=keep_dims)
    return tl.fdiv(weights, total, ieee_rounding)


@tensor_method
@jit
def ravel(x, can_reorder=False):
    return tl.reshape(x, [x.numel], can_reorder=can_reorder)


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    flat = i * size_j + j
    per_group = size_g * size_j
    group = flat // per_group
    first_row = group * size_g
    rows = tl.minimum(size_i - first_row, size_g)
    within = flat % per_group
    row = first_row + within % rows
    column = within // rows
    return row, column


@jit
def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)


@jit
def zeros_like(input):
    return zeros(input.shape, input.dtype)


# ---- Maximum and minimum ----

@jit
def _argmax_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first_wins = value1 == value2 and index1 < index2
    else:
        first_wins = False
    take_first = value1 > value2 or first_wins
    value = tl.where(take_first, value1, value2)
    index = tl.where(take_first, index1, index2)
    return value, index


@jit
def _argmax_combine_tie_break_left(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, True)


@jit
def _argmax_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_max(a, b):
    return tl.maximum(a, b)


@tensor_method
@jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    input = tl._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return tl._reduce_with_indices(input, axis, _argmax_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return tl._reduce_with_indices(input, axis, _argmax_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if input.dtype.primitive_bitwidth < 32:
            if input.dtype.is_floating():
                input = input.to(tl.float32)
            else:
                assert input.dtype.is_int(), "max takes numbers"
                input = input.to(tl.int32)
        return tl.reduce(input, axis, _elementwise_max, keep_dims=keep_dims)


@tensor_method
@jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    value, index = max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


@jit
def _argmin_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first_wins = value1 == value2 and index1 < index2
    else:
        first_wins = False
    take_first = value1 < value2 or first_wins
    value = tl.where(take_first, value1, value2)
    index = tl.where(take_first, index1, index2)
    return value, index


@jit
def _argmin_combine_tie_break_left(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, True)


@jit
def _argmin_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_min(a, b):
    return tl.minimum(a, b)


@tensor_method
@jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    input = tl._promote_bfloat16_to_float32(input)
    if return_indices:
        if return_indices_tie_break_left:
            return tl._reduce_with_indices(input, axis, _argmin_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return tl._reduce_with_indices(input, axis, _argmin_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if input.dtype.primitive_bitwidth < 32:
            if input.dtype.is_floating():
                input = input.to(tl.float32)
            else:
                assert input.dtype.is_int(), "min takes numbers"
                input = input.to(tl.int32)
        return tl.reduce(input, axis, _elementwise_min, keep_dims=keep_dims)


@tensor_method
@jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    value, index = min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


# ---- Sums and products ----

@jit
def _sum_combine(a, b):
    return a + b


@tensor_method
@jit
def sum(input, axis=None, keep_dims=False, dtype: tl.constexpr = None):
    accumulate_in: tl.constexpr = lockstep.sum_dtype(input.dtype, dtype)
    if accumulate_in is not None:
        input = input.to(accumulate_in)
    return tl.reduce(input, axis, _sum_combine, keep_dims=keep_dims)


@jit
def _xor_combine(a, b):
    return a ^ b


@tensor_method
@jit
def xor_sum(input, axis=None, keep_dims=False):
    tl.static_assert(input.type.scalar.is_int(), "xor_sum takes integers")
    return tl.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@jit
def _or_combine(x, y):
    return x | y


@tensor_method
@jit
def reduce_or(input, axis, keep_dims=False):
    tl.static_assert(input.type.scalar.is_int(), "reduce_or takes integers")
    return tl.reduce(input, axis, _or_combine, keep_dims=keep_dims)


@tensor_method
@jit
def cumsum(input, axis=0, reverse=False, dtype: tl.constexpr = None):
    input = tl._promote_bfloat16_to_float32(input)
    accumulate_in: tl.constexpr = lockstep.sum_dtype(input.dtype, dtype)
    if accumulate_in is not None:
        input = input.to(accumulate_in)
    return tl.associative_scan(input, axis, _sum_combine, reverse)


@jit
def _prod_combine(a, b):
    return a * b


@tensor_method
@jit
def cumprod(input, axis=0, reverse=False):
    input = tl._promote_bfloat16_to_float32(input)
    return tl.associative_scan(input, axis, _prod_combine, reverse)


# ---- Sorting: a bitonic network on a hypercube of extents 2 ----

@jit
def _indicator(n_dims: tl.constexpr, j: tl.constexpr):
    bit = tl.arange(0, 2)
    bit = tl.reshape(bit, [1] * (n_dims - j - 1) + [2] + [1] * j)
    return bit


@jit
def _compare_and_swap(x, flip, i: tl.constexpr):
    rank: tl.constexpr = lockstep.log2(x.numel)
    bits_type = lockstep.integer_dtype(x.dtype.primitive_bitwidth, True)
    bits = x.to(bits_type, bitcast=True)
    partner_bits = bits ^ xor_sum(bits, rank - 1 - i, True)
    partner = partner_bits.to(x.dtype, bitcast=True)
    is_upper = _indicator(rank, i)
    return tl.where((x > partner) != (flip ^ is_upper), partner, x)


@jit
def _bitonic_merge_hypercube(x, stage: tl.constexpr, order: tl.constexpr):
    # order 0: ascending, 1: descending, 2: alternating in runs of 2 ** stage
    if order == 2:
        flip = _indicator(lockstep.log2(x.numel), stage)
    else:
        flip = order
    for i in tl.static_range(stage):
        x = _compare_and_swap(x, flip, stage - 1 - i)
    return x


@jit
def _bitonic_merge(x, stage: tl.constexpr, order: tl.constexpr, n_dims: tl.constexpr):
    cube = tl.reshape(x, [2] * lockstep.log2(x.numel))
    cube = _bitonic_merge_hypercube(cube, stage, order)
    x = tl.reshape(cube, x.shape)
    return x


@jit
def sort_impl(x, k: tl.constexpr = None, dim: tl.constexpr = None, descending: tl.constexpr = 0):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else dim
    tl.static_assert(axis == len(x.shape) - 1, "only the last axis can be sorted")
    log_n: tl.constexpr = lockstep.log2(x.shape[axis])
    log_k: tl.constexpr = log_n if k is None else lockstep.log2(k)
    rank: tl.constexpr = lockstep.log2(x.numel)
    cube = tl.reshape(x, [2] * rank if rank else [1])
    for i in tl.static_range(1, log_k + 1):
        cube = _bitonic_merge_hypercube(cube, i, 2 if i < log_n else descending)
    # The best k of two neighbouring runs of k, until one run is left.
    for i in tl.static_range(log_k + 1, log_n + 1):
        cube = max(cube, axis=(lockstep.log2(cube.numel) - 1 - log_k)) if descending else min(cube, axis=(lockstep.log2(cube.numel) - 1 - log_k))
        cube = _bitonic_merge_hypercube(cube, log_k, 2 if i < log_n else descending)
    x = tl.reshape(cube, x.shape[:-1] + [2**log_k])
    return x


@jit
def sort(x, dim: tl.constexpr = None, descending: tl.constexpr = 0):
    return sort_impl(x, dim=dim, descending=descending)


@jit
def topk(x, k: tl.constexpr, dim: tl.constexpr = None):
    return sort_impl(x, k=k, dim=dim, descending=True)


@jit
def bitonic_merge(x, dim: tl.constexpr = None, descending: tl.constexpr = 0):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else dim
    tl.static_assert(axis == len(x.shape) - 1, "only the last axis can be merged")
    stages: tl.constexpr = lockstep.log2(x.shape[-1])
    return _bitonic_merge(x, stages, descending, stages)


@tensor_method
@jit
def flip(x, dim=None):
    tl.static_assert(-len(x.shape) <= dim and dim < len(x.shape))
    axis: tl.constexpr = dim + len(x.shape) if dim < 0 else dim
    steps: tl.constexpr = lockstep.log2(x.shape[axis])
    bits_type = lockstep.integer_dtype(x.dtype.primitive_bitwidth, True)
    y = tl.reshape(x.to(bits_type, bitcast=True), x.shape[:axis] + [2] * steps + x.shape[axis + 1:])
    for i in tl.static_range(steps):
        y = y ^ xor_sum(y, axis + i, True)
    x = tl.reshape(y, x.shape).to(x.dtype, bitcast=True)
    return x


@jit
def interleave(a, b):
    joined = tl.join(a, b)
    if len(joined.shape) == 1:
        return joined
    else:
        return tl.reshape(joined, joined.shape[:-2] + [2 * joined.shape[-2]])


# ---- Since Triton 3.8 ----

@jit
def squeeze(x, dim: tl.constexpr):
    tl.static_assert(-len(x.shape) <= dim and dim < len(x.shape), "squeeze: no such dimension")
    _dim: tl.constexpr = dim + len(x.shape) if dim < 0 else dim
    tl.static_assert(x.shape[_dim] == 1, "squeeze: the dimension is longer than 1")
    return x.reshape(x.shape[:_dim] + x.shape[_dim + 1:])


@jit
def unsqueeze(x, dim: tl.constexpr):
    ndim: tl.constexpr = len(x.shape) + 1
    tl.static_assert(-ndim <= dim and dim < ndim, "unsqueeze: no such dimension")
    _dim: tl.constexpr = dim + ndim if dim < 0 else dim
    return x.reshape(x.shape[:_dim] + (1,) + x.shape[_dim:])
