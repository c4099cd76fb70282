#include "cli/listings/language_ops.h"

#include <algorithm>
#include <string>

#include "dialects/registry.h"
#include "ir/text/nearest_name.h"
#include "support/check.h"

namespace lockstep::cli {
namespace {

/// Names whose ops are called otherwise in the IR.
struct LanguageOps {
  std::string_view names;  // several become the same
  std::string_view ops;
};

constexpr LanguageOps kLanguageOps[] = {
    {"arange", "tt.make_range"},
    {"zeros zeros_like full", "arith.constant tt.splat"},
    {"broadcast_to broadcast", "tt.broadcast tt.splat tt.expand_dims"},
    {"view ravel", "tt.reshape"},
    {"permute", "tt.trans"},
    {"join interleave", "tt.join tt.reshape"},
    {"sum max min argmax argmin xor_sum reduce_or reduce", "tt.reduce tt.reduce.return"},
    {"cumsum cumprod associative_scan", "tt.scan tt.scan.return"},
    {"sort topk flip", "tt.reshape arith.xori arith.select tt.reduce"},
    {"softmax", "tt.reduce math.exp arith.divf"},
    {"sigmoid", "math.exp arith.divf"},
    {"where", "arith.select"},
    {"cast to", "tt.fp_to_fp arith.extf arith.truncf arith.extsi arith.extui arith.trunci arith.sitofp arith.uitofp arith.fptosi arith.fptoui tt.bitcast tt.int_to_ptr tt.ptr_to_int"},
    {"cdiv", "arith.addi arith.subi arith.divsi"},
    {"sqrt_rn", "tt.precise_sqrt"},
    {"fdiv", "arith.divf"},
    {"div_rn", "tt.precise_divf"},
    {"umulhi", "tt.mulhiui"},
    {"maximum", "arith.maxnumf arith.maximumf arith.maxsi arith.maxui"},
    {"minimum", "arith.minnumf arith.minimumf arith.minsi arith.minui"},
    {"atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg", "tt.atomic_rmw"},
    {"make_block_ptr", "tt.make_tensor_ptr"},
    {"load_tensor_descriptor", "tt.descriptor_load"},
    {"store_tensor_descriptor", "tt.descriptor_store"},
    {"debug_barrier", "ttg.barrier gpu.barrier"},
    {"device_print", "tt.print"},
    {"device_assert", "tt.assert"},
    {"assume", "llvm.intr.assume"},
    {"inline_asm_elementwise", "tt.elementwise_inline_asm"},
    {"range static_range", "scf.for scf.yield"},
    {"rand randn randint randint4x philox", "tt.mulhiui arith.xori arith.muli"},
};

std::vector<std::string_view> words_of_row(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// tl.abs is math.absf and math.absi, tl.program_id is tt.get_program_id, tl.load is tt.load and tt.descriptor_load.
bool is_named_so(const ir::OpDef& def, const std::string& name) {
  const std::size_t dot = def.spelling.find('.');
  const std::string_view room = def.spelling.substr(0, dot), tail = def.spelling.substr(dot + 1);
  return (room == "tt" || room == "math") && (tail == name || tail == name + "f" || tail == name + "i" ||
                                              tail == "get_" + name || tail == "descriptor_" + name);
}

}  // namespace

std::vector<const ir::OpDef*> ops_of_language(std::string_view name) {
  std::vector<const ir::OpDef*> ops;
  for (const ir::OpDef* def : dialects::registry().rows()) {
    if (is_named_so(*def, std::string(name))) ops.push_back(def);
  }
  // The op of the same name comes before similar ones.
  std::stable_sort(ops.begin(), ops.end(), [](const auto* a, const auto* b) { return a->spelling.size() < b->spelling.size(); });
  for (const LanguageOps& row : kLanguageOps) {
    const auto names = words_of_row(row.names);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    for (const std::string_view one : words_of_row(row.ops)) {
      const ir::OpDef* def = dialects::registry().find(std::string(one));
      LOCKSTEP_CHECK(def != nullptr, "language_ops.cpp names an op without a row: " + std::string(one));
      if (std::find(ops.begin(), ops.end(), def) == ops.end()) ops.push_back(def);
    }
  }
  return ops;
}

std::string nearest_of_language(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LanguageOps& row : kLanguageOps) {
    for (const std::string_view one : words_of_row(row.names)) names.push_back(one);
  }
  for (const ir::OpDef* def : dialects::registry().rows()) {
    const std::size_t dot = def->spelling.find('.');
    const std::string_view room = def->spelling.substr(0, dot), tail = def->spelling.substr(dot + 1);
    if (room == "tt" && tail.find('.') == std::string_view::npos) names.push_back(tail.starts_with("get_") ? tail.substr(4) : tail);
  }
  return ir::nearest_name(name, names);
}

}  // namespace lockstep::cli
