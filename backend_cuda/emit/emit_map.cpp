// tt.map_elementwise: its region as a device lambda, called with `pack` neighbours of every operand, which lie in
// adjacent registers (LayoutPlan::packed_layout).
#include <algorithm>
#include <bit>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_combine.h"
#include "backend_cuda/emit/emit_ops.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

using Names = std::vector<std::string>;

/// `stem`0, `stem`1 ... as parameters of the operands' or results' types, `pack` of each.
Names add_parameters(EmitContext& context, const char* stem, const Names& types, std::int64_t pack,
                     const char* reference, Names& heads) {
  Names names;
  for (const std::string& type : types) {
    for (std::int64_t k = 0; k < pack; ++k) {
      names.push_back(context.fresh(stem));
      heads.push_back(type + reference + names.back());
    }
  }
  return names;
}

std::string register_of(std::int64_t k) { return k == 0 ? "r" : "r + " + number(k); }

}  // namespace

bool emit_map(EmitContext& context, const ir::Op& op) {
  const std::int64_t pack = std::max<std::int64_t>(pack_of(op), 1);
  if (!std::has_single_bit(static_cast<std::uint64_t>(pack)) || pack > op.result()->type().element_count()) {
    return context.unsupported(op, "packs of " + number(pack));
  }
  Variables sources, results;
  Names source_types, result_types, heads;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    sources.push_back(context.operand(op, i));
    source_types.push_back(sources.back().type);
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    results.push_back(context.declare(op.result(i)));
    result_types.push_back(results.back().type);
  }
  const std::string name = context.fresh("apply");
  const Names outputs = add_parameters(context, "y", result_types, pack, "& ", heads);
  const Names inputs = add_parameters(context, "x", source_types, pack, " ", heads);
  context.open("auto " + name + " = [&](" + join(heads) + ")");
  const bool is_complete = emit_region(context, op.region(), inputs, [&](const Names& ends) {
    for (std::size_t i = 0; i < outputs.size(); ++i) context.line(outputs[i] + " = " + ends[i] + ";");
    context.line("return;");
  });
  if (!is_complete) return false;
  context.close(";");
  Names arguments;
  for (const Variables* group : {&results, &sources}) {
    for (const Variable& value : *group) {
      for (std::int64_t k = 0; k < pack; ++k) arguments.push_back(value.at(register_of(k)));
    }
  }
  const std::string call = name + "(" + join(arguments) + ");";
  context.line(results[0].is_tile ? "LS_EACH_BY(" + number(results[0].registers) + ", " + number(pack) + ") " + call
                                  : call);
  return true;
}

}  // namespace lockstep::backend_cuda
