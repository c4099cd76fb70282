#include "ir/text/python_name.h"

#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "ir/op_def.h"

namespace lockstep::ir {

namespace {

/// Where the name is not "tl." and what follows the dialect's.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"tt.get_program_id", "tl.program_id"},
    {"tt.get_num_programs", "tl.num_programs"},
    {"tt.make_range", "tl.arange"},
    {"tt.addptr", "pointer + offset"},
    {"tt.broadcast", "broadcast"},
    {"tt.splat", "broadcast"},
    {"tt.expand_dims", "[:, None]"},
    {"tt.elementwise_inline_asm", "tl.inline_asm_elementwise"},
    {"tt.clampf", "tl.clamp"},
    {"tt.mulhiui", "tl.umulhi"},
    {"tt.precise_sqrt", "tl.sqrt_rn"},
    {"tt.precise_divf", "tl.div_rn"},
    {"tt.descriptor_load", "descriptor.load"},
    {"tt.descriptor_store", "descriptor.store"},
    {"tt.assert", "tl.device_assert"},
    {"tt.print", "tl.device_print"},
    {"tt.fp_to_fp", ".to()"},
    {"tt.bitcast", ".to(bitcast=True)"},
    {"tt.call", "call"},
    {"llvm.intr.assume", "tl.assume"},
    {"math.absf", "tl.abs"},
    {"math.powf", "libdevice.pow"},
    {"arith.constant", "constant"},
    {"arith.select", "tl.where"},
    {"scf.for", "for"},
    {"scf.while", "while"},
    {"scf.if", "if"},
    {"scf.yield", "end of the loop's body"},
};

/// By what an op of no name of its own computes; empty: by its spelling.
std::string_view arithmetic_name(const OpDef& def) {
  const bool is_float = def.numbers == Numbers::floats;
  switch (def.arithmetic) {
    case Arithmetic::sum: return "+";
    case Arithmetic::difference:
    case Arithmetic::negation: return "-";
    case Arithmetic::product: return "*";
    case Arithmetic::quotient: return is_float ? "/" : "//";
    case Arithmetic::remainder: return "%";
    case Arithmetic::minimum:
    case Arithmetic::minimum_number: return "tl.minimum";
    case Arithmetic::maximum:
    case Arithmetic::maximum_number: return "tl.maximum";
    case Arithmetic::conjunction: return "&";
    case Arithmetic::disjunction: return "|";
    case Arithmetic::parity: return "^";
    case Arithmetic::shift_left: return "<<";
    case Arithmetic::shift_right: return ">>";
    case Arithmetic::comparison: return "comparison";
    case Arithmetic::conversion: return ".to()";
    case Arithmetic::reinterpretation: return ".to(bitcast=True)";
    default: return "";
  }
}

/// By the one op of its region, where Python has a word for that.
std::string_view combination_name(const Op& op) {
  const bool is_scan = op.def().combination == Combination::scan;
  const std::string_view other = is_scan ? "tl.associative_scan" : "tl.reduce";
  if (op.regions().empty() || op.region().empty() || op.region().front().ops().size() != 2) return other;
  const Arithmetic by = op.region().front().ops().front()->def().arithmetic;
  if (is_scan) return by == Arithmetic::sum ? "tl.cumsum" : by == Arithmetic::product ? "tl.cumprod" : other;
  if (is_maximum(by)) return "tl.max";
  if (is_minimum(by)) return "tl.min";
  return by == Arithmetic::sum ? "tl.sum" : by == Arithmetic::parity ? "tl.xor_sum" : other;
}

}  // namespace

std::string python_name(const Op& op) {
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
    const Attribute symbol = op.attribute("symbol");
    constexpr std::string_view kPrefix = "__nv_";
    if (symbol && symbol->text.starts_with(kPrefix)) return "libdevice." + symbol->text.substr(kPrefix.size());
  }
  const Combination combination = op.def().combination;
  if (combination == Combination::reduction || combination == Combination::scan) return std::string(combination_name(op));
  if (spelling.starts_with("arith.")) {
    if (const auto name = arithmetic_name(op.def()); !name.empty()) return std::string(name);
  }
  for (const std::string_view dialect : {"tt.", "math."}) {
    if (spelling.starts_with(dialect)) return "tl." + std::string(spelling.substr(dialect.size()));
  }
  return std::string(spelling);
}

bool is_implied(const Op& op) {
  const OpDef& def = op.def();
  return def.origin == Origin::constant || def.movement == Movement::splat || def.movement == Movement::unsplat;
}

std::string shown_name(const Op& op) {
  const Location place = op.location().innermost_file();
  const auto is_of = [&](std::string_view ending) { return std::string_view(place->text).ends_with(ending); };
  if (place.is_unknown() || is_of(".ttir") || is_of(".mlir")) return std::string(op.spelling());
  std::string name = python_name(op);
  const bool is_word = std::isalpha(static_cast<unsigned char>(name.front())) != 0 || name == op.spelling();
  return is_word ? name : "`" + name + "`";
}

}  // namespace lockstep::ir
