#include "ir/text/print_names.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/verify/row_rules.h"
#include "support/ascii.h"

namespace lockstep::ir {
namespace {

bool may_stand_in_name(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.' || c == '_' || c == '-'; }

std::string sanitised(std::string_view name) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  if (is_digit(name[0])) out += '_';
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (may_stand_in_name(c))
      out += c;
    else if (c == ' ')
      out += '_';
    else if (byte < 16)
      out += kDigits[byte];
    else
      (out += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return out;
}

/// "c64_i32", "true", "cst": the name of a constant's result.
std::string constant_name(const Op& op) {
  const Attribute value = op.attribute("value");
  if (!value.is_integer()) return "cst";
  const Type type = op.result()->type();
  if (type.is_integer(1)) return value->integer != 0 ? "true" : "false";
  return "c" + std::to_string(value->integer) + (type.is_integer() ? "_" + type.to_string() : "");
}

}  // namespace

ValueNames::ValueNames(const Op& root, bool use_locations, bool generic, bool as_written)
    : use_locations_(use_locations), generic_(generic), as_written_(as_written) {
  scopes_.emplace_back();
  name_op(root);
  std::vector<Context> waiting;
  for (const auto& region : root.regions()) waiting.push_back({region.get(), counters_, scopes_.size()});
  while (!waiting.empty()) {
    const Context next = waiting.back();
    waiting.pop_back();
    counters_ = next.counters;
    leave_scopes(next.scope);
    scopes_.emplace_back();
    name_region(*next.region);
    for (const auto& block : next.region->blocks()) {
      for (const auto& op : block->ops()) {
        for (const auto& region : op->regions()) waiting.push_back({region.get(), counters_, scopes_.size()});
      }
    }
  }
}

void ValueNames::leave_scopes(std::size_t keep) {
  while (scopes_.size() > keep) {
    for (const std::string& name : scopes_.back()) used_.erase(name);
    scopes_.pop_back();
  }
}

void ValueNames::name_region(const Region& region) {
  std::uint32_t number = 0;
  for (const auto& block : region.blocks()) {
    blocks_[block.get()] = number;
    name_block(*block, number == 0);
    ++number;
  }
}

void ValueNames::name_block(const Block& block, bool is_entry) {
  for (const auto& argument : block.arguments()) {
    if (as_written_ && !argument->name().empty()) {
      names_[argument.get()] = argument->name();
      continue;
    }
    const std::string plain = is_entry ? "arg" + std::to_string(counters_.argument++) : "";
    const std::string_view from_location = location_name(argument->location());
    set_name(*argument, from_location.empty() ? std::string_view(plain) : from_location);
  }
  for (const auto& op : block.ops()) name_op(*op);
}

/// The first NameLoc of a location, going through callees before callers; null if there is none.
const LocationNode* ValueNames::first_name(Location location) {
  if (location.is_unknown() || location->kind == LocationNode::Kind::name) return location.node();
  const auto known = first_names_.find(location.node());
  if (known != first_names_.end()) return known->second;
  const LocationNode* found = nullptr;
  for (const Location child : location->children) {
    found = first_name(child);
    if (found != nullptr) break;
  }
  first_names_[location.node()] = found;
  return found;
}

std::string_view ValueNames::location_name(Location location) {
  if (!use_locations_) return {};
  const LocationNode* node = first_name(location);
  return node == nullptr ? std::string_view() : std::string_view(node->text);
}

/// Results of one name form a group. False: they have none.
bool ValueNames::name_as_written(const Op& op) {
  std::vector<std::uint32_t> groups;
  std::string last;
  for (std::uint32_t i = 0; i < op.result_count(); ++i) {
    const std::string& name = op.result(i)->name();
    if (name.empty()) return false;
    const std::string base = name.substr(0, name.find('#'));
    if (base == last) continue;
    names_[op.result(i)] = last = base;
    groups.push_back(i);
  }
  if (groups.size() > 1) groups_[&op] = std::move(groups);
  return true;
}

void ValueNames::name_op(const Op& op) {
  if (op.result_count() == 0 || (as_written_ && name_as_written(op))) return;
  const std::string_view from_location = location_name(op.location());
  const auto pick = [from_location](std::string_view name) { return from_location.empty() ? name : from_location; };
  if (!generic_ && is_constant(op)) {
    set_name(*op.result(), pick(constant_name(op)));
  } else if (!generic_ && op.def().results.size() > 1 && specs_of_results(op).size() == op.result_count()) {
    // MLIR names the results of an op that may have several groups of them.
    std::vector<std::uint32_t>& groups = groups_[&op];
    const std::vector<std::size_t> specs = specs_of_results(op);
    for (std::uint32_t i = 0; i < specs.size(); ++i) {
      if (i != 0 && specs[i] == specs[i - 1]) continue;
      set_name(*op.result(i), pick(op.def().results[specs[i]].name));
      groups.push_back(i);
    }
  } else {
    set_name(*op.result(), from_location);
  }
}

void ValueNames::set_name(const Value& value, std::string_view name) {
  names_[&value] = name.empty() ? std::to_string(counters_.value++) : unique(name);
}

std::string ValueNames::unique(std::string_view name) {
  const std::string base = sanitised(name);
  std::string result = base;
  while (used_.contains(result)) result = base + "_" + std::to_string(counters_.conflict++);
  used_[result] = 1;
  scopes_.back().push_back(result);
  return result;
}

const Value* ValueNames::group_of(const Value& value, std::uint32_t& number, std::uint32_t& size) const {
  const Op& op = *value.defining_op();
  std::uint32_t begin = 0;
  auto end = static_cast<std::uint32_t>(op.result_count());
  const auto groups = groups_.find(&op);
  if (groups != groups_.end()) {
    const auto after = std::upper_bound(groups->second.begin(), groups->second.end(), value.index());
    begin = *std::prev(after);
    if (after != groups->second.end()) end = *after;
  }
  number = value.index() - begin;
  size = end - begin;
  return op.result(begin);
}

std::string ValueNames::value(const Value* value) const {
  if (value == nullptr) return "<null>";
  const Value* head = value;
  std::uint32_t number = 0;
  std::uint32_t size = 1;
  if (value->defining_op() != nullptr) head = group_of(*value, number, size);
  const auto found = names_.find(head);
  if (found == names_.end()) return value->name().empty() ? "<unknown>" : "%" + value->name();
  return "%" + found->second + (size > 1 ? "#" + std::to_string(number) : "");
}

std::string ValueNames::results(const Op& op) const {
  std::string out;
  for (std::uint32_t i = 0; i < op.result_count();) {
    std::uint32_t number = 0;
    std::uint32_t size = 1;
    const Value* head = group_of(*op.result(i), number, size);
    const auto found = names_.find(head);
    if (!out.empty()) out += ", ";
    out += "%" + (found == names_.end() ? head->name() : found->second);
    if (size > 1) out += ":" + std::to_string(size);
    i += size;
  }
  return out;
}

std::uint32_t ValueNames::block_number(const Block* block) const {
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? 0 : found->second;
}

std::string ValueNames::block(const Block* block) const {
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? "^<unknown>" : "^bb" + std::to_string(found->second);
}

}  // namespace lockstep::ir
