#include <algorithm>
#include <cstring>

#include "ir/layouts/encoding_printer.h"
#include "ir/text/alias_names.h"
#include "ir/text/float_text.h"
#include "ir/text/print_locations.h"
#include "ir/text/printer.h"

namespace lockstep::ir {
namespace {

constexpr std::int64_t kLongestList = 100;  // longer dense attributes are printed as bytes

bool is_bare_name(std::string_view name) {
  if (name.empty() || name[0] == '.' || name[0] == '$' || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '.';
  });
}

/// How attributes inside another one are spelt.
using Names = const AliasNames*;

std::string text_of(Attribute attribute, bool may_elide_type, Names names);

std::string element_text(Type element, std::uint64_t bits) {
  if (element.is_float()) return print_float(*element.scalar_kind(), bits);
  if (element.is_integer(1)) return (bits & 1) != 0 ? "true" : "false";
  const std::uint32_t width = element.is_integer() ? element.integer_width() : 64;
  const unsigned shift = width < 64 ? 64 - width : 0;
  return std::to_string(static_cast<std::int64_t>(bits << shift) >> shift);
}

std::uint64_t element_bits(const AttributeNode& node, std::size_t index) {
  const auto size = static_cast<std::size_t>(size_bytes(*node.type.element().scalar_kind()));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    bits |= std::uint64_t{std::to_integer<std::uint8_t>(node.data[index * size + i])} << (8 * i);
  }
  return bits;
}

std::string nested_list(const AttributeNode& node, std::size_t axis, std::size_t& next) {
  const std::vector<std::int64_t>& shape = node.type.shape();
  if (axis == shape.size()) return element_text(node.type.element(), element_bits(node, next++));
  std::string out = "[";
  for (std::int64_t i = 0; i < shape[axis]; ++i) out += (i == 0 ? "" : ", ") + nested_list(node, axis + 1, next);
  return out + "]";
}

std::string hex_of(const AttributeNode& node) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::vector<std::byte> data = node.data;
  if (node.type.element().is_integer(1)) {  // MLIR packs booleans into bits
    std::vector<std::byte> packed((data.size() + 7) / 8);
    for (std::size_t i = 0; i < data.size(); ++i) packed[i / 8] |= data[i] << (i % 8);
    data = std::move(packed);
  }
  std::string out = "\"0x";
  for (const std::byte byte : data) {
    out += kDigits[std::to_integer<unsigned>(byte) >> 4];
    out += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return out + "\"";
}

std::string dense_text(const AttributeNode& node, Names names) {
  std::string body;
  std::size_t next = 0;
  if (node.is_splat && !node.data.empty())
    body = element_text(node.type.element(), element_bits(node, 0));
  else if (node.data.empty())
    body = "";
  else if (node.type.element_count() > kLongestList)
    body = hex_of(node);
  else
    body = nested_list(node, 0, next);
  return "dense<" + body + "> : " + node.type.to_string(names);
}

std::string dense_array_text(const AttributeNode& node) {
  std::string out = "array<" + node.type.to_string();
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    out += i == 0 ? ": " : ", ";
    out += element_text(node.type, static_cast<std::uint64_t>(node.values[i]));
  }
  return out + ">";
}

std::string number_text(const AttributeNode& node, bool may_elide_type) {
  const bool is_float = node.kind == AttributeNode::Kind::floating;
  const std::string value =
      is_float ? print_float(*node.type.scalar_kind(), node.float_bits) : std::to_string(node.integer);
  const bool is_usual = is_float ? *node.type.scalar_kind() == ScalarKind::f64 : node.type.is_integer(64);
  return may_elide_type && is_usual ? value : value + " : " + node.type.to_string();
}

bool by_name(const NamedAttribute& a, const NamedAttribute& b) { return a.name < b.name; }

std::string dictionary_text(std::vector<NamedAttribute> entries, Names names) {
  std::sort(entries.begin(), entries.end(), by_name);
  std::string out = "{";
  for (const NamedAttribute& entry : entries) {
    if (out.size() > 1) out += ", ";
    out += is_bare_name(entry.name) ? entry.name : quote(entry.name);
    if (!entry.value || entry.value->kind == AttributeNode::Kind::unit) continue;
    out += " = " + text_of(entry.value, false, names);
  }
  return out + "}";
}

std::string symbol_text(std::string_view name) { return "@" + (is_bare_name(name) ? std::string(name) : quote(name)); }

std::string array_text(const AttributeNode& node, Names names) {
  std::string out = "[";
  for (std::size_t i = 0; i < node.elements.size(); ++i)
    out += (i == 0 ? "" : ", ") + text_of(node.elements[i], true, names);
  return out + "]";
}

/// The text as written, with its elements in their places.
std::string opaque_text(const AttributeNode& node, Names names) {
  if (node.elements.empty()) return node.text;
  std::string out;
  std::size_t next = 0;
  for (const char c : node.text) {
    if (c == AttributeNode::kHole && next < node.elements.size())
      out += text_of(node.elements[next++], true, names);
    else
      out += c;
  }
  return out;
}

std::string encoding_text(const Encoding& encoding, Names names) {
  const auto name_of = [names](const Encoding& one) {
    return names == nullptr ? std::string() : std::string(names->name_of(&one));
  };
  const std::string name = name_of(encoding);
  return name.empty() ? print_encoding(encoding, name_of) : name;
}

std::string text_of(Attribute attribute, bool may_elide_type, Names names) {
  if (!attribute) return "<<null>>";
  if (names != nullptr) {
    if (const std::string_view name = names->name_of(attribute.node()); !name.empty()) return std::string(name);
  }
  const AttributeNode& node = *attribute.node();
  switch (node.kind) {
    case AttributeNode::Kind::unit: return "unit";
    case AttributeNode::Kind::boolean: return node.integer != 0 ? "true" : "false";
    case AttributeNode::Kind::integer:
    case AttributeNode::Kind::floating: return number_text(node, may_elide_type);
    case AttributeNode::Kind::string: return quote(node.text);
    case AttributeNode::Kind::type: return node.type.to_string(names);
    case AttributeNode::Kind::symbol: return symbol_text(node.text);
    case AttributeNode::Kind::array: return array_text(node, names);
    case AttributeNode::Kind::dense_array: return dense_array_text(node);
    case AttributeNode::Kind::dense: return dense_text(node, names);
    case AttributeNode::Kind::dictionary: return dictionary_text(node.entries, names);
    case AttributeNode::Kind::location: return "loc(" + LocationAliases().inner(node.location) + ")";
    case AttributeNode::Kind::encoding: return encoding_text(*node.encoding, names);
    case AttributeNode::Kind::opaque: return opaque_text(node, names);
  }
  return "";
}

}  // namespace

std::string print_attribute(Attribute attribute) { return text_of(attribute, false, nullptr); }
std::string spell_attribute(Attribute attribute, const AliasNames* names) { return text_of(attribute, false, names); }

void OpPrinter::print_attribute_value(Attribute attribute) {
  if (collecting_) names_of_attributes_.visit(attribute);
  out_ += text_of(attribute, false, &names_of_attributes_);
}

void OpPrinter::print_dictionary(std::vector<NamedAttribute> entries) {
  if (collecting_) {
    std::sort(entries.begin(), entries.end(), by_name);
    for (const NamedAttribute& entry : entries) names_of_attributes_.visit(entry.value);
  }
  out_ += dictionary_text(std::move(entries), &names_of_attributes_);
}
void OpPrinter::print_symbol(std::string_view name) { out_ += symbol_text(name); }

}  // namespace lockstep::ir
