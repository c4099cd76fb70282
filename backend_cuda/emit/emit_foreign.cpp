// Code from outside: libdevice functions, which NVRTC links by their own names, and inline PTX, whose constraints and
// packing are LLVM's and Triton's (docs/semantics.md S-82, S-93) and become CUDA's. The emitter checks text from a
// kernel before it becomes part of a program.
#include <algorithm>
#include <bit>
#include <cctype>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_combine.h"
#include "ir/op_def.h"
#include "support/ascii.h"

namespace lockstep::backend_cuda {
namespace {

// The functions that Triton names in its library module, and minima and maxima that other front ends call.
constexpr std::string_view kLibrary[] = {
#define LOCKSTEP_LIBDEVICE(function, arguments, result, symbol) symbol,
#include "support/libdevice_symbols.def"
#undef LOCKSTEP_LIBDEVICE
    "__nv_fmax", "__nv_fmaxf", "__nv_fmin",   "__nv_fminf",  "__nv_llmax", "__nv_llmin",
    "__nv_max",  "__nv_min",   "__nv_ullmax", "__nv_ullmin", "__nv_umax",  "__nv_umin",
};

std::string text_attribute(const ir::Op& op, std::string_view name) {
  const ir::Attribute value = op.attribute(name);
  return value && value.is_string() ? value->text : std::string();
}

bool is_half_type(const std::string& type) { return type == "f16" || type == "bf16"; }
std::string library_type(const std::string& type) { return is_half_type(type) ? "unsigned short" : type; }

// ---- inline assembly
// -------------------------------------------------------------------------------------------------

struct Constraint {
  bool is_output = false;
  char letter = 'r';
  int tied_to = -1;  // inputs: the output whose register this is
};

struct Constraints {
  std::vector<Constraint> list;
  bool clobbers_memory = false;
  std::string problem;
};

void read_constraint(Constraints& made, std::string_view part) {
  if (part.starts_with("~{")) {
    made.clobbers_memory = made.clobbers_memory || part == "~{memory}";
    return;
  }
  Constraint one;
  const std::string shown(part);
  if (part.starts_with("=")) {
    one.is_output = true;
    part.remove_prefix(part.starts_with("=&") ? 2 : 1);
  }
  const bool is_digit = part.size() == 1 && std::isdigit(static_cast<unsigned char>(part[0])) != 0;
  if (is_digit && !one.is_output && static_cast<std::size_t>(part[0] - '0') < made.list.size()) {
    one.tied_to = part[0] - '0';
    one.letter = made.list[static_cast<std::size_t>(one.tied_to)].letter;
  } else if (part.size() == 1 && std::string_view("hrlfdc").find(part[0]) != std::string_view::npos) {
    one.letter = part[0] == 'c' ? 'h' : part[0];
  } else {
    made.problem = "the constraint '" + shown + "'";
  }
  made.list.push_back(one);
}

Constraints read_constraints(std::string_view text) {
  Constraints made;
  for (text = trimmed(text); !text.empty();) {
    const std::size_t comma = text.find(',');
    read_constraint(made, trimmed(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return made;
}

std::string register_type(char letter) {
  switch (letter) {
    case 'h': return "unsigned short";
    case 'f': return "float";
    case 'd': return "double";
    case 'l': return "unsigned long long";
    default: return "unsigned";
  }
}

/// The string in CUDA's notation: $1 becomes %1, a string literal's characters are escaped. Empty: `problem` says why.
std::string cuda_asm(std::string_view text, const std::vector<int>& numbers, std::string& problem) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '$' && i + 1 < text.size() && text[i + 1] == '$') {
      made += "$";
      ++i;
    } else if (c == '$') {
      std::size_t operand = 0, digits = 0;
      for (; i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0 && digits < 4;
           ++digits) {
        operand = operand * 10 + static_cast<std::size_t>(text[++i] - '0');
      }
      if (digits == 0 || operand >= numbers.size()) {
        problem = "an operand that the constraints do not name";
        return "";
      }
      made += "%" + number(numbers[operand]);
    } else if (c == '%') {
      made += "%%";
    } else if (c == '\n') {
      made += "\\n";
    } else if (c == '"' || c == '\\') {
      made += std::string("\\") + c;
    } else if (byte >= 0x20 && byte < 0x7f) {
      made += c;
    } else {
      made += " ";
    }
  }
  return made;
}

/// The registers of one run of the asm: which elements of which value each holds.
struct Group {
  std::size_t value = 0;
  std::int64_t first = 0, count = 1;
};

std::vector<Group> groups_of(const Variables& values, const std::vector<int>& widths, std::int64_t pack) {
  std::vector<Group> groups;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::int64_t each = std::min<std::int64_t>(widths[v] < 32 ? 32 / widths[v] : 1, pack);
    for (std::int64_t first = 0; first < pack; first += each) groups.push_back({v, first, each});
  }
  return groups;
}

/// Loads and stores stay where they are, whatever the kernel declares about the asm.
bool touches_memory(const std::string& text) {
  return text.find("ld.") != std::string::npos || text.find("st.") != std::string::npos;
}

class InlineAsm {
 public:
  InlineAsm(EmitContext& context, const ir::Op& op)
      : context_(context),
        op_(op),
        pack_(op.result_count() != 0 && op.result()->type().is_tensor() ? op.integer_attribute("packed_element", 1)
                                                                        : 1) {}

  bool emit() {
    if (pack_ < 1 || pack_ > 64 || !std::has_single_bit(static_cast<std::uint64_t>(pack_))) {
      return context_.unsupported(op_, "packs of " + number(pack_));
    }
    constraints_ = read_constraints(text_attribute(op_, "constraints"));
    if (!constraints_.problem.empty()) return context_.unsupported(op_, constraints_.problem);
    if (!read_values() || !match()) return false;
    std::string problem;
    const std::string text = cuda_asm(text_attribute(op_, "asm_string"), numbers(), problem);
    if (!problem.empty()) return context_.unsupported(op_, problem);
    const Variable& first = results_[0];
    context_.open(first.is_tile ? "LS_EACH_BY(" + number(first.registers) + ", " + number(pack_) + ")" : "");
    write_run(text);
    context_.close();
    return true;
  }

 private:
  bool read_values() {
    if (op_.result_count() == 0) return context_.unsupported(op_, "an asm without results");
    for (std::size_t i = 0; i < op_.operand_count(); ++i) {
      sources_.push_back(context_.operand(op_, i));
      if (!add_width(op_.operand(i), source_widths_)) return false;
    }
    for (std::size_t i = 0; i < op_.result_count(); ++i) {
      results_.push_back(context_.declare(op_.result(i)));
      if (!add_width(op_.result(i), result_widths_)) return false;
    }
    return true;
  }
  bool add_width(const ir::Value* value, std::vector<int>& widths) {
    const auto kind = value->type().element().scalar_kind();
    if (kind == ScalarKind::i1) return context_.unsupported(op_, "i1 in inline assembly");
    widths.push_back(kind ? 8 * size_bytes(*kind) : 64);
    return true;
  }
  /// Registers and constraints must agree in number and place.
  bool match() {
    outputs_ = groups_of(results_, result_widths_, pack_);
    inputs_ = groups_of(sources_, source_widths_, pack_);
    bool fits = constraints_.list.size() == outputs_.size() + inputs_.size();
    for (std::size_t i = 0; fits && i < constraints_.list.size(); ++i) {
      fits = constraints_.list[i].is_output == (i < outputs_.size());
    }
    return fits || context_.unsupported(op_, "constraints that do not fit the registers that the elements take");
  }
  /// CUDA's number of each operand: a tied input is its output.
  std::vector<int> numbers() const {
    std::vector<int> made;
    int next = 0;
    for (const Constraint& one : constraints_.list) made.push_back(one.tied_to >= 0 ? one.tied_to : next++);
    return made;
  }

  std::string element(const Variable& value, std::int64_t k) const {
    if (!value.is_tile) return value.name;
    if (k >= value.registers) return "nothing<" + value.type + ">()";
    return value.at(k == 0 ? "r" : "r + " + number(k));
  }

  void write_run(const std::string& text) {
    std::vector<std::string> outs(outputs_.size()), ins;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::string name = "o" + number(static_cast<std::int64_t>(i));
      context_.line(register_type(constraints_.list[i].letter) + " " + name + ";");
      outs[i] = "\"=" + std::string(1, constraints_.list[i].letter) + "\"(" + name + ")";
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Constraint& one = constraints_.list[outputs_.size() + i];
      const Variable& value = sources_[inputs_[i].value];
      std::string word = "word_of<" + register_type(one.letter) + ">(";
      for (std::int64_t k = 0; k < inputs_[i].count; ++k) {
        word += (k == 0 ? "" : ", ") + element(value, inputs_[i].first + k);
      }
      word += ")";
      if (one.tied_to >= 0) {
        const auto tied = static_cast<std::size_t>(one.tied_to);
        const std::string name = "o" + number(one.tied_to);
        context_.line(name + " = " + word + ";");
        outs[tied] = "\"+" + std::string(1, one.letter) + "\"(" + name + ")";
      } else {
        ins.push_back("\"" + std::string(1, one.letter) + "\"(" + word + ")");
      }
    }
    const bool is_pure = op_.integer_attribute("pure", 0) != 0 && !touches_memory(text);
    context_.line(std::string(is_pure ? "asm" : "asm volatile") + "(\"" + text + "\" : " + join(outs) + " : " +
                  join(ins) + (constraints_.clobbers_memory || !is_pure ? " : \"memory\"" : "") + ");");
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Variable& value = results_[outputs_[i].value];
      for (std::int64_t k = 0; k < outputs_[i].count; ++k) {
        if (value.is_tile && outputs_[i].first + k >= value.registers) continue;
        context_.line(element(value, outputs_[i].first + k) + " = element_of<" + value.type + ">(o" +
                      number(static_cast<std::int64_t>(i)) + ", " + number(k) + ");");
      }
    }
  }

  EmitContext& context_;
  const ir::Op& op_;
  std::int64_t pack_;
  Constraints constraints_;
  Variables sources_, results_;
  std::vector<int> source_widths_, result_widths_;
  std::vector<Group> outputs_, inputs_;
};

}  // namespace

bool emit_extern(EmitContext& context, const ir::Op& op) {
  const std::string symbol = text_attribute(op, "symbol");
  if (std::find(std::begin(kLibrary), std::end(kLibrary), symbol) == std::end(kLibrary)) {
    return context.unsupported(op, "the function '" + symbol + "' is not a function of libdevice");
  }
  const Variable result = context.declare(op.result());
  std::vector<std::string> types, arguments;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Variable operand = context.operand(op, i);
    types.push_back(library_type(operand.type));
    arguments.push_back(operand.at() + (is_half_type(operand.type) ? ".bits" : ""));
  }
  context.declare_function("extern \"C\" __device__ " + library_type(result.type) + " " + symbol + "(" + join(types) +
                           ");");
  const std::string call = symbol + "(" + join(arguments) + ")";
  context.each(result, result.at() + " = " + (is_half_type(result.type) ? result.type + "{" + call + "}" : call) + ";");
  return true;
}

bool emit_inline_asm(EmitContext& context, const ir::Op& op) { return InlineAsm(context, op).emit(); }

}  // namespace lockstep::backend_cuda
