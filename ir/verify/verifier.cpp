#include "ir/verify/verifier.h"

#include "ir/text/assembly_form.h"
#include "ir/text/printer.h"
#include "ir/verify/row_rules.h"
#include "ir/verify/verify_layouts.h"

namespace lockstep::ir {
namespace {

constexpr std::size_t kMaxBlocks = 20000;  // keeps the dominator computation short on hostile graphs

std::string spelled(const Op& op) { return "'" + std::string(op.spelling()) + "'"; }

}  // namespace

std::string place_of(const Op& op) { return op.location().file_text(); }

bool verify(const Module& module, DiagnosticSink& sink) { return VerifyContext(module, sink).verify_module(); }

VerifyContext::VerifyContext(const Module& module, DiagnosticSink& sink) : module_(module), sink_(sink) {}

bool VerifyContext::error(const Op& op, DiagnosticCode code, std::string message, std::string hint) {
  if (op.span().file == nullptr) {
    const std::string place = place_of(op);
    if (!place.empty()) message += " (at " + place + ")";
  }
  sink_.report({Severity::error, code, std::move(message), op.span(), {}, std::move(hint)});
  return false;
}

DiagnosticNote VerifyContext::note_at(std::string message, const Op& op) {
  if (op.span().file == nullptr) {
    const std::string place = place_of(op);
    message += place.empty() ? ": " + print_op(op) : " at " + place;
  }
  return {std::move(message), op.span()};
}

bool VerifyContext::error_with_note(const Op& op, DiagnosticCode code, std::string message, std::string note,
                                    const Op& noted, std::string hint) {
  if (op.span().file == nullptr) {
    const std::string place = place_of(op);
    if (!place.empty()) message += " (at " + place + ")";
  }
  sink_.report({Severity::error,
                code,
                std::move(message),
                op.span(),
                {note_at(std::move(note), noted)},
                std::move(hint)});
  return false;
}

std::string VerifyContext::name_of(const Value* value) {
  if (value == nullptr) return "a missing value";
  if (!value->name().empty()) return "'%" + value->name() + "'";
  if (names_ == nullptr) names_ = std::make_unique<ValueNames>(module_.op(), true, false);
  return "'" + names_->value(value) + "'";
}

const Op* VerifyContext::function(std::string_view symbol) const {
  const auto found = functions_.find(symbol);
  return found == functions_.end() ? nullptr : found->second;
}

bool VerifyContext::expect_types(const Op& op, const std::vector<Value*>& values, const std::vector<Type>& types,
                                 DiagnosticCode code, const std::string& what) {
  if (values.size() != types.size()) {
    return error(op, code,
                 what + ": " + std::to_string(types.size()) + " expected, " + std::to_string(values.size()) + " given");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->type() == types[i]) continue;
    return error(op, code,
                 what + ": number " + std::to_string(i) + ", " + name_of(values[i]) + ", has type " +
                     values[i]->type().to_string() + ", but " + types[i].to_string() + " is expected");
  }
  return true;
}

bool VerifyContext::verify_module() {
  const std::size_t before = sink_.diagnostics().size();
  bool good = verify_symbols();
  good = verify_op(module_.op()) && good;
  if (good) good = verify_dominance(module_.op());
  return good && before == sink_.diagnostics().size();
}

bool VerifyContext::verify_symbols() {
  bool good = true;
  for (const Op* op : module_.functions()) {
    const auto [place, is_new] = functions_.try_emplace(symbol_name(*op), op);
    if (is_new) continue;
    good = error_with_note(*op, "LS1109", "function '@" + std::string(symbol_name(*op)) + "' is defined twice",
                           "its first definition", *place->second);
  }
  return good;
}

bool VerifyContext::verify_op(const Op& op) {
  if (sink_.is_full()) return false;
  const bool row_holds = verify_operand_counts(op) && verify_row(op);
  const bool regions_hold = verify_regions(op);
  bool inner = true;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& child : block->ops()) inner = verify_op(*child) && inner;
    }
  }
  if (!row_holds || !regions_hold) return false;
  // Hooks may read regions, so they run after the regions were verified.
  if (!inner) return false;
  return op.def().verify == nullptr || op.def().verify(*this, op);
}

bool VerifyContext::verify_row(const Op& op) {
  return verify_operand_types(op) && verify_results(op) && verify_attributes(op) && verify_relations(op) &&
         verify_tile_sizes(op) && verify_successors(op);
}

bool VerifyContext::verify_operand_counts(const Op& op) {
  const auto& specs = op.def().operands;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    if (op.operand(i) == nullptr)
      return error(op, "LS1101", "operand #" + std::to_string(i) + " of " + spelled(op) + " is missing");
  }
  if (has_operand_segments(op.def())) {
    std::size_t total = 0;
    for (const std::uint32_t size : op.operand_segments()) total += size;
    if (op.operand_segments().size() != specs.size() || total != op.operand_count()) {
      return error(op, "LS1101", "the operand groups of " + spelled(op) + " do not add up to its operands");
    }
  }
  std::size_t total = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::size_t size = op.operand_group(i).size();
    total += size;
    const bool fits =
        specs[i].arity == Arity::variadic || size == 1 || (size == 0 && specs[i].arity == Arity::optional);
    if (!fits)
      return error(op, "LS1101",
                   spelled(op) + " needs one '" + std::string(specs[i].name) + "', not " + std::to_string(size));
  }
  if (total == op.operand_count()) return true;
  return error(
      op, "LS1101",
      spelled(op) + " takes " + std::to_string(total) + " operands, not " + std::to_string(op.operand_count()));
}

bool VerifyContext::verify_operand_types(const Op& op) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < op.def().operands.size(); ++i) {
    const OperandSpec& spec = op.def().operands[i];
    for (const Value* value : op.operand_group(i)) {
      if (!obeys(spec.rule, value->type())) {
        return error(op, "LS1102",
                     "operand #" + std::to_string(number) + " ('" + std::string(spec.name) + "') of " + spelled(op) +
                         " must be " + std::string(describe(spec.rule)) + ", but " + name_of(value) + " is " +
                         value->type().to_string());
      }
      if (const std::string fault = layout_fault(value->type()); !fault.empty()) {
        return error(op, "LS1102",
                     "operand #" + std::to_string(number) + " ('" + std::string(spec.name) + "') of " + spelled(op) + ", " +
                         name_of(value) + ", is " + value->type().to_string() + ": " + fault);
      }
      ++number;
    }
  }
  return true;
}

bool VerifyContext::verify_results(const Op& op) {
  const auto& specs = op.def().results;
  std::size_t required = 0;
  for (const ResultSpec& spec : specs) required += spec.arity == Arity::one;
  const std::vector<std::size_t> found = specs_of_results(op);
  if (found.size() != op.result_count() || op.result_count() < required) {
    return error(
        op, "LS1103",
        spelled(op) + " has " + std::to_string(specs.size()) + " results, not " + std::to_string(op.result_count()));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const ResultSpec& spec = specs[found[i]];
    const Type type = op.result(i)->type();
    if (type.is_tensor() && type.element_count() < 1) {
      return error(op, "LS1103",
                   "result #" + std::to_string(i) + " of " + spelled(op) + " has no elements: " + type.to_string());
    }
    if (const std::string fault = layout_fault(type); !fault.empty()) {
      return error(op, "LS1103",
                   "result #" + std::to_string(i) + " of " + spelled(op) + " is " + type.to_string() + ": " + fault);
    }
    if (obeys(spec.rule, type)) continue;
    return error(op, "LS1103",
                 "result #" + std::to_string(i) + " of " + spelled(op) + " must be " +
                     std::string(describe(spec.rule)) + ", but is " + type.to_string());
  }
  return true;
}

bool VerifyContext::verify_successors(const Op& op) {
  if (op.successors().size() != op.def().successor_count) {
    return error(op, "LS1108",
                 spelled(op) + " has " + std::to_string(op.def().successor_count) + " targets, not " +
                     std::to_string(op.successors().size()));
  }
  for (std::size_t i = 0; i < op.successors().size(); ++i) {
    const Block* target = op.successors()[i].block;
    if (target == nullptr || op.block() == nullptr || target->parent() != op.block()->parent()) {
      return error(op, "LS1108", spelled(op) + " goes to a block of another region");
    }
    if (&target->parent()->front() == target)
      return error(op, "LS1108", spelled(op) + " goes to the first block of its region");
    std::vector<Type> types;
    for (const auto& argument : target->arguments()) types.push_back(argument->type());
    if (!expect_types(op, op.successor_arguments(i), types, "LS1108",
                      "values for target #" + std::to_string(i) + " of " + spelled(op))) {
      return false;
    }
  }
  return true;
}

bool VerifyContext::verify_regions(const Op& op) {
  const OpDef& def = op.def();
  const std::size_t most = def.max_region_count != 0 ? def.max_region_count : def.region_count;
  if (op.regions().size() < def.region_count || op.regions().size() > most) {
    return error(op, "LS1106",
                 spelled(op) + " has " + std::to_string(def.region_count) + " regions, not " +
                     std::to_string(op.regions().size()));
  }
  bool good = true;
  for (const auto& region : op.regions()) {
    const std::size_t count = region->blocks().size();
    if (def.single_block_regions && count > 1)
      good = error(op, "LS1106", "a region of " + spelled(op) + " must be one block");
    if (count > kMaxBlocks)
      return error(op, "LS1106", "more than " + std::to_string(kMaxBlocks) + " blocks in one region");
    for (const auto& block : region->blocks()) good = verify_block(op, *block) && good;
  }
  return good;
}

bool VerifyContext::verify_block(const Op& op, const Block& block) {
  if (!op.def().needs_terminator) return true;
  for (const auto& argument : block.arguments()) {
    if (argument->type() && argument->type().element_count() >= 1) continue;
    return error(op, "LS1106",
                 "argument " + name_of(argument.get()) + " of a block of " + spelled(op) +
                     " has no elements: " + argument->type().to_string());
  }
  if (block.ops().empty()) return error(op, "LS1107", "a block of " + spelled(op) + " is empty: it needs a terminator");
  if (block.terminator() == nullptr) {
    const Op& last = *block.ops().back();
    return error(last, "LS1107",
                 "a block of " + spelled(op) + " must end with a terminator, not with " + spelled(last));
  }
  for (const auto& child : block.ops()) {
    if (child->def().is_terminator && child != block.ops().back()) {
      return error_with_note(*child, "LS1107", spelled(*child) + " must be the last op of its block",
                             "this op follows it", **std::next(child->position()));
    }
  }
  return true;
}

bool VerifyContext::verify_use(const Op& op, std::size_t operand) {
  const Value& value = *op.operand(operand);
  if (dominance_.reaches(value, op)) return true;
  const std::string name = name_of(&value);
  std::string message = "operand #" + std::to_string(operand) + " of " + spelled(op) + ", " + name +
                        ", does not dominate this use: " + dominance_.explain(value, op);
  const Op* place = value.defining_op();
  if (place == nullptr && value.owner_block() != nullptr) place = value.owner_block()->parent_op();
  if (place == nullptr) return error(op, "LS1120", std::move(message));
  const bool is_result = value.defining_op() != nullptr;
  return error_with_note(op, "LS1120", std::move(message),
                         name + (is_result ? " is defined here" : " is an argument of a block of this op"), *place,
                         dominance_.advise(value, op));
}

bool VerifyContext::verify_dominance(const Op& op) {
  bool good = true;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& child : block->ops()) {
        for (std::size_t i = 0; i < child->operand_count() && !sink_.is_full(); ++i)
          good = verify_use(*child, i) && good;
        good = verify_dominance(*child) && good;
      }
    }
  }
  return good;
}

}  // namespace lockstep::ir
