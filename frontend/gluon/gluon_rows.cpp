#include "frontend/gluon/gluon_rows.h"

#include <algorithm>
#include <array>

#include "frontend/builtins/builtin_rows.h"
#include "frontend/gluon/gluon_rows_async.h"
#include "frontend/gluon/gluon_rows_buffer.h"
#include "frontend/gluon/gluon_rows_product.h"
#include "frontend/gluon/gluon_rows_tensor.h"
#include "frontend/gluon/gluon_warp_specialize.h"

namespace lockstep::frontend {

namespace {

using Lower = Value (*)(BuiltinCall&);

constexpr Builtin row(std::string_view name, std::string_view signature, Lower lower = nullptr) {
  return {name, signature, lower, false, false, "gl"};
}

constexpr std::string_view kProduct = "a, b, acc, *, use_acc=True, precision=None, max_num_imprecise_acc=None, is_async=False";
constexpr std::string_view kTensorProduct =
    "a, b, acc, *, use_acc=True, pred=True, mbarriers=None, mbarrier_preds=None";
constexpr std::string_view kScaledProduct =
    "a, b, acc, a_scale, b_scale, a_type, b_type, *, use_acc=True, pred=True, mbarriers=None, mbarrier_preds=None";

// Source of signatures: Triton 3.6, experimental/gluon/language.
constexpr auto kGluonRows = std::to_array<Builtin>({
    row("arange", "start, end, layout=None", rows::gluon_arange),
    row("full", "shape, value, dtype, layout=None", rows::gluon_full),
    row("histogram", "input, num_bins, mask=None, layout=None", rows::gluon_histogram),
    row("convert_layout", "value, layout, assert_trivial=False", rows::gluon_convert_layout),
    row("set_auto_layout", "value, layout", rows::gluon_set_auto_layout),
    row("num_warps", "", rows::gluon_num_warps),
    row("num_ctas", "", rows::gluon_num_ctas),
    row("thread_barrier", "", rows::debug_barrier),
    row("to_linear_layout", "layout, shape", rows::gluon_to_linear_layout),
    row("bank_conflicts", "distr_ty, shared_ty"),
    row("fp4_to_fp", "src, elem_type, axis"),
    row("dot_fma", "a, b, acc", rows::gluon_register_product),
    row("allocate_shared_memory", "element_ty, shape, layout, value=None", rows::gluon_allocate),
    row("warp_specialize", "functions_and_args, worker_num_warps, worker_num_regs", rows::gluon_warp_specialize),
    row("mma_v2", "a, b, acc, input_precision=None", rows::gluon_register_product),
    row("async_copy.async_copy_global_to_shared",
        "smem, pointer, mask=None, cache_modifier='', eviction_policy='', volatile=False", rows::gluon_async_copy),
    row("async_copy.mbarrier_arrive", "mbarrier, increment_count=True", rows::gluon_copies_arrive),
    row("async_copy.commit_group", "", rows::gluon_commit_group),
    row("async_copy.wait_group", "num_outstanding=0", rows::gluon_wait_group),
    row("mbarrier.init", "mbarrier, count", rows::gluon_barrier_init),
    row("mbarrier.invalidate", "mbarrier", rows::gluon_barrier_invalidate),
    row("mbarrier.expect", "mbarrier, bytes, pred=True", rows::gluon_barrier_expect),
    row("mbarrier.wait", "mbarrier, phase, pred=True, deps=()", rows::gluon_barrier_wait),
    row("mbarrier.arrive", "mbarrier, *, count=1, pred=True", rows::gluon_barrier_arrive),
    row("fence_async_shared", "cluster=False", rows::gluon_fence),
    row("tma.async_copy_global_to_shared", "tensor_desc, coord, barrier, result, pred=True", rows::gluon_tma_load),
    row("tma.async_copy_shared_to_global", "tensor_desc, coord, src", rows::gluon_tma_store),
    row("tma.store_wait", "pendings", rows::gluon_tma_store_wait),
    row("tma.async_gather", "tensor_desc, x_offsets, y_offset, barrier, result, pred=True", rows::gluon_tma_gather),
    row("tma.async_scatter", "tensor_desc, x_offsets, y_offset, src", rows::gluon_tma_scatter),
    row("tma.make_tensor_descriptor", "base, shape, strides, block_shape, layout, padding_option='zero'",
        rows::gluon_make_descriptor),
    row("warpgroup_mma_init", "value", rows::gluon_product_init),
    row("warpgroup_mma", kProduct, rows::gluon_product),
    row("warpgroup_mma_wait", "num_outstanding=0, deps=None", rows::gluon_product_wait),
    row("allocate_tensor_memory", "element_ty, shape, layout, value=None", rows::gluon_allocate_tensor_memory),
    row("tcgen05_copy", "src, dst", rows::gluon_tensor_copy),
    row("tcgen05_mma", kTensorProduct, rows::gluon_tensor_product),
    row("tcgen05_mma_scaled", kScaledProduct, rows::gluon_scaled_product),
    row("tcgen05_commit", "barrier", rows::gluon_commit),
});

constexpr auto kSharedMethods = std::to_array<Builtin>({
    row("load", "self, layout", rows::gluon_buffer_load),
    row("store", "self, value", rows::gluon_buffer_store),
    row("slice", "self, start, length, dim=0", rows::gluon_buffer_slice),
    row("index", "self, index", rows::gluon_buffer_index),
    row("permute", "self, order", rows::gluon_buffer_permute),
    row("reshape", "self, shape", rows::gluon_buffer_reshape),
    row("_reinterpret", "self, dtype, shape, layout", rows::gluon_buffer_reinterpret),
    row("_keep_alive", "self", rows::gluon_buffer_keep_alive),
});

constexpr auto kTensorMemoryMethods = std::to_array<Builtin>({
    row("load", "self, layout", rows::gluon_tensor_memory_load),
    row("store", "self, value, pred=True", rows::gluon_tensor_memory_store),
    row("slice", "self, start, length", rows::gluon_tensor_memory_slice),
    row("index", "self, index", rows::gluon_buffer_index),
    row("_reinterpret", "self, dtype, shape, layout", rows::gluon_buffer_reinterpret),
});

const Builtin* find_row(const auto& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Builtin& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const Builtin* find_gluon_builtin(std::string_view name) { return find_row(kGluonRows, name); }

const Builtin* find_buffer_method(HandleType::Kind kind, std::string_view name) {
  if (kind == HandleType::Kind::accumulator) return nullptr;
  return kind == HandleType::Kind::shared ? find_row(kSharedMethods, name) : find_row(kTensorMemoryMethods, name);
}

}  // namespace lockstep::frontend
