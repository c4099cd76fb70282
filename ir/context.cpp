#include "ir/context.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ir/layouts/encoding.h"
#include "ir/op_registry.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

/// A hash of a node's fields; handles go in by address.
class FieldHash {
 public:
  template <typename Kind>
  explicit FieldHash(Kind kind) : value_(static_cast<std::uint64_t>(kind) + 1) {}
  FieldHash& number(std::uint64_t value) {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
    value_ = (value_ ^ value) * kGolden;
    value_ ^= value_ >> 32;
    return *this;
  }
  FieldHash& pointer(const void* value) { return number(reinterpret_cast<std::uintptr_t>(value)); }
  FieldHash& text(std::string_view value) { return number(std::hash<std::string_view>()(value)); }
  FieldHash& numbers(const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) number(static_cast<std::uint64_t>(value));
    return *this;
  }
  template <typename Handle>
  FieldHash& handles(const std::vector<Handle>& values) {
    for (const Handle& value : values) pointer(value.node());
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

std::uint64_t hash_of(const TypeNode& node) {
  FieldHash hash(node.kind);
  hash.number(node.width).number(static_cast<std::uint64_t>(node.scalar)).pointer(node.inner.node());
  hash.pointer(node.attribute);
  return hash.numbers(node.shape).handles(node.inputs).handles(node.results).value();
}

std::uint64_t hash_of(const AttributeNode& node) {
  FieldHash hash(node.kind);
  hash.pointer(node.type.node()).number(static_cast<std::uint64_t>(node.integer)).number(node.float_bits);
  hash.text(node.text).handles(node.elements).numbers(node.values).number(node.is_splat);
  hash.text({reinterpret_cast<const char*>(node.data.data()), node.data.size()});
  for (const NamedAttribute& entry : node.entries) hash.text(entry.name).pointer(entry.value.node());
  return hash.pointer(node.location.node()).pointer(node.encoding).value();
}

std::uint64_t hash_of(const LocationNode& node) {
  FieldHash hash(node.kind);
  hash.text(node.text).number(std::uint64_t{node.line} << 32 | node.column);
  return hash.number(std::uint64_t{node.end_line} << 32 | node.end_column).handles(node.children).value();
}

bool is_same(const TypeNode& a, const TypeNode& b) {
  return a.kind == b.kind && a.width == b.width && a.scalar == b.scalar && a.inner == b.inner && a.shape == b.shape &&
         a.attribute == b.attribute && a.inputs == b.inputs && a.results == b.results;
}

bool is_same(const AttributeNode& a, const AttributeNode& b) {
  return a.kind == b.kind && a.type == b.type && a.integer == b.integer && a.float_bits == b.float_bits &&
         a.text == b.text && a.elements == b.elements && a.values == b.values && a.is_splat == b.is_splat &&
         a.data == b.data && a.entries == b.entries && a.location == b.location &&
         a.encoding == b.encoding;
}

bool is_same(const LocationNode& a, const LocationNode& b) {
  return a.kind == b.kind && a.text == b.text && a.line == b.line && a.column == b.column && a.end_line == b.end_line &&
         a.end_column == b.end_column && a.children == b.children;
}

/// Nodes by the hash of their fields; they never move.
template <typename Node>
using Table = std::unordered_multimap<std::uint64_t, Node>;

template <typename Handle, typename Node>
Handle intern(Table<Node>& table, Node node) {
  const std::uint64_t hash = hash_of(node);
  const auto [begin, end] = table.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (is_same(it->second, node)) return Handle(&it->second);
  }
  return Handle(&table.emplace(hash, std::move(node))->second);
}

}  // namespace

struct Context::Impl {
  Context* context = nullptr;
  Table<TypeNode> types;
  Table<AttributeNode> attributes;
  Table<LocationNode> locations;
  EncodingTable encodings;
  // What is asked for again and again, found without making a node.
  std::array<Type, 129> integers;
  bool has_encodings = false;
  std::unordered_map<std::string, std::unordered_map<std::uint64_t, Location>> positions;  // by path; line and column

  Type add(TypeNode node) {
    node.context = context;
    return intern<Type>(types, std::move(node));
  }
  Attribute add(AttributeNode node) { return intern<Attribute>(attributes, std::move(node)); }
  Location add(LocationNode node) { return intern<Location>(locations, std::move(node)); }
};

namespace {

TypeNode type_node(TypeNode::Kind kind) {
  TypeNode node;
  node.kind = kind;
  return node;
}

AttributeNode attribute_node(AttributeNode::Kind kind, Type type = {}) {
  AttributeNode node;
  node.kind = kind;
  node.type = type;
  return node;
}

LocationNode location_node(LocationNode::Kind kind, std::string text = "") {
  LocationNode node;
  node.kind = kind;
  node.text = std::move(text);
  return node;
}

std::int64_t sign_extend(std::int64_t value, std::uint32_t width) {
  if (width >= 64) return value;
  const auto shift = 64 - width;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

}  // namespace

Context::Context(const OpRegistry& ops) : ops_(ops), impl_(std::make_unique<Impl>()) { impl_->context = this; }
Context::~Context() = default;

EncodingTable& Context::encodings() { return impl_->encodings; }

Type Context::none() { return impl_->add(type_node(TypeNode::Kind::none)); }
Type Context::index() { return impl_->add(type_node(TypeNode::Kind::index)); }

Type Context::integer(std::uint32_t width) {
  LOCKSTEP_CHECK(width >= 1 && width <= 128, "integer width out of range");
  Type& known = impl_->integers[width];
  if (known) return known;
  TypeNode node = type_node(TypeNode::Kind::integer);
  node.width = width;
  return known = impl_->add(std::move(node));
}

Type Context::floating(ScalarKind kind) {
  LOCKSTEP_CHECK(is_float(kind), "not a float kind");
  TypeNode node = type_node(TypeNode::Kind::floating);
  node.scalar = kind;
  return impl_->add(std::move(node));
}

Type Context::scalar(ScalarKind kind) {
  return is_float(kind) ? floating(kind) : integer(static_cast<std::uint32_t>(bit_width(kind)));
}

Type Context::pointer(Type pointee, std::uint32_t address_space) {
  TypeNode node = type_node(TypeNode::Kind::pointer);
  node.inner = pointee;
  node.width = address_space;
  return impl_->add(std::move(node));
}

Type Context::tensor(std::vector<std::int64_t> shape, Type element, Attribute encoding) {
  TypeNode node = type_node(TypeNode::Kind::tensor);
  node.shape = std::move(shape);
  node.inner = element;
  node.attribute = encoding.node();
  impl_->has_encodings |= static_cast<bool>(encoding);
  return impl_->add(std::move(node));
}

Type Context::descriptor(Type block, Signedness sign, bool is_short) {
  TypeNode node = type_node(TypeNode::Kind::descriptor);
  node.inner = block;
  if (block.is_tensor() && block.element().is_integer()) node.width = static_cast<std::uint32_t>(sign);
  if (is_short) node.width |= TypeNode::kShort;
  return impl_->add(std::move(node));
}

Type Context::function(std::vector<Type> inputs, std::vector<Type> results) {
  TypeNode node = type_node(TypeNode::Kind::function);
  node.inputs = std::move(inputs);
  node.results = std::move(results);
  return impl_->add(std::move(node));
}

Type Context::opaque(Attribute text) {
  LOCKSTEP_CHECK(text.is_opaque(), "the text of an opaque type is an opaque attribute");
  TypeNode node = type_node(TypeNode::Kind::opaque);
  node.attribute = text.node();
  return impl_->add(std::move(node));
}

Type Context::memdesc(Type view, Attribute memory_space, bool is_mutable, std::vector<std::int64_t> buffer_shape) {
  LOCKSTEP_CHECK(view.is_tensor() && memory_space, "a memdesc shows a tensor in a memory space");
  TypeNode node = type_node(TypeNode::Kind::memdesc);
  node.inner = view;
  node.attribute = memory_space.node();
  node.width = is_mutable ? 1 : 0;
  node.shape = std::move(buffer_shape);
  impl_->has_encodings = true;
  return impl_->add(std::move(node));
}

Type Context::token() { return opaque(opaque_attribute("!ttg.async.token")); }

Attribute Context::unit() { return impl_->add(attribute_node(AttributeNode::Kind::unit)); }

Attribute Context::boolean(bool value) {
  AttributeNode node = attribute_node(AttributeNode::Kind::boolean, integer(1));
  node.integer = value;
  return impl_->add(std::move(node));
}

Attribute Context::integer_attribute(Type type, std::int64_t value) {
  if (type.is_integer(1)) return boolean((value & 1) != 0);
  AttributeNode node = attribute_node(AttributeNode::Kind::integer, type);
  node.integer = type.is_integer() ? sign_extend(value, type.integer_width()) : value;
  return impl_->add(std::move(node));
}

Attribute Context::i32(std::int64_t value) { return integer_attribute(integer(32), value); }

Attribute Context::float_attribute(Type type, std::uint64_t bits) {
  AttributeNode node = attribute_node(AttributeNode::Kind::floating, type);
  node.float_bits = bits;
  return impl_->add(std::move(node));
}

Attribute Context::string(std::string text) {
  AttributeNode node = attribute_node(AttributeNode::Kind::string);
  node.text = std::move(text);
  return impl_->add(std::move(node));
}

Attribute Context::type_attribute(Type type) { return impl_->add(attribute_node(AttributeNode::Kind::type, type)); }

Attribute Context::symbol(std::string name) {
  AttributeNode node = attribute_node(AttributeNode::Kind::symbol);
  node.text = std::move(name);
  return impl_->add(std::move(node));
}

Attribute Context::array(std::vector<Attribute> elements) {
  AttributeNode node = attribute_node(AttributeNode::Kind::array);
  node.elements = std::move(elements);
  return impl_->add(std::move(node));
}

Attribute Context::dense_array(Type element, std::vector<std::int64_t> values) {
  AttributeNode node = attribute_node(AttributeNode::Kind::dense_array, element);
  node.values = std::move(values);
  return impl_->add(std::move(node));
}

Attribute Context::dense(Type tensor_type, std::vector<std::byte> data, bool is_splat) {
  AttributeNode node = attribute_node(AttributeNode::Kind::dense, tensor_type);
  node.data = std::move(data);
  node.is_splat = is_splat;
  return impl_->add(std::move(node));
}

Attribute Context::dictionary(std::vector<NamedAttribute> entries) {
  AttributeNode node = attribute_node(AttributeNode::Kind::dictionary);
  node.entries = std::move(entries);
  return impl_->add(std::move(node));
}

Attribute Context::location_attribute(Location location) {
  AttributeNode node = attribute_node(AttributeNode::Kind::location);
  node.location = location;
  return impl_->add(std::move(node));
}

Attribute Context::encoding_attribute(const Encoding* encoding) {
  AttributeNode node = attribute_node(AttributeNode::Kind::encoding);
  node.encoding = encoding;
  return impl_->add(std::move(node));
}

bool Context::has_encodings() const { return impl_->has_encodings; }

Attribute Context::opaque_attribute(std::string text, std::vector<Attribute> elements) {
  AttributeNode node = attribute_node(AttributeNode::Kind::opaque);
  node.text = std::move(text);
  node.elements = std::move(elements);
  return impl_->add(std::move(node));
}

Location Context::file_location(std::string path, std::uint32_t line, std::uint32_t column) {
  Location& known = impl_->positions[path][std::uint64_t{line} << 32 | column];
  if (known.is_unknown()) known = file_range(std::move(path), line, column, 0, 0);
  return known;
}

Location Context::file_range(std::string path, std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                             std::uint32_t end_column) {
  LocationNode node = location_node(LocationNode::Kind::file, std::move(path));
  node.line = line;
  node.column = column;
  node.end_line = end_line;
  node.end_column = end_column;
  return impl_->add(std::move(node));
}

Location Context::name_location(std::string name, Location child) {
  LocationNode node = location_node(LocationNode::Kind::name, std::move(name));
  if (!child.is_unknown()) node.children.push_back(child);
  return impl_->add(std::move(node));
}

Location Context::call_site(Location callee, Location caller) {
  LocationNode node = location_node(LocationNode::Kind::call_site);
  node.children = {callee, caller};
  return impl_->add(std::move(node));
}

Location Context::fused(std::vector<Location> parts) {
  LocationNode node = location_node(LocationNode::Kind::fused);
  node.children = std::move(parts);
  return impl_->add(std::move(node));
}

}  // namespace lockstep::ir
