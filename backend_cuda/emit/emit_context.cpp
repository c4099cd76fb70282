#include "backend_cuda/emit/emit_context.h"

#include <algorithm>
#include <cctype>

#include "backend_cuda/emit/probes.h"
#include "backend_cuda/emit/source_lines.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

std::string identifier(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "v" + name;
  return name;
}

}  // namespace

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

// ---- values
// ----------------------------------------------------------------------------------------------------------

std::string EmitContext::fresh(std::string_view stem) {
  const std::string base = identifier(stem);
  const int count = names_[base]++;
  return count == 0 ? base + "_" : base + "_" + std::to_string(count);
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
    declarations_ += "  " + declaration + "\n";
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
  return variable(op.operand(i), plan_.operand_layout(op, i, version_));
}

// ---- text
const SharedTile* EmitContext::shared(const ir::Value* value) const {
  const auto found = shared_.find(value);
  return found == shared_.end() ? nullptr : &found->second;
}

std::int64_t EmitContext::reserve_buffers(std::int64_t bytes) {
  const std::int64_t offset = buffer_bytes_;
  buffer_bytes_ += (bytes + 1023) / 1024 * 1024;
  most_buffer_bytes_ = std::max(most_buffer_bytes_, buffer_bytes_);
  return offset;
}

// ------------------------------------------------------------------------------------------------------------

std::int64_t EmitContext::shared_bytes() const {
  const std::int64_t scratch = (scratch_bytes_ + 15) / 16 * 16;
  return most_buffer_bytes_ == 0 ? scratch : std::max(scratch, first_buffer() + most_buffer_bytes_);
}

std::optional<std::string> EmitContext::capture(const std::function<bool()>& write) {
  const std::string before = std::exchange(text_, "");
  const bool is_complete = write();
  const std::string written = std::exchange(text_, before);
  return is_complete ? std::optional(written) : std::nullopt;
}

void EmitContext::line(const std::string& text) {
  text_.append(static_cast<std::size_t>(2 * depth_), ' ');
  text_ += text + "\n";
}

void EmitContext::each(const Variable& tile, const std::string& statement) {
  // "float x; x = ..." is one statement where the declaration has just been written and no jump may pass it.
  const std::string declared = std::string(static_cast<std::size_t>(2 * depth_), ' ') + tile.type + " " + tile.name;
  if (!tile.is_tile && !jumps_ && text_.ends_with(declared + ";\n") && statement.starts_with(tile.name + " = ")) {
    text_.resize(text_.size() - 2 - tile.name.size());
    text_ += statement + "\n";
    return;
  }
  line(tile.is_tile ? "LS_EACH(" + std::to_string(tile.registers) + ") " + statement : statement);
}

void EmitContext::open(const std::string& head) {
  line(head + (head.empty() ? "{" : " {"));
  ++depth_;
}

void EmitContext::close(std::string_view after) {
  --depth_;
  line("}" + std::string(after));
}

std::string EmitContext::index_text(LayoutId id, std::string_view r) {
  used_.insert(id);
  const std::string number = std::to_string(id);
  return "(t" + number + " + r" + number + "(" + std::string(r) + "))";
}

std::string EmitContext::coordinate_text(LayoutId id, const std::vector<std::int64_t>& shape, std::size_t dimension,
                                         std::string_view r) {
  int shift = 0;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) shift += bits_of(shape[d]);
  std::string text = index_text(id, r);
  if (shift != 0) text = "(" + text + " >> " + std::to_string(shift) + ")";
  return dimension == 0 ? text : "(" + text + " & " + std::to_string(shape[dimension] - 1) + ")";
}

void EmitContext::note_location(const ir::Op& op) {
  const std::string place = source_line_text(op.location());
  if (place.empty() || place == last_line_) return;
  last_line_ = place;
  line("// " + place);
}

// ---- exchanges
// -------------------------------------------------------------------------------------------------------

std::string EmitContext::exchange(std::int64_t bytes) {
  scratch_bytes_ = std::max(scratch_bytes_, bytes);
  if (buffer_bytes_ > 0) scratch_beside_buffers_ = std::max(scratch_beside_buffers_, bytes);
  if (scratch_is_read_) barrier();
  return "ls_scratch";
}

void EmitContext::exchanged() {
  barrier();
  scratch_is_read_ = true;
}

void EmitContext::barrier() {
  line("__syncthreads();");
  scratch_is_read_ = false;
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

// ---- ops
// -------------------------------------------------------------------------------------------------------------

bool EmitContext::emit_version(const ir::Op& op, LayoutId version) {
  version_ = version;
  if (op.def().emit_cuda == nullptr) return unsupported(op, "`lockstep ops` says why");
  return op.def().emit_cuda(*this, op);
}

bool EmitContext::emit_op(const ir::Op& op) {
  if (left_out_.contains(&op)) return true;
  note_location(op);
  const bool is_apart = several_blocks_ && op.successors().empty() && op.def().effects != ir::Effects::control;
  if (is_apart) open("");
  const bool is_complete = emit_versions(op);
  if (is_complete && probes_ != nullptr && !pauses_probes_) probes_->write(*this, op);
  if (is_apart) close();
  return is_complete;
}

bool EmitContext::emit_versions(const ir::Op& op) {
  if (!plan_.is_versioned(op)) {
    if (!emit_version(op, plan_.working_layout(op))) return false;
    for (std::size_t i = 0; i < op.result_count(); ++i) convert_versions(op.result(i));
    return true;
  }
  for (const LayoutId version : plan_.versions(op.result())) {
    if (!emit_version(op, version)) return false;
  }
  return true;
}

bool EmitContext::emit_block(const ir::Block& block) {
  for (const auto& argument : block.arguments()) convert_versions(argument.get());
  for (const auto& op : block.ops()) {
    if (!emit_op(*op)) return false;
  }
  return true;
}

void EmitContext::declare_block_arguments(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    if (block == region.blocks().front()) continue;
    for (const auto& argument : block->arguments()) {
      for (const LayoutId id : plan_.versions(argument.get())) {
        const auto home = plan_.home(argument.get());
        if (!home || id == *home) declare(argument.get(), id);
      }
    }
  }
}

bool EmitContext::emit_region(const ir::Region& region, const std::vector<std::string>& names,
                              const std::function<void(const std::vector<std::string>&)>& finish) {
  for (std::size_t i = 0; i < region.front().arguments().size(); ++i) {
    const ir::Value* argument = region.front().argument(i);
    bind(argument, kScalar, {names[i], cpp_type(argument->type()), kScalar, 1, false});
  }
  const LayoutId outer = version_;
  ++region_depth_;
  const bool outer_jumps = std::exchange(jumps_, jumps_ || region.blocks().size() > 1);
  declare_block_arguments(region);
  bool is_complete = true;
  for (const auto& block : region.blocks()) {
    if (block != region.blocks().front()) line(label_of(block.get()) + ":;");
    for (const auto& op : block->ops()) {
      const bool returns = op.get() == block->terminator() && op->successors().empty();
      if (!returns) {
        is_complete = is_complete && emit_version(*op, kScalar);
        continue;
      }
      std::vector<std::string> ends;
      for (const ir::Value* operand : op->operands()) {
        if (is_complete) ends.push_back(variable(operand, kScalar).name);
      }
      if (is_complete) finish(ends);
    }
  }
  --region_depth_;
  jumps_ = outer_jumps;
  version_ = outer;
  return is_complete;
}

void EmitContext::convert_versions(const ir::Value* value) {
  const auto home = plan_.home(value);
  if (!home) return;
  for (const LayoutId id : plan_.versions(value)) {
    if (id != *home && !variables_.contains({value, id})) convert(value, variable(value, *home), declare(value, id));
  }
}

}  // namespace lockstep::backend_cuda
