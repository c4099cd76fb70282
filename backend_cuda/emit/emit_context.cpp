#include "backend_cuda/emit/emit_context.h"

#include "support/check.h"

namespace lockstep::backend_cuda {
std::string_view name_in(Location location) {
  if (location.is_unknown()) return "";
  if (location->kind == LocationNode::Kind::name) return location->text;
  for (const Location child : location->children) {
    if (const std::string_view name = name_in(child); !name.empty()) return name;
  }
  return "";
}

std::string stem_of(const ir::Value& value) {
  const ir::Op* made = value.defining_op();
  const std::string_view python = name_in(made != nullptr ? made->location() : value.location());
  if (!python.empty()) return std::string(python);
  return value.name().empty() ? "v" : std::string(value.name());
}

std::string cpp_type(ir::Type type) {
  type = type.element();
  if (type.is_pointer()) {
    const ir::Type pointee = type.pointee();
    if (pointee.is_tensor()) {
      return "block_pointer<" + cpp_type(pointee) + ", " + std::to_string(pointee.shape().size()) + ">";
    }
    return cpp_type(pointee) + "*";
  }
  if (type.is_descriptor()) {
    return "descriptor<" + cpp_type(type.pointee()) + ", " + std::to_string(type.pointee().shape().size()) + ">";
  }
  const auto kind = type.scalar_kind();
  if (!kind) return "";
  switch (*kind) {
    case ScalarKind::i1: return "bool";
    case ScalarKind::i8: return "signed char";
    case ScalarKind::i16: return "short";
    case ScalarKind::i32: return "int";
    case ScalarKind::i64: return "long long";
    case ScalarKind::f8E4M3FN: return "f8e4m3";
    case ScalarKind::f8E5M2: return "f8e5m2";
    case ScalarKind::f8E4M3FNUZ: return "f8e4m3fnuz";
    case ScalarKind::f8E5M2FNUZ: return "f8e5m2fnuz";
    case ScalarKind::f16: return "f16";
    case ScalarKind::bf16: return "bf16";
    case ScalarKind::f32: return "float";
    case ScalarKind::f64: return "double";
    case ScalarKind::pointer: return "void*";
  }
  return "";
}

EmitContext::EmitContext(const ir::Op& function, const Target& target, DiagnosticSink& sink)
    : function_(function), target_(target), sink_(sink), axes_(function), plan_(function, axes_, target) {
  several_blocks_ = function.region().blocks().size() > 1;
}

Variable EmitContext::temporary(std::string_view stem, const std::string& type, LayoutId id) {
  Variable made{fresh(stem), type, id, 1, id != kScalar};
  if (id != kScalar) {
    made.registers = layout(id).registers();
    used_.insert(id);
  }
  const std::string declaration =
      type + " " + made.name + (made.is_tile ? "[" + std::to_string(made.registers) + "]" : "") + ";";
  // No jump may pass a declaration of its own block.
  if (several_blocks_) {
    declare_at_top(declaration);
  } else {
    line(declaration);
  }
  return made;
}

Variable EmitContext::declare(const ir::Value* value, LayoutId id) {
  const LayoutId in = value->type().is_tensor() ? id : kScalar;
  const Variable made = temporary(stem_of(*value), cpp_type(value->type()), in);
  bind(value, in, made);
  return made;
}

void EmitContext::bind(const ir::Value* value, LayoutId id, const Variable& variable) {
  variables_[{value, id}] = variable;
}

Variable EmitContext::variable(const ir::Value* value, LayoutId id) {
  const auto found = variables_.find({value, value->type().is_tensor() ? id : kScalar});
  LOCKSTEP_CHECK(found != variables_.end(), "a value is read in a layout in which it was not emitted");
  return found->second;
}

Variable EmitContext::operand(const ir::Op& op, std::size_t i) {
  return variable(op.operand(i), plan_.operand_layout(op, i, variant_));
}

const SharedTile* EmitContext::shared(const ir::Value* value) const {
  const auto found = shared_.find(value);
  return found == shared_.end() ? nullptr : &found->second;
}

void EmitContext::each(const Variable& tile, const std::string& statement) {
  // "float x; x = ..." is one statement where the declaration has just been written and no jump may pass it.
  const std::string declared = tile.type + " " + tile.name;
  const bool may_join = !tile.is_tile && !jumps_ && statement.starts_with(tile.name + " = ");
  if (may_join && replace_line(declared + ";", tile.type + " " + statement)) return;
  line(tile.is_tile ? "LS_EACH(" + std::to_string(tile.registers) + ") " + statement : statement);
}

std::string EmitContext::index_text(LayoutId id, std::string_view r) {
  used_.insert(id);
  const std::string number = std::to_string(id);
  return "(t" + number + " + r" + number + "(" + std::string(r) + "))";
}

std::string EmitContext::index_parts(LayoutId id, std::string_view r) {
  used_.insert(id);
  const std::string number = std::to_string(id);
  return "t" + number + ", r" + number + "(" + std::string(r) + ")";
}

std::string EmitContext::coordinate_text(LayoutId id, const std::vector<std::int64_t>& shape, std::size_t dimension,
                                         std::string_view r) {
  int shift = 0;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) shift += bits_of(shape[d]);
  std::string text = index_text(id, r);
  if (shift != 0) text = "(" + text + " >> " + std::to_string(shift) + ")";
  return dimension == 0 ? text : "(" + text + " & " + std::to_string(shape[dimension] - 1) + ")";
}

std::string EmitContext::map_name(const TensorMap& map) {
  std::size_t i = 0;
  while (i < maps_.size() && !(maps_[i] == map)) ++i;
  if (i == maps_.size()) maps_.push_back(map);
  return "ls_map_" + std::to_string(i);
}

std::string EmitContext::label_of(const ir::Block* block) {
  const auto [place, is_new] = labels_.try_emplace(block, "");
  if (is_new) place->second = fresh("block");
  return place->second;
}

bool EmitContext::unsupported(const ir::Op& op, const std::string& reason) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::unsupported;
  diagnostic.code = "LS1910";
  diagnostic.message = "'" + std::string(op.spelling()) + "': the CUDA backend has no text for it: " + reason;
  diagnostic.span = op.span();
  if (const std::string place = op.location().file_text(); !place.empty())
    diagnostic.notes.push_back({"from " + place, {}});
  sink_.report(std::move(diagnostic));
  return false;
}

RegionScope::RegionScope(EmitContext& context, bool jumps)
    : context_(context), outer_version_(context.variant_), outer_jumps_(context.jumps_) {
  ++context_.region_depth_;
  context_.jumps_ = outer_jumps_ || jumps;
}

RegionScope::~RegionScope() {
  --context_.region_depth_;
  context_.jumps_ = outer_jumps_;
  context_.variant_ = outer_version_;
}

}  // namespace lockstep::backend_cuda
