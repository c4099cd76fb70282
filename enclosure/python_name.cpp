#include "enclosure/python_name.h"

#include <iterator>
#include <string_view>
#include <utility>

#include "ir/op_def.h"

namespace lockstep::enclosure {

namespace {

/// Exceptions to "tl." plus the dialect's name.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"tt.scan", "tl.associative_scan"},
    {"tt.elementwise_inline_asm", "tl.inline_asm_elementwise"},
    {"tt.precise_sqrt", "tl.sqrt_rn"},
    {"tt.precise_divf", "tl.div_rn"},
    {"math.absf", "tl.abs"},
    {"math.powf", "libdevice.pow"},
    {"arith.addf", "+"},
    {"arith.subf", "-"},
    {"arith.mulf", "*"},
    {"arith.divf", "/"},
    {"arith.remf", "%"},
    {"arith.select", "tl.where"},
    {"scf.for", "for"},
    {"scf.while", "while"},
    {"scf.if", "if"},
};

}  // namespace

std::string python_name(const ir::Op& op) {
  const std::string_view spelling = op.spelling();
  for (const auto& [ours, python] : kNames) {
    if (spelling == ours) return std::string(python);
  }
  if (spelling == "tt.atomic_rmw") {  // RMWOp of Triton's dialect, from 1 on
    constexpr std::string_view kChanges[] = {"and", "or", "xor", "add", "add", "max", "min", "max", "min", "xchg"};
    const auto which = static_cast<std::size_t>(op.integer_attribute("atomic_rmw_op", 0) - 1);
    if (which < std::size(kChanges)) return "tl.atomic_" + std::string(kChanges[which]);
  }
  if (spelling == "tt.extern_elementwise") {
    const ir::Attribute symbol = op.attribute("symbol");
    constexpr std::string_view kPrefix = "__nv_";
    if (symbol && symbol->text.starts_with(kPrefix)) return "libdevice." + symbol->text.substr(kPrefix.size());
  }
  for (const std::string_view dialect : {"tt.", "math."}) {
    if (spelling.starts_with(dialect)) return "tl." + std::string(spelling.substr(dialect.size()));
  }
  return std::string(spelling);
}

}  // namespace lockstep::enclosure
