#include "ir/text/print_aliases.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "ir/layouts/encoding.h"
#include "ir/layouts/encoding_printer.h"

namespace lockstep::ir {
namespace {

/// What Triton's dialects call an attribute that is no encoding; "" for one that is always spelt out.
std::string_view alias_base(const AttributeNode& attribute) {
  const bool is_space = attribute.kind == AttributeNode::Kind::opaque && attribute.text == "#ttg.shared_memory";
  return is_space ? "smem" : "";
}

/// All names but that of what a line defines.
class OtherNames final : public AliasNames {
 public:
  OtherNames(const AliasNames& names, const Encoding* encoding, const AttributeNode* attribute)
      : names_(names), encoding_(encoding), attribute_(attribute) {}
  std::string_view name_of(const Encoding* encoding) const override {
    return encoding == encoding_ ? std::string_view() : names_.name_of(encoding);
  }
  std::string_view name_of(const AttributeNode* attribute) const override {
    return attribute == attribute_ ? std::string_view() : names_.name_of(attribute);
  }

 private:
  const AliasNames& names_;
  const Encoding* encoding_;
  const AttributeNode* attribute_;
};

}  // namespace

void AttributeAliases::visit(Type type) { depth_of(type); }
void AttributeAliases::visit(Attribute attribute) { depth_of(attribute); }

std::size_t AttributeAliases::depth_of(Type type) {
  const TypeNode* node = type.node();
  if (node == nullptr) return 0;
  const auto known = depths_.find(node);
  if (known != depths_.end()) return known->second;
  std::size_t deepest = std::max(depth_of(node->inner), depth_of(Attribute(node->attribute)));
  for (const Type input : node->inputs) deepest = std::max(deepest, depth_of(input));
  for (const Type result : node->results) deepest = std::max(deepest, depth_of(result));
  return depths_[node] = deepest;
}

std::size_t AttributeAliases::depth_of(Attribute attribute) {
  const AttributeNode* node = attribute.node();
  if (node == nullptr) return 0;
  if (node->encoding != nullptr) return depth_of(*node->encoding);
  const auto known = depths_.find(node);
  if (known != depths_.end()) return known->second;
  // Its place among the names is that of its first use, before what it is made of.
  const std::string_view base = alias_base(*node);
  const std::size_t index = entries_.size();
  if (!base.empty()) entries_.push_back({nullptr, node, base, 1});
  std::size_t deepest = depth_of(node->type);
  for (const Attribute element : node->elements) deepest = std::max(deepest, depth_of(element));
  for (const NamedAttribute& entry : node->entries) deepest = std::max(deepest, depth_of(entry.value));
  if (!base.empty()) entries_[index].depth = ++deepest;
  return depths_[node] = deepest;
}

std::size_t AttributeAliases::depth_of(const Encoding& encoding) {
  const auto known = depths_.find(&encoding);
  if (known != depths_.end()) return known->second;
  const std::string_view base = alias_stem(encoding);
  const std::size_t index = entries_.size();
  if (!base.empty()) entries_.push_back({&encoding, nullptr, base, 1});
  std::size_t deepest = 0;
  if (const auto* slice = encoding.as<SliceEncoding>()) deepest = depth_of(*slice->parent);
  if (const auto* operand = encoding.as<DotOperandEncoding>()) deepest = depth_of(*operand->parent);
  if (!base.empty()) entries_[index].depth = ++deepest;
  return depths_[&encoding] = deepest;
}

void AttributeAliases::finish() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.depth, a.base) < std::pair(b.depth, b.base);
  });
  std::unordered_map<std::string_view, std::size_t> count;
  for (const Entry& entry : entries_) {
    const std::size_t number = count[entry.base]++;
    names_[entry.key()] = "#" + std::string(entry.base) + (number == 0 ? "" : std::to_string(number));
  }
}

std::string_view AttributeAliases::name_at(const void* key) const {
  const auto found = names_.find(key);
  return found == names_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view AttributeAliases::name_of(const Encoding* encoding) const { return name_at(encoding); }
std::string_view AttributeAliases::name_of(const AttributeNode* attribute) const { return name_at(attribute); }

std::vector<AliasLine> AttributeAliases::definitions() const {
  std::vector<AliasLine> lines;
  for (const Entry& entry : entries_) {
    const OtherNames others(*this, entry.encoding, entry.attribute);
    const auto name = [&others](const Encoding& encoding) { return std::string(others.name_of(&encoding)); };
    const std::string text = entry.encoding != nullptr ? print_encoding(*entry.encoding, name)
                                                       : spell_attribute(Attribute(entry.attribute), &others);
    lines.push_back({entry.depth, entry.base, names_.at(entry.key()) + " = " + text + "\n"});
  }
  return lines;
}

std::string alias_definitions(std::vector<AliasLine> attributes, std::vector<AliasLine> locations) {
  std::move(locations.begin(), locations.end(), std::back_inserter(attributes));
  std::stable_sort(attributes.begin(), attributes.end(), [](const AliasLine& a, const AliasLine& b) {
    return std::pair(a.depth, a.base) < std::pair(b.depth, b.base);
  });
  std::string out;
  for (const AliasLine& line : attributes) out += line.text;
  return out;
}

}  // namespace lockstep::ir
