#include "ir/text/printer.h"

#include <algorithm>
#include <functional>
#include <map>

#include "ir/op_def.h"
#include "ir/verify/row_rules.h"

namespace lockstep::ir {
namespace {

constexpr std::size_t kIndent = 2;

const Op& root_of(const Op& op) {
  const Op* root = &op;
  while (root->parent_op() != nullptr) root = root->parent_op();
  return *root;
}

bool is_default(const AttributeSpec& spec, Attribute value) {
  if (spec.presence != Presence::defaulted) return false;
  if (value.is_dense_array()) return value->values.empty();
  return value.is_integer() && value->integer == spec.default_value;
}

/// The generic form's text for an attribute that is left out because it has its default.
std::string default_text(const AttributeSpec& spec) {
  if (spec.rule == AttributeRule::any)
    return "#arith." + std::string(spec.name == "overflowFlags" ? "overflow" : spec.name) + "<none>";
  if (spec.rule == AttributeRule::boolean) return spec.default_value != 0 ? "true" : "false";
  if (spec.rule == AttributeRule::dense_array_i32) return "array<i32>";
  return std::to_string(spec.default_value) + " : i32";
}

std::vector<Type> types_of(const std::vector<Value*>& values) {
  std::vector<Type> types;
  for (const Value* value : values) types.push_back(value == nullptr ? Type() : value->type());
  return types;
}

}  // namespace

std::string print_module(const Module& module, PrintOptions options) {
  LocationAliases aliases;
  AttributeAliases attributes;
  const ValueNames names(module.op(), options.locations, options.generic, options.names_as_written);
  if (options.locations || module.context().has_encodings()) {
    OpPrinter collector(names, aliases, attributes, options);
    collector.set_collecting(true);
    collector.print_op(module.op());
    aliases.finish();
    attributes.finish();
  }
  OpPrinter printer(names, aliases, attributes, options);
  printer.print_op(module.op());
  return alias_definitions(attributes.definitions(), aliases.definitions(false)) + printer.text() + "\n" +
         alias_definitions({}, aliases.definitions(true));
}

std::string print_op(const Op& op) {
  LocationAliases aliases;
  const ValueNames names(root_of(op), false, false);
  AttributeAliases attributes;
  OpPrinter printer(names, aliases, attributes, {});
  printer.set_regions_hidden(true);
  printer.print_op(op);
  return printer.text();
}

void OpPrinter::print_values(const std::vector<Value*>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) *this << (i == 0 ? "" : ", ") << values[i];
}

void OpPrinter::print_newline() {
  out_ += "\n";
  out_.append(indent_, ' ');
}

void OpPrinter::print_types(const std::vector<Type>& types) {
  for (std::size_t i = 0; i < types.size(); ++i) *this << (i == 0 ? "" : ", ") << types[i];
}

void OpPrinter::print_types(const std::vector<Value*>& values) { print_types(types_of(values)); }

void OpPrinter::print_function_type(const std::vector<Type>& inputs, const std::vector<Type>& results) {
  *this << "(";
  print_types(inputs);
  *this << ") -> ";
  const bool single = results.size() == 1 && !results[0].is_function();
  if (!single) *this << "(";
  print_types(results);
  if (!single) *this << ")";
}

void OpPrinter::print_attributes(const Op& op, const std::vector<std::string_view>& hidden, bool keyword) {
  std::vector<NamedAttribute> shown;
  for (const NamedAttribute& entry : op.attributes()) {
    if (std::find(hidden.begin(), hidden.end(), entry.name) != hidden.end()) continue;
    const auto& specs = op.def().attributes;
    const bool is_omitted = std::any_of(specs.begin(), specs.end(), [&entry](const AttributeSpec& spec) {
      return spec.name == entry.name && is_default(spec, entry.value);
    });
    if (!is_omitted) shown.push_back(entry);
  }
  if (shown.empty()) return;
  *this << (keyword ? " attributes " : " ");
  print_dictionary(std::move(shown));
}

void OpPrinter::print_trailing_location(Location location, bool as_alias, bool can_be_deferred) {
  if (!options_.locations) return;
  if (collecting_)
    aliases_.visit(location, can_be_deferred);
  else
    *this << " loc(" << (as_alias ? aliases_.reference(location) : aliases_.inner(location)) << ")";
}

void OpPrinter::print_argument(const Value& argument, Attribute attributes) {
  *this << &argument << ": " << argument.type();
  if (attributes && !attributes->entries.empty()) {
    *this << " ";
    print_dictionary(attributes->entries);
  }
  print_trailing_location(argument.location(), false, false);
}

const std::vector<const Block*>& OpPrinter::predecessors_of(const Block& block) {
  if (known_regions_.insert(block.parent()).second) {
    for (const auto& from : block.parent()->blocks()) {
      const Op* last = from->ops().empty() ? nullptr : from->ops().back().get();
      if (last == nullptr) continue;
      for (const Successor& successor : last->successors()) predecessors_[successor.block].push_back(from.get());
    }
  }
  return predecessors_[&block];
}

void OpPrinter::print_predecessors(const Block& block) {
  const std::vector<const Block*>& from = predecessors_of(block);
  if (from.empty()) {
    if (&block.parent()->front() != &block) *this << "  // no predecessors";
    return;
  }
  if (from.size() == 1)
    *this << "  // pred: ";
  else
    *this << "  // " << std::to_string(from.size()) << " preds: ";
  for (std::size_t i = 0; i < from.size(); ++i) *this << (i == 0 ? "" : ", ") << names_.block(from[i]);
}

void OpPrinter::print_block(const Block& block, bool label, bool terminators) {
  if (label) {
    out_.append(indent_, ' ');
    *this << names_.block(&block);
    if (!block.arguments().empty()) {
      *this << "(";
      for (const auto& argument : block.arguments()) {
        if (argument->index() != 0) *this << ", ";
        print_argument(*argument, {});
      }
      *this << ")";
    }
    *this << ":";
    print_predecessors(block);
    *this << "\n";
  }
  indent_ += kIndent;
  for (const auto& op : block.ops()) {
    if (!terminators && op == block.ops().back() && op->def().is_terminator) break;
    out_.append(indent_, ' ');
    print_op(*op);
    *this << "\n";
  }
  indent_ -= kIndent;
}

void OpPrinter::print_region(const Region& region, bool labels, bool terminators, bool empty_label) {
  if (regions_hidden_) {
    *this << "{...}";
    return;
  }
  *this << "{\n";
  bool is_entry = true;
  for (const auto& block : region.blocks()) {
    const bool needs_label = (empty_label && block->ops().empty()) || (labels && !block->arguments().empty());
    print_block(*block, !is_entry || needs_label, is_entry ? terminators : true);
    is_entry = false;
  }
  out_.append(indent_, ' ');
  *this << "}";
}

void OpPrinter::print_successor(const Op& op, std::size_t i) {
  *this << names_.block(op.successors()[i].block);
  const std::vector<Value*> arguments = op.successor_arguments(i);
  if (arguments.empty()) return;
  *this << "(";
  print_values(arguments);
  *this << " : ";
  print_types(arguments);
  *this << ")";
}

void OpPrinter::print_op(const Op& op) {
  if (collecting_ && options_.locations) aliases_.visit(op.location(), true);
  if (op.result_count() != 0) *this << names_.results(op) << " = ";
  const bool has_own_form = op.def().print != nullptr || !op.def().form.empty();
  if (options_.generic || !has_own_form || !fits_its_row(op))
    print_generic(op);
  else
    print_custom(op);
  if (!collecting_) print_trailing_location(op.location(), true, true);
}

void OpPrinter::print_custom(const Op& op) {
  const std::string_view spelling = op.spelling();
  *this << (spelling == "builtin.module" ? "module" : spelling);
  if (op.def().print != nullptr)
    op.def().print(*this, op);
  else
    print_form(op);
}

void OpPrinter::print_properties(const Op& op) {
  std::map<std::string, std::string, std::less<>> properties;
  for (const AttributeSpec& spec : op.def().attributes) {
    const Attribute value = op.attribute(spec.name);
    const bool is_unit = value && value->kind == AttributeNode::Kind::unit;
    if (value)
      properties[std::string(spec.name)] = is_unit ? "" : print_attribute(value);
    else if (spec.presence == Presence::defaulted)
      properties[std::string(spec.name)] = default_text(spec);
  }
  if (has_operand_segments(op.def()) && !op.def().equal_variadic_groups) {
    std::string sizes;
    for (const std::uint32_t size : op.operand_segments()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    properties["operandSegmentSizes"] = "array<i32: " + sizes + ">";
  }
  if (properties.empty()) return;
  *this << " <{";
  bool is_first = true;
  for (const auto& [name, text] : properties) {
    *this << (is_first ? "" : ", ") << name << (text.empty() ? "" : " = ") << text;
    is_first = false;
  }
  *this << "}>";
}

void OpPrinter::print_generic(const Op& op) {
  *this << quote(op.spelling()) << "(";
  print_values(op.operands());
  *this << ")";
  for (std::size_t i = 0; i < op.successors().size(); ++i) {
    *this << (i == 0 ? "[" : ", ") << names_.block(op.successors()[i].block);
  }
  if (!op.successors().empty()) *this << "]";
  print_properties(op);
  for (std::size_t i = 0; i < op.regions().size(); ++i) {
    *this << (i == 0 ? " (" : ", ");
    print_region(op.region(i), true, true, true);
  }
  if (!op.regions().empty()) *this << ")";
  std::vector<std::string_view> properties;
  for (const AttributeSpec& spec : op.def().attributes) properties.push_back(spec.name);
  print_attributes(op, properties);
  *this << " : ";
  std::vector<Type> results;
  for (std::size_t i = 0; i < op.result_count(); ++i) results.push_back(op.result(i)->type());
  print_function_type(types_of(op.operands()), results);
}

}  // namespace lockstep::ir
