#include "interpreter/libdevice/extern.h"

#include <algorithm>
#include <span>
#include <optional>

#include "interpreter/libdevice/catalogue.h"

namespace lockstep::interpreter {

namespace {

using libdevice::Function;

std::optional<ScalarKind> element_kind(ir::Type type) { return type.element().scalar_kind(); }

bool have_one_shape(ir::Type a, ir::Type b) {
  return a.is_tensor() == b.is_tensor() &&
         (!a.is_tensor() || std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), b.shape().end()));
}

// ---- functions that a vector kernel computes as precisely as the row promises, and much faster ----

using kernels::Binary;
using kernels::Ternary;
using kernels::Unary;

template <class Op>
struct VectorKernel {
  std::string_view symbol;
  Op op;
};
constexpr VectorKernel<Unary> kUnaryKernels[] = {
    {"__nv_ceil", Unary::ceil},     {"__nv_ceilf", Unary::ceil},    {"__nv_cosf", Unary::cos},
    {"__nv_dsqrt_rn", Unary::sqrt}, {"__nv_erff", Unary::erf},      {"__nv_exp2f", Unary::exp2},
    {"__nv_expf", Unary::exp},      {"__nv_fabs", Unary::absf},     {"__nv_fabsf", Unary::absf},
    {"__nv_fast_cosf", Unary::cos}, {"__nv_fast_expf", Unary::exp}, {"__nv_fast_logf", Unary::log},
    {"__nv_fast_sinf", Unary::sin}, {"__nv_fast_tanf", Unary::tan}, {"__nv_floor", Unary::floor},
    {"__nv_floorf", Unary::floor},  {"__nv_fsqrt_rn", Unary::sqrt}, {"__nv_logf", Unary::log},
    {"__nv_rsqrtf", Unary::rsqrt},  {"__nv_sinf", Unary::sin},      {"__nv_sqrt", Unary::sqrt},
    {"__nv_sqrtf", Unary::sqrt},    {"__nv_tanf", Unary::tan},      {"__nv_tanhf", Unary::tanh},
};
constexpr VectorKernel<Binary> kBinaryKernels[] = {
    {"__nv_dadd_rn", Binary::addf}, {"__nv_ddiv_rn", Binary::divf},  {"__nv_dmul_rn", Binary::mulf},
    {"__nv_dsub_rn", Binary::subf}, {"__nv_fadd_rn", Binary::addf},  {"__nv_fast_fdividef", Binary::divf},
    {"__nv_fdiv_rn", Binary::divf}, {"__nv_fmax", Binary::maxnumf},  {"__nv_fmaxf", Binary::maxnumf},
    {"__nv_fmin", Binary::minnumf}, {"__nv_fminf", Binary::minnumf}, {"__nv_fmul_rn", Binary::mulf},
    {"__nv_fsub_rn", Binary::subf},
};
constexpr VectorKernel<Ternary> kTernaryKernels[] = {{"__nv_fma", Ternary::fma},
                                                     {"__nv_fma_rn", Ternary::fma},
                                                     {"__nv_fmaf", Ternary::fma},
                                                     {"__nv_fmaf_rn", Ternary::fma}};

template <class Op>
std::optional<Op> vector_kernel(std::span<const VectorKernel<Op>> kernels, std::string_view symbol) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const VectorKernel<Op>& one) { return one.symbol == symbol; });
  return found != kernels.end() ? std::optional(found->op) : std::nullopt;
}

void fill_unary(Elementwise& made, const Function& function) {
  made.arity = Elementwise::Arity::convert;
  made.convert = function.unary;
  const auto which = vector_kernel<Unary>(kUnaryKernels, function.symbol);
  if (!which) return;
  made.arity = Elementwise::Arity::unary;
  made.unary = kernels::unary(*which, function.result);
}
void fill_binary(Elementwise& made, const Function& function) {
  made.arity = Elementwise::Arity::binary;
  const auto which = vector_kernel<Binary>(kBinaryKernels, function.symbol);
  made.binary = which ? kernels::binary(*which, function.result) : function.binary;
}
void fill_ternary(Elementwise& made, const Function& function) {
  made.arity = Elementwise::Arity::ternary;
  const auto which = vector_kernel<Ternary>(kTernaryKernels, function.symbol);
  made.ternary = which ? kernels::ternary(*which, function.result) : function.ternary;
}

}  // namespace

namespace libdevice {

std::string_view extern_text(const ir::Op& op, std::string_view name) {
  const ir::Attribute attribute = op.attribute(name);
  return attribute && attribute.is_string() ? std::string_view(attribute->text) : std::string_view();
}

bool is_libdevice(const ir::Op& op) {
  const std::string_view name = extern_text(op, "libname"), path = extern_text(op, "libpath");
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return (name.empty() || name == "libdevice") && (path.empty() || file.starts_with("libdevice"));
}

bool has_types_of(const ir::Op& op, const Function& function) {
  if (op.operand_count() != function.operand_count || op.result_count() != 1) return false;
  const ir::Type result = op.result(0)->type();
  if (element_kind(result) != function.result) return false;
  for (std::size_t i = 0; i < function.operand_count; ++i) {
    const ir::Type type = op.operand(i)->type();
    if (element_kind(type) != function.operand[i] || !have_one_shape(type, result)) return false;
  }
  return true;
}

bool fill_extern(Elementwise& made, const ir::Op& op) {
  const Function* function = is_libdevice(op) ? find(extern_text(op, "symbol")) : nullptr;
  if (function == nullptr || !has_types_of(op, *function)) return false;
  made.operands = function->operand_count;
  switch (function->operand_count) {
    case 1: fill_unary(made, *function); return true;
    case 2: fill_binary(made, *function); return true;
    case 3: fill_ternary(made, *function); return true;
    default: return false;
  }
}

}  // namespace libdevice

}  // namespace lockstep::interpreter
