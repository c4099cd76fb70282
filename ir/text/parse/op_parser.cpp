#include "ir/text/parse/op_parser.h"

#include <algorithm>
#include <utility>

#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/text/nearest_name.h"

namespace lockstep::ir {
namespace {

bool starts_statement(const Token& token) {
  return token.is(Token::Kind::percent_id) || token.is(Token::Kind::bare_id) || token.is(Token::Kind::caret_id) ||
         token.is(Token::Kind::string) || token.is('}');
}

bool is_first_on_line(std::string_view text, std::uint32_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

}  // namespace

bool OpParser::parse_operand(OperandName& operand) {
  if (!token_.is(Token::Kind::percent_id) || token_.text.size() < 2) return error_here("a value");
  const Token name = take();
  operand = {name.text.substr(1), 0, {name.begin, name.end}};
  if (!token_.is(Token::Kind::hash_id)) return true;
  const Token number = token_;
  std::uint64_t value = 0;
  for (const char c : number.text.substr(1)) {
    if (c < '0' || c > '9') return error_here("the number of a result");
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (value > kMaxValuesPerOp) return error({number.begin, number.end}, "LS1008", "no op has so many results");
  }
  if (number.text.size() < 2) return error_here("the number of a result");
  advance();
  operand.number = static_cast<std::uint32_t>(value);
  operand.range.end = number.end;
  return true;
}

bool OpParser::parse_operands(std::vector<OperandName>& operands) {
  if (!token_.is(Token::Kind::percent_id)) return true;
  do {
    OperandName operand;
    if (!parse_operand(operand)) return false;
    operands.push_back(operand);
    if (operands.size() > kMaxValuesPerOp) return error(operand.range, "LS1008", "too many operands");
  } while (consume(','));
  return true;
}

bool OpParser::parse_result_names(std::vector<ResultName>& names) {
  if (!token_.is(Token::Kind::percent_id)) return true;
  do {
    if (!token_.is(Token::Kind::percent_id) || token_.text.size() < 2) return error_here("a value name");
    const Token name = take();
    ResultName result{name.text.substr(1), 1, {name.begin, name.end}};
    if (consume(':')) {
      const SourceRange range{token_.begin, token_.end};
      if (!parse_uint32(result.count)) return false;
      if (result.count == 0 || result.count > kMaxValuesPerOp) {
        return error(range, "LS1008", "the number of results must be between 1 and " + std::to_string(kMaxValuesPerOp));
      }
    }
    names.push_back(result);
  } while (consume(','));
  return expect('=');
}

void OpParser::poison(const std::vector<ResultName>& names) {
  for (const ResultName& name : names) {
    if (scopes_.find(name.name) == nullptr) scopes_.define(name.name, {{}, name.range});
  }
}

bool OpParser::define_results(Op& op, const std::vector<ResultName>& names) {
  std::size_t declared = 0;
  for (const ResultName& name : names) declared += name.count;
  if (declared != op.result_count() && (declared != 0 || op.result_count() != 0)) {
    return error(op.span().range, "LS1012",
                 "'" + std::string(op.spelling()) + "' has " + std::to_string(op.result_count()) + " results, but " +
                     std::to_string(declared) + " are named");
  }
  std::size_t next = 0;
  bool good = true;
  for (const ResultName& name : names) {
    if (const ValueScopes::Entry* old = scopes_.find(name.name); old != nullptr) {
      error_with_note(name.range, "LS1005", "'%" + std::string(name.name) + "' is already defined",
                      "its first definition", old->range);
      next += name.count;
      good = false;
      continue;
    }
    ValueScopes::Entry entry{{}, name.range};
    for (std::uint32_t i = 0; i < name.count; ++i) {
      Value* value = op.result(next++);
      value->set_name(std::string(name.name) + (name.count > 1 ? "#" + std::to_string(i) : ""));
      entry.values.push_back(value);
      const ValueScopes::Unresolved* use = scopes_.waiting(name.name, i);
      if (use != nullptr && !use->is_silent && use->placeholder->type() != value->type()) {
        good = error(use->range, "LS1004",
                     "'%" + value->name() + "' is used here as " + use->placeholder->type().to_string() +
                         ", but its definition gives " + value->type().to_string());
      }
      scopes_.settle(name.name, i, value);
    }
    scopes_.define(name.name, std::move(entry));
    all_names_.insert(name.name);
  }
  return good;
}

Value* OpParser::resolve(const OperandName& operand, Type type) {
  const std::string shown =
      "'%" + std::string(operand.name) + (operand.number != 0 ? "#" + std::to_string(operand.number) : "") + "'";
  const ValueScopes::Entry* entry = scopes_.find(operand.name);
  if (entry != nullptr && entry->values.empty())
    return scopes_.placeholder(operand.name, operand.number, type, operand.range, true);
  if (entry == nullptr) {
    Value* value = scopes_.placeholder(operand.name, operand.number, type, operand.range, false);
    if (value->type() == type) return value;
    error(operand.range, "LS1004",
          shown + " is used here as " + type.to_string() + ", but before as " + value->type().to_string());
    return nullptr;
  }
  if (operand.number >= entry->values.size()) {
    error_with_note(operand.range, "LS1012",
                    shown + " does not exist: there are " + std::to_string(entry->values.size()) + " results",
                    "defined here", entry->range);
    return nullptr;
  }
  Value* value = entry->values[operand.number];
  if (value->type() == type) return value;
  error_with_note(operand.range, "LS1004",
                  shown + " is used here as " + type.to_string() + ", but its type is " + value->type().to_string(),
                  "defined here", entry->range);
  return nullptr;
}

bool OpParser::add_operands(Op& op, const std::vector<OperandName>& operands, const std::vector<Type>& types) {
  if (operands.size() != types.size()) {
    return error(range_from(op.span().range.begin), "LS1014",
                 std::to_string(operands.size()) + " operands, but " + std::to_string(types.size()) + " types");
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value* value = resolve(operands[i], types[i]);
    if (value == nullptr) return false;
    op.add_operand(value);
  }
  return true;
}

bool OpParser::parse_argument(ArgumentName& argument, bool with_type) {
  if (!token_.is(Token::Kind::percent_id) || token_.text.size() < 2) return error_here("an argument name");
  const Token name = take();
  argument.name = name.text.substr(1);
  argument.range = {name.begin, name.end};
  argument.location = location_at(name.begin);
  if (!with_type) return true;
  if (!expect(':')) return false;
  argument.type = parse_type();
  return argument.type && parse_optional_location(argument.location, argument.has_location);
}

bool OpParser::define_arguments(Block& block, const std::vector<ArgumentName>& arguments) {
  bool good = true;
  for (const ArgumentName& argument : arguments) {
    Value* value = block.add_argument(argument.type, argument.location);
    value->set_name(std::string(argument.name));
    if (!argument.has_location) unlocated_arguments_.emplace_back(value, std::string(argument.name));
    if (const ValueScopes::Entry* old = scopes_.find(argument.name); old != nullptr) {
      error_with_note(argument.range, "LS1005", "'%" + std::string(argument.name) + "' is already defined",
                      "its first definition", old->range);
      good = false;
      continue;
    }
    const ValueScopes::Unresolved* use = scopes_.waiting(argument.name, 0);
    if (use != nullptr && !use->is_silent && use->placeholder->type() != value->type()) {
      good = error(use->range, "LS1004",
                   "'%" + value->name() + "' is used here as " + use->placeholder->type().to_string() +
                       ", but its type is " + value->type().to_string());
    }
    scopes_.settle(argument.name, 0, value);
    scopes_.define(argument.name, {{value}, argument.range});
    all_names_.insert(argument.name);
  }
  return good;
}

Block* OpParser::block_named(const Token& token) {
  BlockEntry& entry = (*blocks_)[token.text];
  if (entry.block == nullptr) {
    entry.pending = std::make_unique<Block>(region_);
    entry.block = entry.pending.get();
    entry.range = {token.begin, token.end};
  }
  return entry.block;
}

bool OpParser::parse_label(Region& region, Block*& block) {
  const Token label = take();
  BlockEntry& entry = (*blocks_)[label.text];
  if (entry.block != nullptr && entry.pending == nullptr) {
    error_with_note({label.begin, label.end}, "LS1010", "block " + std::string(label.text) + " is already defined",
                    "its first definition", entry.range);
    return false;
  }
  if (entry.pending == nullptr) entry.pending = std::make_unique<Block>(&region);
  entry.range = {label.begin, label.end};
  entry.block = entry.pending.get();
  region.blocks().push_back(std::move(entry.pending));
  block = entry.block;
  std::vector<ArgumentName> arguments;
  if (consume('(')) {
    do {
      if (!parse_argument(arguments.emplace_back(), true)) return false;
    } while (consume(','));
    if (!expect(')')) return false;
  }
  return expect(':') && define_arguments(*block, arguments);
}

bool OpParser::check_blocks(BlockMap& blocks) {
  bool good = true;
  for (auto& [name, entry] : blocks) {
    if (entry.pending == nullptr) continue;
    good = error(entry.range, "LS1010", "block " + std::string(name) + " does not exist in this region");
  }
  return good;
}

bool OpParser::parse_successor(Op& op) {
  if (!token_.is(Token::Kind::caret_id)) return error_here("a block");
  if (blocks_ == nullptr) return error_here("an op that is allowed outside of any region");
  Block* target = block_named(take());
  std::vector<OperandName> operands;
  std::vector<Type> types;
  const std::uint32_t begin = token_.begin;
  if (consume('(')) {
    if (!parse_operands(operands) || !expect(':') || !parse_type_list(types) || !expect(')')) return false;
  }
  if (operands.size() != types.size()) {
    return error(range_from(begin), "LS1014",
                 std::to_string(operands.size()) + " operands, but " + std::to_string(types.size()) + " types");
  }
  std::vector<Value*> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value* value = resolve(operands[i], types[i]);
    if (value == nullptr) return false;
    values.push_back(value);
  }
  op.add_successor(target, values);
  return true;
}

Block* OpParser::parse_target() {
  if (token_.is(Token::Kind::caret_id) && blocks_ != nullptr) return block_named(take());
  error_here("a block of this region");
  return nullptr;
}

bool OpParser::parse_region(Region& region, const std::vector<ArgumentName>& arguments) {
  const Nesting nesting(*this);
  if (!nesting.ok() || !expect('{')) return false;
  BlockMap blocks;
  BlockMap* const outer_blocks = std::exchange(blocks_, &blocks);
  Region* const outer_region = std::exchange(region_, &region);
  scopes_.push(region.is_isolated());
  bool good = true;
  Block* block = nullptr;
  if (!arguments.empty() || (!token_.is(Token::Kind::caret_id) && !token_.is('}'))) {
    block = &region.add_block();
    good = define_arguments(*block, arguments) && parse_ops_until_brace(*block);
  }
  while (token_.is(Token::Kind::caret_id) && !sink_.is_full()) {
    const std::uint32_t begin = token_.begin;
    if (!parse_label(region, block)) {
      good = false;
      recover(begin);
      if (region.empty()) region.add_block();
      block = region.blocks().back().get();
    }
    good = parse_ops_until_brace(*block) && good;
  }
  good = check_blocks(blocks) && good;
  const std::vector<std::string_view> names =
      region.is_isolated() ? scopes_.visible_names() : std::vector<std::string_view>();
  good = report_undefined(names) && good;
  blocks_ = outer_blocks;
  region_ = outer_region;
  // Inner errors are reported there; the op around is still whole.
  return consume('}') || (good && error_here("'}'"));
}

bool OpParser::report_undefined(const std::vector<std::string_view>& names) {
  bool good = true;
  for (const ValueScopes::Unresolved* use : scopes_.pop()) {
    if (sink_.is_full()) break;
    const std::string near = nearest_name(use->name, names);
    good = error(use->range, "LS1003", "'%" + std::string(use->name) + "' is not defined",
                 near.empty() ? "" : "did you mean '%" + near + "'?");
  }
  return good;
}

void OpParser::add_missing_yield(Region& region, Location location) {
  if (region.empty()) region.add_block();
  for (const auto& block : region.blocks()) {
    if (block->terminator() == nullptr) block->append(Op::create(context().ops().row("scf.yield"), location));
  }
}

void OpParser::name_unlocated_arguments() {
  if (!has_locations_) return;
  for (const auto& [value, name] : unlocated_arguments_) {
    const bool is_default = name.size() > 3 && name.starts_with("arg") &&
                            std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_default) continue;
    // The printer adds "_<number>" to a taken name, so the part before it is the variable's name.
    std::string base = name;
    const std::size_t mark = name.rfind('_');
    if (mark != std::string::npos && mark > 0 && mark + 1 < name.size() &&
        name.find_first_not_of("0123456789", mark + 1) == std::string::npos) {
      if (all_names_.contains(std::string_view(name).substr(0, mark))) base = name.substr(0, mark);
    }
    value->set_location(context().name_location(base));
  }
}

bool OpParser::parse_ops_until_brace(Block& block) {
  while (!token_.is('}') && !token_.is(Token::Kind::caret_id)) {
    if (token_.is(Token::Kind::end)) return error_here("'}'");
    if (sink_.is_full()) return false;
    const std::uint32_t begin = token_.begin;
    if (!parse_op(block)) recover(begin);
  }
  return true;
}

void OpParser::recover(std::uint32_t op_begin) {
  int open = 0;
  if (token_.begin == op_begin) advance();
  for (; !token_.is(Token::Kind::end); advance()) {
    if (open == 0 && starts_statement(token_) && is_first_on_line(file_->text(), token_.begin)) return;
    if (token_.is('(') || token_.is('{') || token_.is('[')) ++open;
    if (token_.is(')') || token_.is('}') || token_.is(']')) --open;
    if (open < 0) {
      if (token_.is('}')) return;
      open = 0;
    }
  }
}

}  // namespace lockstep::ir
