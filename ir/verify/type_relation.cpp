#include "ir/verify/type_relation.h"

#include <array>
#include <mutex>

#include "ir/opcode.h"
#include "ir/text/assembly_form.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

using Function = RelationTerm::Function;

constexpr std::string_view kToken = "async_token";

/// "i32" -> 32; 0: another word.
std::uint32_t integer_width(std::string_view text) {
  if (text.size() < 2 || text.size() > 4 || text[0] != 'i') return 0;
  std::uint32_t width = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') return 0;
    width = width * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return width;
}

/// What a descriptor or memory descriptor shows; null of other types.
Type shown_block(Type type) { return type.is_descriptor() || type.is_memdesc() ? type.pointee() : Type(); }

RelationTerm named_term(const OpDef& def, Function function, std::string_view name) {
  RelationTerm term{function, name, false, operand_index(def, name)};
  if (term.index == kNoIndex) {
    term.is_result = true;
    term.index = result_index(def, name);
  }
  LOCKSTEP_CHECK(term.index != kNoIndex, "unknown name in the relations of " + std::string(def.spelling));
  return term;
}

RelationTerm parse_term(const OpDef& def, std::string_view text) {
  if (text == kToken || integer_width(text) != 0) return {Function::fixed, text, false, 0};
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return named_term(def, Function::same, text);
  const std::string_view function = text.substr(0, open);
  std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  if (function == "element" && inner.starts_with("block(")) {
    return named_term(def, Function::element_of_block, inner.substr(6, inner.size() - 7));
  }
  static constexpr std::pair<std::string_view, Function> kFunctions[] = {
      {"bool", Function::boolean}, {"pointee", Function::pointee},       {"element", Function::element},
      {"block", Function::block},  {"block_base", Function::block_base}, {"shape", Function::shape},
      {"each", Function::each},  {"members", Function::members}};
  for (const auto& [name, value] : kFunctions) {
    if (name == function) return named_term(def, value, inner);
  }
  LOCKSTEP_CHECK(false, "unknown function in the relations of " + std::string(def.spelling));
}

std::vector<Relation> compile(const OpDef& def) {
  std::vector<Relation> result;
  std::string_view rest = def.relations;
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    const std::string_view one = rest.substr(0, space);
    const std::size_t equals = one.find('=');
    LOCKSTEP_CHECK(equals != std::string_view::npos, "'=' expected in the relations of " + std::string(def.spelling));
    result.push_back({parse_term(def, one.substr(0, equals)), parse_term(def, one.substr(equals + 1)), one});
    rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
  }
  return result;
}

struct RelationsOfRow {
  std::once_flag once;
  std::vector<Relation> relations;
};

Type with_shape_of(Context& context, Type like, Type element) {
  return like.is_tensor() ? context.tensor(like.shape(), element, like.encoding()) : element;
}

Type pointee_of(Context& context, Type type) {
  const Type pointer = type.element();
  if (!pointer.is_pointer() || (type.is_tensor() && pointer.pointee().is_tensor())) return {};
  return with_shape_of(context, type, pointer.pointee());
}

Type boolean_of(Context& context, Type type) {
  if (type.is_pointer() && type.pointee().is_tensor()) type = type.pointee();
  return with_shape_of(context, type, context.integer(1));
}

Type block_base_of(Context& context, Type type) {
  if (!type.is_pointer() || !type.pointee().is_tensor()) return {};
  return context.pointer(type.pointee().element(), type.address_space());
}

}  // namespace

const std::vector<Relation>& relations_of(const OpDef& def) {
  static std::array<RelationsOfRow, kOpCount> table;
  RelationsOfRow& row = table[static_cast<std::size_t>(def.opcode)];
  std::call_once(row.once, [&] { row.relations = compile(def); });
  return row.relations;
}

Type apply_term(Context& context, const RelationTerm& term, Type type) {
  if (term.function == Function::fixed) {
    return term.name == kToken ? context.token() : context.integer(integer_width(term.name));
  }
  if (!type) return {};
  switch (term.function) {
    case Function::same:
    case Function::each:
    case Function::members: return type;
    case Function::boolean: return boolean_of(context, type);
    case Function::pointee: return pointee_of(context, type);
    case Function::element: return type.is_memdesc() ? type.pointee().element() : type.element();
    case Function::block: return shown_block(type);
    case Function::element_of_block: return shown_block(type) ? type.pointee().element() : Type();
    case Function::block_base: return block_base_of(context, type);
    case Function::shape:
    case Function::fixed: return {};
  }
  return {};
}

bool is_list(const RelationTerm& term) {
  return term.function == Function::each || term.function == Function::members;
}

std::vector<Type> apply_list(const RelationTerm& term, const std::vector<Type>& types) {
  if (term.function == Function::each || types.empty() || !types[0].is_aref()) return types;
  std::vector<Type> members;
  for (const Attribute element : types[0].node()->attribute->elements) {
    if (element->kind == AttributeNode::Kind::type) members.push_back(element->type);
  }
  return members;
}

std::string describe(const RelationTerm& term) {
  const std::string name = "'" + std::string(term.name) + "'";
  switch (term.function) {
    case Function::same: return "the type of " + name;
    case Function::each: return "the types of " + name;
    case Function::members: return "the types in " + name;
    case Function::boolean: return "i1 in the shape of " + name;
    case Function::pointee: return "what " + name + " points to";
    case Function::element: return "the element type of " + name;
    case Function::block: return "the block type of " + name;
    case Function::element_of_block: return "the element type of the blocks of " + name;
    case Function::block_base: return "a pointer to the elements of " + name;
    case Function::shape: return "the shape of " + name;
    case Function::fixed: return std::string(term.name);
  }
  return name;
}

}  // namespace lockstep::ir
