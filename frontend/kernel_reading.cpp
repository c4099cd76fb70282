#include "frontend/kernel_reading.h"

#include <algorithm>
#include <set>

#include "frontend/kernel_expressions.h"
#include "frontend/kernel_reader.h"
#include "python_syntax/parser.h"

namespace lockstep::frontend {

void KernelReader::read_constants() {
  for (ReadParameter& one : reading_.parameters) {
    if (one.kind != ReadParameter::Kind::constant) continue;
    each<ast::Call>(function_, [&](const ast::Call& call) {
      if (called(call) != "arange" || call.args.size() != 2 || !names(*call.args[1], one.name)) return;
      one.is_power_of_two = true;
      one.why = text(call);
      one.line = module_.file->position(call.range.begin).line;
    });
    each<ast::If>(function_, [&](const ast::If& branch) {
      if (one.is_power_of_two || !names(*branch.test, one.name)) return;
      const auto* compare = branch.test->as<ast::Compare>();
      const auto* value = compare == nullptr ? nullptr : compare->comparators[0]->as<ast::Constant>();
      if (value != nullptr && value->is_string()) one.kind = ReadParameter::Kind::text;
      one.is_switch = compare == nullptr;
      one.why = "if " + text(*branch.test);
      one.line = module_.file->position(branch.range.begin).line;
    });
    each<ast::Name>(function_, [&](const ast::Name& name) {
      if (name.id == one.name && one.line == 0) one.line = module_.file->position(name.range.begin).line;
    });
  }
}

// ---- The grid ----

/// "cdiv(m, TILE_M) * cdiv(n, TILE_N)": the divisions outside of range(...).
std::string KernelReader::from_divisions() {
  std::vector<std::string> all;
  std::set<const ast::Node*> in_ranges;
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (called(call) != "range") return;
    ast::walk(call, [&](const ast::Node& one) { in_ranges.insert(&one); });
  });
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (called(call) != "cdiv" || call.args.size() != 2 || in_ranges.contains(&call)) return;
    std::string one = "cdiv(" + text(*call.args[0]) + ", " + text(*call.args[1]) + ")";
    const bool is_known = !first_number(*call.args[0]).empty() && !first_number(*call.args[1]).empty();
    if (is_known && !holds(all, one)) all.push_back(std::move(one));
  });
  std::string product;
  for (const std::string& one : all) product += (product.empty() ? "" : " * ") + one;
  return product;
}

std::string KernelReader::extent_of_axis(int axis) {
  // pid * BLOCK, and what is computed from it; the first number that bounds any of these.
  std::set<std::string, std::less<>> derived;
  std::string block;
  each<ast::BinOp>(function_, [&](const ast::BinOp& product) {
    if (product.op != ast::BinaryOperator::Mult || !block.empty()) return;
    const bool is_left = axis_of(*product.left, 0) == axis;
    if (!is_left && axis_of(*product.right, 0) != axis) return;
    const auto* name = stripped(is_left ? *product.right : *product.left).as<ast::Name>();
    const auto* known = name == nullptr ? nullptr : parameter(name->id);
    if (known == nullptr || !known->is_constexpr) return;
    block = name->id;
    for (const auto& [local, values] : definitions_) {
      for (const Expr* value : values) {
        ast::walk(*value, [&, &local = local](const ast::Node& one) {
          if (&one == &product) derived.insert(local);
        });
      }
    }
  });
  for (int round = 0; round < 2; ++round) {
    const auto before = derived;
    for (const auto& [local, values] : definitions_) {
      if (std::any_of(before.begin(), before.end(), [&, &values = values](const auto& one) { return names(*values.front(), one); }))
        derived.insert(local);
    }
  }
  for (const std::string& local : derived) {
    const std::string found = bound_by_compare(local, nullptr);
    if (!found.empty() && !block.empty()) return "cdiv(" + found + ", " + block + ")";
  }
  for (const auto& [local, values] : definitions_) {
    if (axis_of(*values.front(), 0) != axis) continue;
    if (const std::string found = bound_by_compare(local, nullptr); !found.empty()) return found;
  }
  return "";
}

void KernelReader::read_grid() {
  std::set<int> axes;
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (const auto axis = axis_of(call, 0)) axes.insert(*axis);
  });
  const int last = axes.empty() ? 0 : *axes.rbegin();
  for (int axis = 0; axis <= last; ++axis) {
    std::string extent = axes.contains(axis) ? extent_of_axis(axis) : "1";
    if (axes.size() == 1 && axes.contains(axis)) {
      const std::string product = from_divisions();
      if (!product.empty()) extent = product;
    }
    reading_.grid.push_back(std::move(extent));
  }
  // Numbers without a use in the text are often the number of programs.
  for (std::string& extent : reading_.grid) {
    for (ReadParameter& one : reading_.parameters) {
      if (!extent.empty() || one.kind != ReadParameter::Kind::number || one.line != 0 || holds(reading_.grid, one.name)) continue;
      extent = one.name;
      one.why = "not used in the kernel; perhaps the number of programs";
    }
  }
  if (axes.empty()) reading_.grid = {"1"};
}

std::string KernelReader::signature() const {
  std::string out;
  const auto& args = function_.args->args;
  const auto& defaults = function_.args->defaults;
  for (std::size_t i = 0; i < args.size(); ++i) {
    out += (i == 0 ? "" : ", ") + args[i]->name;
    if (args[i]->annotation) out += ": " + text(*args[i]->annotation);
    if (i + defaults.size() >= args.size()) out += "=" + text(*defaults[i + defaults.size() - args.size()]);
  }
  return function_.name + "(" + out + ")";
}

KernelReading KernelReader::read() {
  for (const ParameterInfo& one : kernel_.parameters) {
    ReadParameter read;
    read.name = one.name;
    read.has_default = one.default_value.has_value();
    if (one.is_constexpr) read.kind = ReadParameter::Kind::constant;
    reading_.parameters.push_back(std::move(read));
  }
  reading_.signature = signature();
  read_pointers();
  read_numbers();
  read_constants();
  read_grid();
  return std::move(reading_);
}

std::optional<KernelReading> read_kernel_text(const std::string& path, const KernelInfo& kernel) {
  const auto file = SourceFile::read(path);
  if (!file) return std::nullopt;
  DiagnosticSink ignored;  // list_kernels has said what is wrong
  const auto module = python_syntax::parse_python(*file, ignored);
  const ast::FunctionDef* function = function_of_module(*module, kernel.name);
  if (function == nullptr) return std::nullopt;
  return KernelReader(*module, *function, kernel).read();
}

}  // namespace lockstep::frontend
