#include "ir/context.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>

#include "support/check.h"

namespace lockstep::ir {
namespace {

/// Serialises the fields of a node into a byte string, which is the interning key. Handles go in by address.
class Key {
 public:
  template <typename Kind>
  explicit Key(Kind kind) {
    text_.push_back(static_cast<char>(kind));
  }
  Key& number(std::int64_t value) { return raw(&value, sizeof value); }
  Key& pointer(const void* value) { return raw(&value, sizeof value); }
  Key& text(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    text_.append(value);
    return *this;
  }
  Key& raw(const void* data, std::size_t size) {
    text_.append(static_cast<const char*>(data), size);
    return *this;
  }
  template <typename Handle>
  Key& handles(const std::vector<Handle>& values) {
    number(static_cast<std::int64_t>(values.size()));
    for (const Handle& value : values) pointer(value.node());
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

template <typename Node>
using Table = std::unordered_map<std::string, std::unique_ptr<Node>>;

template <typename Handle, typename Node>
Handle intern(Table<Node>& table, Key key, Node node) {
  auto [place, is_new] = table.try_emplace(key.take());
  if (is_new) place->second = std::make_unique<Node>(std::move(node));
  return Handle(place->second.get());
}

Key type_key(const TypeNode& node) {
  Key key(node.kind);
  key.number(node.width).number(static_cast<std::int64_t>(node.scalar)).pointer(node.inner.node()).text(node.text);
  key.number(static_cast<std::int64_t>(node.shape.size()));
  for (const std::int64_t extent : node.shape) key.number(extent);
  key.handles(node.inputs).handles(node.results);
  return key;
}

Key attribute_key(const AttributeNode& node) {
  Key key(node.kind);
  key.pointer(node.type.node()).number(node.integer).number(static_cast<std::int64_t>(node.float_bits)).text(node.text);
  key.handles(node.elements).number(static_cast<std::int64_t>(node.values.size()));
  for (const std::int64_t value : node.values) key.number(value);
  key.number(node.is_splat).number(static_cast<std::int64_t>(node.data.size())).raw(node.data.data(), node.data.size());
  for (const NamedAttribute& entry : node.entries) key.text(entry.name).pointer(entry.value.node());
  key.pointer(node.location.node());
  return key;
}

Key location_key(const LocationNode& node) {
  Key key(node.kind);
  key.text(node.text).number(node.line).number(node.column).number(node.end_line).number(node.end_column);
  key.handles(node.children);
  return key;
}

}  // namespace

struct Context::Impl {
  Table<TypeNode> types;
  Table<AttributeNode> attributes;
  Table<LocationNode> locations;
  // What is asked for again and again, found without making a key.
  std::array<Type, 129> integers;
  std::unordered_map<std::string, std::unordered_map<std::uint64_t, Location>> positions;  // by path; line and column

  Type add(TypeNode node) {
    Key key = type_key(node);
    return intern<Type>(types, std::move(key), std::move(node));
  }
  Attribute add(AttributeNode node) {
    Key key = attribute_key(node);
    return intern<Attribute>(attributes, std::move(key), std::move(node));
  }
  Location add(LocationNode node) {
    Key key = location_key(node);
    return intern<Location>(locations, std::move(key), std::move(node));
  }
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

Context::Context() : impl_(std::make_unique<Impl>()) {}
Context::~Context() = default;

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

Type Context::tensor(std::vector<std::int64_t> shape, Type element, std::string encoding) {
  TypeNode node = type_node(TypeNode::Kind::tensor);
  node.shape = std::move(shape);
  node.inner = element;
  node.text = std::move(encoding);
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

Type Context::opaque(std::string text) {
  TypeNode node = type_node(TypeNode::Kind::opaque);
  node.text = std::move(text);
  return impl_->add(std::move(node));
}

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

Attribute Context::opaque_attribute(std::string text) {
  AttributeNode node = attribute_node(AttributeNode::Kind::opaque);
  node.text = std::move(text);
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
