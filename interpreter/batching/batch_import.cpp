#include "interpreter/batching/batch_import.h"

#include <utility>
#include <variant>

#include "ir/layouts/encoding.h"

namespace lockstep::interpreter {

using Kind = ir::AttributeNode::Kind;

ir::Type Importer::type(ir::Type from) {
  const ir::TypeNode* node = from.node();
  if (node == nullptr) return {};
  const auto all = [&](const std::vector<ir::Type>& types) {
    std::vector<ir::Type> made;
    for (const ir::Type inner : types) made.push_back(type(inner));
    return made;
  };
  switch (node->kind) {
    case ir::TypeNode::Kind::none: return context_.none();
    case ir::TypeNode::Kind::index: return context_.index();
    case ir::TypeNode::Kind::integer: return context_.integer(node->width);
    case ir::TypeNode::Kind::floating: return context_.floating(node->scalar);
    case ir::TypeNode::Kind::pointer: return context_.pointer(type(node->inner), node->width);
    case ir::TypeNode::Kind::tensor:
      return context_.tensor(node->shape, type(node->inner), attribute(from.encoding()));
    case ir::TypeNode::Kind::descriptor:
      return context_.descriptor(type(node->inner), from.signedness(), (node->width & ir::TypeNode::kShort) != 0);
    case ir::TypeNode::Kind::memdesc:
      return context_.memdesc(type(node->inner), attribute(from.memory_space()), from.is_mutable(), node->shape);
    case ir::TypeNode::Kind::function: return context_.function(all(node->inputs), all(node->results));
    case ir::TypeNode::Kind::opaque: return context_.opaque(attribute(ir::Attribute(node->attribute)));
  }
  return {};
}

ir::Attribute Importer::attribute(ir::Attribute from) {
  if (!from) return {};
  const ir::AttributeNode& node = *from.node();
  switch (node.kind) {
    case Kind::unit: return context_.unit();
    case Kind::boolean: return context_.boolean(node.integer != 0);
    case Kind::integer: return context_.integer_attribute(type(node.type), node.integer);
    case Kind::floating: return context_.float_attribute(type(node.type), node.float_bits);
    case Kind::string: return context_.string(node.text);
    case Kind::type: return context_.type_attribute(type(node.type));
    case Kind::symbol: return context_.symbol(node.text);
    case Kind::dense_array: return context_.dense_array(type(node.type), node.values);
    case Kind::dense: return context_.dense(type(node.type), node.data, node.is_splat);
    case Kind::location: return context_.location_attribute(node.location);
    case Kind::encoding: return context_.encoding_attribute(encoding(node.encoding));
    case Kind::opaque: return context_.opaque_attribute(node.text, all_of(node.elements));
    case Kind::array:
    case Kind::dictionary: return nested(node);
  }
  return {};
}

const ir::Encoding* Importer::encoding(const ir::Encoding* from) {
  ir::EncodingParameters made = from->parameters();
  if (auto* slice = std::get_if<ir::SliceEncoding>(&made)) slice->parent = encoding(slice->parent);
  if (auto* operand = std::get_if<ir::DotOperandEncoding>(&made)) operand->parent = encoding(operand->parent);
  return context_.encodings().get(std::move(made));
}

std::vector<ir::Attribute> Importer::all_of(const std::vector<ir::Attribute>& from) {
  std::vector<ir::Attribute> made;
  for (const ir::Attribute element : from) made.push_back(attribute(element));
  return made;
}

ir::Attribute Importer::nested(const ir::AttributeNode& from) {
  if (from.kind == Kind::array) {
    return context_.array(all_of(from.elements));
  }
  std::vector<ir::NamedAttribute> entries;
  for (const ir::NamedAttribute& entry : from.entries) entries.push_back({entry.name, attribute(entry.value)});
  return context_.dictionary(std::move(entries));
}

std::vector<ir::NamedAttribute> Importer::attributes(const ir::Op& op) {
  std::vector<ir::NamedAttribute> made;
  for (const ir::NamedAttribute& entry : op.attributes()) made.push_back({entry.name, attribute(entry.value)});
  return made;
}

}  // namespace lockstep::interpreter
