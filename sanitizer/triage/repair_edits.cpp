#include "sanitizer/triage/repair_edits.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"
#include "ir/text/python_name.h"
#include "sanitizer/core/texts.h"

namespace lockstep::sanitizer {

using ir::Op;
using ir::Value;

namespace {

void collect(const Op& op, Numbered& made) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) made.values.push_back(argument.get());
      for (const auto& inner : block->ops()) {
        made.ops.push_back(inner.get());
        for (std::size_t i = 0; i < inner->result_count(); ++i) made.values.push_back(inner->result(i));
        collect(*inner, made);
      }
    }
  }
}

bool is_region_of_lanes(const Op& op) { return ir::combines_lanes(op) && !op.regions().empty(); }

std::string name_of(Location location) {
  for (Location at = location; !at.is_unknown();) {
    if (at->kind == LocationNode::Kind::name) return at->text;
    if (at->children.empty()) break;
    at = at->children.front();
  }
  return {};
}

std::string variable_of(const Value& value) {
  const Op* op = value.defining_op();
  if (op == nullptr) return name_of(value.location());
  const std::string name = name_of(op->location());
  const bool is_last = std::any_of(value.uses().begin(), value.uses().end(),
                                   [&](const ir::Use& use) { return name_of(use.user->location()) != name; });
  return is_last ? name : std::string();
}

std::string constant_text(const Op& op) {
  const ir::Attribute value = op.attribute("value");
  const ir::Type type = op.result()->type().element();
  const auto kind = type.scalar_kind();
  if (!value || !kind) return {};
  if (value.is_integer()) return std::to_string(value->integer);
  if (value.is_float()) return value_text(*kind, value->float_bits);
  if (!value.is_dense() || !value->is_splat) return {};
  std::uint64_t bits = 0;
  for (std::size_t i = value->data.size(); i-- > 0;) bits = bits << 8 | static_cast<std::uint64_t>(value->data[i]);
  return value_text(*kind, bits);
}

}  // namespace

namespace {

constexpr std::size_t kMaxOps = 1500;

bool is_shareable(const Op& op) {
  if (op.def().effects != ir::Effects::pure || !op.regions().empty() || op.result_count() != 1) return false;
  const ir::Type element = op.result()->type().element();
  return !ir::is_constant(op) && (element.is_integer() || element.is_pointer());
}

}  // namespace

std::vector<const Op*> unshare(ir::Module& module, Op& function, const Op& kernel) {
  const Numbered originals(kernel);
  Numbered all(function);
  std::unordered_map<const Op*, const Op*> places;
  for (std::size_t i = 0; i < all.ops.size(); ++i) places[all.ops[i]] = originals.ops[i];
  std::size_t count = all.ops.size();
  for (std::size_t i = all.ops.size(); i-- > 0;) {
    Op& op = *all.ops[i];
    if (!is_shareable(op)) continue;
    const std::vector<ir::Use> uses = op.result()->uses();
    for (std::size_t u = 1; u < uses.size() && count < kMaxOps; ++u, ++count) {
      ir::passes::CloneMap map;
      Op* copy = op.block()->insert(std::next(op.position()), ir::passes::clone_op(op, map, module.context()));
      uses[u].user->set_operand(uses[u].operand, copy->result());
      places[copy] = places[uses[u].user];
    }
  }
  std::vector<const Op*> made;
  for (const Op* op : Numbered(function).ops) made.push_back(places[op]);
  return made;
}

Numbered::Numbered(const Op& function) { collect(function, *this); }

KernelText::KernelText(const Op& function) {
  const Numbered all(function);
  for (std::size_t i = 0; i < all.ops.size(); ++i) op_numbers_[all.ops[i]] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < all.values.size(); ++i) value_numbers_[all.values[i]] = static_cast<std::uint32_t>(i);
  for (const Op* op : all.ops) {
    if (op->parent_op() != nullptr && !is_region_of_lanes(*op->parent_op())) ops_.push_back(op);
  }
}

std::vector<const Value*> KernelText::visible(const Op& op) const {
  std::vector<const Value*> made;
  for (const Op* at = &op; at != nullptr && at->block() != nullptr; at = at->parent_op()) {
    for (auto it = std::make_reverse_iterator(at->position()); it != at->block()->ops().rend(); ++it) {
      for (std::size_t i = 0; i < (*it)->result_count(); ++i) made.push_back((*it)->result(i));
    }
    for (const auto& argument : at->block()->arguments()) made.push_back(argument.get());
    if (at->parent_op() != nullptr && at->parent_op()->def().is_isolated) break;
  }
  std::stable_partition(made.begin(), made.end(), [](const Value* value) { return is_named(*value); });
  return made;
}

bool only_spreads(const Op& op) {
  const bool makes_float = ir::converts_to_float(op) && op.def().numbers == ir::Numbers::with_sign;
  return ir::spreads(op) || ir::extends_with_sign(op) || makes_float;
}

std::string user_line(Location location) {
  const UserFrame frame = user_frame(location);
  return frame.user == nullptr ? line_text(location) : "line " + std::to_string(frame.user->line);
}

std::string variable_name(const Value& value) { return variable_of(value); }

const Op* behind_spread(const Value& value) {
  const Op* op = value.defining_op();
  while (op != nullptr && only_spreads(*op)) op = op->operand(0)->defining_op();
  return op;
}

Edit::Rewrite replaces_name(const Op& op, std::size_t operand, std::string text) {
  const Value* now = op.operand(operand);
  while (variable_of(*now).empty() && now->defining_op() != nullptr && only_spreads(*now->defining_op()))
    now = now->defining_op()->operand(0);
  const std::string name = variable_of(*now);
  if (name.empty() || text.empty()) return nullptr;
  return [name, operand, text = std::move(text)](std::string_view source, std::size_t at) -> std::optional<TextChange> {
    const std::vector<TextSpan> found = names_in_statement(source, at, name);
    if (found.empty() || found.size() > 2 || (found.size() == 2 && operand > 1)) return std::nullopt;
    const TextSpan span = found.size() == 1 ? found[0] : found[operand];
    // "acc += x", where the line begins with the change: "acc = acc * alpha + x".
    const std::size_t sign = source.find_first_not_of(" \t", span.end);
    const bool is_sum = sign != std::string_view::npos && sign + 1 < source.size() && source[sign + 1] == '=' &&
                        (source[sign] == '+' || source[sign] == '-');
    if (is_sum) {
      const std::size_t rest = source.find_first_not_of(" \t", sign + 2);
      return TextChange{span.begin, rest, name + " = " + text + " " + source[sign] + " "};
    }
    const std::size_t behind = source.find_first_not_of(" \t", span.end);
    if (behind != std::string_view::npos && source[behind] == '=' && source[behind + 1] != '=') return std::nullopt;
    const bool is_simple = text.find_first_of(" +-*/") == std::string::npos;
    return TextChange{span.begin, span.end, !is_simple && needs_brackets(source, span) ? "(" + text + ")" : text};
  };
}

Edit::Rewrite replaces_argument(std::vector<std::string_view> functions, std::string keyword, std::size_t position,
                                std::string text) {
  return [functions = std::move(functions), keyword = std::move(keyword), position, text = std::move(text)](
             std::string_view source, std::size_t at) -> std::optional<TextChange> {
    const auto call = call_around(source, at, functions);
    const CallText::Argument* given = call ? call->find(keyword, position) : nullptr;
    if (given == nullptr) return std::nullopt;
    return TextChange{given->value.begin, given->value.end, text};
  };
}

Edit::Rewrite replaces_sign(std::string sign, std::string text) {
  return [sign = std::move(sign), text = std::move(text)](std::string_view source,
                                                          std::size_t at) -> std::optional<TextChange> {
    const TextSpan span = expression_around(source, at);
    const std::string_view expression = span.of(source);
    const std::size_t found = expression.find(sign);
    const bool is_only = found != std::string_view::npos &&
                         expression.find_first_of("<>", found + sign.size()) == std::string_view::npos;
    if (!is_only) return std::nullopt;
    if (sign.size() == 1 && found + 1 < expression.size() && expression[found + 1] == '=') return std::nullopt;
    return TextChange{span.begin + found, span.begin + found + sign.size(), text};
  };
}

bool is_named(const Value& value) { return !variable_of(value).empty(); }

std::string value_name(const Value& value) {
  const Op* op = value.defining_op();
  if (op != nullptr && !is_named(value) && only_spreads(*op)) return value_name(*op->operand(0));
  if (op != nullptr && ir::is_constant(*op)) {
    const std::string text = constant_text(*op);
    if (!text.empty()) return text;
  }
  const std::string name = variable_of(value);
  if (op == nullptr) return name.empty() ? "an argument" : "`" + name + "`";
  const std::string line = " of " + user_line(op->location());
  return name.empty() ? ir::shown_name(*op) + line : "`" + name + "`" + line;
}

int rank_of_values(const Value* in, const Value* out) {
  int rank = 0;
  if (in != nullptr) rank += !is_named(*in) ? 4 : in->uses().empty() ? -2 : 0;
  if (out != nullptr && out->uses().size() == 1) rank += 3;
  return rank;
}

std::string bare_name(const Value& value) {
  const std::string name = value_name(value);
  return is_named(value) ? name.substr(0, name.find(" of line")) : name;
}

Value* transposed(ir::Context& context, Op& at, Value* value, std::size_t a, std::size_t b) {
  std::vector<std::int64_t> order(value->type().shape().size()), shape = value->type().shape();
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<std::int64_t>(d);
  std::swap(order[a], order[b]);
  std::swap(shape[a], shape[b]);
  ir::Builder builder(context);
  builder.set_insertion_point_before(at);
  builder.set_location(at.location());
  return builder
      .create("tt.trans", {value}, {context.tensor(shape, value->type().element(), value->type().encoding())},
              {{"order", context.dense_array(context.integer(32), order)}})
      ->result();
}

Value* spread(ir::Context& context, Op& at, Value* value, ir::Type type, std::size_t axis) {
  ir::Builder builder(context);
  builder.set_insertion_point_before(at);
  builder.set_location(at.location());
  if (value->type() == type) return value;
  if (!value->type().is_tensor()) return builder.create("tt.splat", {value}, {type})->result();
  std::vector<std::int64_t> shape(type.shape().size(), 1);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d == axis) {
      shape[d] = type.shape()[d];
      continue;
    }
    std::vector<std::int64_t> wider = value->type().shape();
    wider.insert(wider.begin() + static_cast<std::ptrdiff_t>(std::min(d, wider.size())), 1);
    value = builder
                .create("tt.expand_dims", {value}, {context.tensor(wider, type.element())},
                        {{"axis", context.i32(static_cast<std::int64_t>(d))}})
                ->result();
  }
  return value->type() == type ? value : builder.create("tt.broadcast", {value}, {type})->result();
}

}  // namespace lockstep::sanitizer
