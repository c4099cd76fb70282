#include "frontend/kernel_reader.h"

#include <algorithm>
#include <array>

#include "frontend/kernel_expressions.h"

namespace lockstep::frontend {

std::string KernelReader::text(SourceRange range) const {
  std::string out;
  for (const char c : module_.file->text().substr(range.begin, range.end - range.begin)) {
    if (c != '\n' && c != '\r' && !(c == ' ' && !out.empty() && out.back() == ' ')) out += c;
    else if (c == '\n' && !out.empty() && out.back() != ' ' && out.back() != '(') out += ' ';
  }
  return out;
}

void KernelReader::define(const Expr& target, const Expr& value) {
  if (const auto* name = target.as<ast::Name>()) definitions_[name->id].push_back(&value);
  const auto* tuple = target.as<ast::Tuple>();
  if (tuple == nullptr) return;
  const auto* values = value.as<ast::Tuple>();
  const bool is_pairwise = values != nullptr && values->elts.size() == tuple->elts.size();
  for (std::size_t i = 0; i < tuple->elts.size(); ++i) define(*tuple->elts[i], is_pairwise ? *values->elts[i] : value);
}

void KernelReader::note_definitions(const ast::Body& body, bool in_loop) {
  for (const ast::StmtPtr& statement : body) {
    if (const auto* assign = statement->as<ast::Assign>()) {
      for (const ast::ExprPtr& target : assign->targets) define(*target, *assign->value);
    } else if (const auto* annotated = statement->as<ast::AnnAssign>()) {
      if (annotated->value) define(*annotated->target, *annotated->value);
    } else if (const auto* added = statement->as<ast::AugAssign>()) {
      const auto* name = added->target->as<ast::Name>();
      if (name != nullptr && !in_loop && added->op == ast::BinaryOperator::Add) added_[name->id].push_back(added->value.get());
    } else if (const auto* loop = statement->as<ast::For>()) {
      define(*loop->target, *loop->iter);
      note_definitions(loop->body, true);
    } else if (const auto* repeated = statement->as<ast::While>()) {
      note_definitions(repeated->body, true);
    } else if (const auto* branch = statement->as<ast::If>()) {
      note_definitions(branch->body, in_loop);
      note_definitions(branch->orelse, in_loop);
    }
  }
}

const ParameterInfo* KernelReader::parameter(std::string_view name) const {
  const auto found = std::find_if(kernel_.parameters.begin(), kernel_.parameters.end(),
                                  [&](const ParameterInfo& one) { return one.name == name; });
  return found == kernel_.parameters.end() ? nullptr : &*found;
}

const ast::Expr* KernelReader::definition(const std::string& name) const {
  if (parameter(name) != nullptr) return nullptr;
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second.front();
}

ReadParameter* KernelReader::find(std::string_view name) {
  const auto found = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                  [&](const ReadParameter& one) { return one.name == name; });
  return found == reading_.parameters.end() ? nullptr : &*found;
}

bool KernelReader::names(const ast::Node& node, std::string_view name) const {
  bool found = false;
  ast::walk(node, [&](const ast::Node& one) {
    const auto* here = one.as<ast::Name>();
    found = found || (here != nullptr && here->id == name);
  });
  return found;
}

// ---- Pointers ----

/// The parameters that an address may begin at, the likeliest first.
void KernelReader::add_roots(const Expr& expr, std::vector<std::string>& roots, int depth) const {
  const Expr& bare = stripped(expr);
  if (depth > kMaxFollowed) return;
  if (const auto* name = bare.as<ast::Name>()) {
    const auto* known = parameter(name->id);
    if (known != nullptr && !known->is_constexpr) roots.push_back(name->id);
    if (const Expr* value = definition(name->id)) add_roots(*value, roots, depth + 1);
  } else if (is_binary(bare, {ast::BinaryOperator::Add, ast::BinaryOperator::Sub})) {
    add_roots(*bare.as<ast::BinOp>()->left, roots, depth + 1);
    add_roots(*bare.as<ast::BinOp>()->right, roots, depth + 1);
  } else if (const auto* chosen = bare.as<ast::IfExp>()) {
    add_roots(*chosen->body, roots, depth + 1);
  } else if (const auto* call = bare.as<ast::Call>()) {
    constexpr std::array<std::string_view, 2> kMakers = {"make_block_ptr", "make_tensor_descriptor"};
    if (!holds(kMakers, called(*call))) return;
    for (const auto& keyword : call->keywords) {
      if (keyword->arg == "base") add_roots(*keyword->value, roots, depth + 1);
    }
    if (!call->args.empty()) add_roots(*call->args.front(), roots, depth + 1);
  }
}

std::string KernelReader::root(const Expr& address) const {
  std::vector<std::string> roots;
  add_roots(address, roots, 0);
  return roots.empty() ? "" : roots.front();
}

void KernelReader::add_touches_of_call(const ast::Call& call, int depth, std::vector<Touch>& touches) const {
  const std::string_view name = called(call);
  const bool is_atomic = name.starts_with("atomic_");
  const auto* attribute = call.func->as<ast::Attribute>();
  const auto* owner = attribute == nullptr ? nullptr : attribute->value->as<ast::Name>();
  const bool touches_memory = is_atomic || name == "load" || name == "store";
  if (touches_memory && owner != nullptr && owner->id != "tl") {
    touches.push_back({attribute->value.get(), name == "load", name != "load", false, true, call.range});
  } else if (touches_memory && !call.args.empty()) {
    touches.push_back({call.args.front().get(), name == "load", name == "store", is_atomic, false, call.range});
  } else if (const auto* function = attribute == nullptr ? function_of_module(module_, name) : nullptr;
             function != nullptr && depth < kMaxFollowed && function != &function_) {
    // A helper's accesses, by the arguments that it is given.
    KernelInfo facts;
    for (const auto& arg : function->args->args) facts.parameters.push_back({arg->name, false, "", false, false, {}});
    std::vector<Touch> inside;
    const KernelReader helper(module_, *function, facts);
    helper.add_touches(*function, depth + 1, inside);
    for (Touch& one : inside) {
      const std::string begin = helper.root(*one.address);
      for (std::size_t i = 0; i < facts.parameters.size() && i < call.args.size(); ++i) {
        if (facts.parameters[i].name != begin) continue;
        one.address = call.args[i].get();
        one.place = call.range;
        touches.push_back(one);
      }
    }
  }
}

void KernelReader::add_touches(const ast::FunctionDef& function, int depth, std::vector<Touch>& touches) const {
  each<ast::Call>(function, [&](const ast::Call& call) { add_touches_of_call(call, depth, touches); });
}

/// What is added to the pointer: names are followed where a pointer is in them.
void KernelReader::add_terms(const Expr& expr, std::vector<const Expr*>& terms, int depth) const {
  const Expr& bare = stripped(expr);
  if (is_binary(bare, {ast::BinaryOperator::Add, ast::BinaryOperator::Sub})) {
    add_terms(*bare.as<ast::BinOp>()->left, terms, depth + 1);
    if (bare.as<ast::BinOp>()->op == ast::BinaryOperator::Add) add_terms(*bare.as<ast::BinOp>()->right, terms, depth + 1);
    return;
  }
  const auto* name = bare.as<ast::Name>();
  const Expr* value = name == nullptr || depth > kMaxFollowed ? nullptr : definition(name->id);
  const bool leads_on = value != nullptr && (!root(*value).empty() || has_scaled_term(*value));
  if (leads_on) add_terms(*value, terms, depth + 1);
  else terms.push_back(&expr);
  const auto added = name == nullptr || depth > kMaxFollowed ? added_.end() : added_.find(name->id);
  if (added == added_.end()) return;
  for (const Expr* one : added->second) add_terms(*one, terms, depth + 1);
}

/// pid * x_stride: an index times a number.
bool KernelReader::is_scaled(const Expr& expr) const {
  const Expr& bare = stripped(expr);
  if (!is_binary(bare, {ast::BinaryOperator::Mult})) return false;
  const auto* product = bare.as<ast::BinOp>();
  return std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(), [&](const ParameterInfo& one) {
    const auto is_it = [&](const Expr& factor) {
      const auto* name = stripped(factor).as<ast::Name>();
      return name != nullptr && name->id == one.name;
    };
    return !one.is_constexpr && (is_it(*product->left) || is_it(*product->right));
  });
}

/// row * x_stride + column.
bool KernelReader::has_scaled_term(const Expr& expr) const {
  const Expr& bare = stripped(expr);
  if (!is_binary(bare, {ast::BinaryOperator::Add})) return is_scaled(bare);
  const auto* sum = bare.as<ast::BinOp>();
  return has_scaled_term(*sum->left) || has_scaled_term(*sum->right);
}

ReadDimension KernelReader::dimension(const Expr& term) {
  const Expr& bare = stripped(term);
  if (!is_binary(bare, {ast::BinaryOperator::Mult})) return {bound_of(bare, 0), ""};
  const auto* product = bare.as<ast::BinOp>();
  const Expr *index = product->left.get(), *factor = product->right.get();
  const auto is_stride = [&](const Expr& one) {
    const auto* name = stripped(one).as<ast::Name>();
    return name != nullptr && parameter(name->id) != nullptr;
  };
  if (!is_stride(*factor)) std::swap(index, factor);
  if (!is_stride(*factor)) return {};
  const std::string stride = stripped(*factor).as<ast::Name>()->id;
  return {bound_of(*index, 0), stride};
}

void KernelReader::read_shape(ReadParameter& found, const Expr& address) {
  std::vector<const Expr*> terms;
  add_terms(address, terms, 0);
  std::vector<ReadDimension> shape;
  for (const Expr* term : terms) {
    const auto* name = stripped(*term).as<ast::Name>();
    const bool is_base = name != nullptr && name->id == found.name;
    const bool is_constant = term->is<ast::Constant>();
    if (!is_base && !is_constant) shape.push_back(dimension(*term));
  }
  if (found.shape.empty() || shape.size() > found.shape.size()) found.shape = std::move(shape);
}

void KernelReader::read_pointers() {
  std::vector<Touch> touches;
  add_touches(function_, 0, touches);
  for (const Touch& touch : touches) {
    ReadParameter* found = find(root(*touch.address));
    if (found == nullptr) continue;
    found->kind = touch.is_descriptor ? ReadParameter::Kind::descriptor : ReadParameter::Kind::pointer;
    found->is_loaded = found->is_loaded || touch.loads;
    found->is_stored = found->is_stored || touch.stores;
    found->is_atomic = found->is_atomic || touch.is_atomic;
    if (found->line != 0) continue;
    found->line = module_.file->position(touch.place.begin).line;
    found->why = text(touch.place);
  }
  for (const Touch& touch : touches) {
    ReadParameter* found = find(root(*touch.address));
    if (found != nullptr && found->kind == ReadParameter::Kind::pointer) read_shape(*found, *touch.address);
  }
  // What is loaded and then is part of an address counts elements.
  for (const auto& [local, values] : definitions_) {
    const auto* load = stripped(*values.front()).as<ast::Call>();
    if (load == nullptr || called(*load) != "load" || load->args.empty()) continue;
    for (const Touch& touch : touches) {
      ReadParameter* from = find(root(*load->args.front()));
      std::vector<const Expr*> terms;
      add_terms(*touch.address, terms, 0);
      const bool is_part = std::any_of(terms.begin(), terms.end(), [&, &local = local](const Expr* term) { return names(*term, local); });
      if (from != nullptr && is_part && root(*touch.address) != from->name) from->is_index = true;
    }
  }
}

// ---- Numbers ----

bool KernelReader::is_number(const std::string& name) const {
  const auto* known = parameter(name);
  if (known == nullptr) return false;
  const auto found = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                  [&](const ReadParameter& one) { return one.name == name; });
  return found->kind != ReadParameter::Kind::pointer && found->kind != ReadParameter::Kind::descriptor;
}

/// The first number among the parameters that the expression names: M of `M`, K of `K - k * BLOCK_K`.
std::string KernelReader::first_number(const Expr& expr) const {
  std::string constant, number;
  ast::walk(expr, [&](const ast::Node& one) {
    const auto* name = one.as<ast::Name>();
    if (name == nullptr || !is_number(name->id)) return;
    std::string& kept = parameter(name->id)->is_constexpr ? constant : number;
    if (kept.empty()) kept = name->id;
  });
  return number.empty() ? constant : number;
}

std::string KernelReader::bound_by_compare(const std::string& index, ReadParameter** bound) {
  std::string found;
  each<ast::Compare>(function_, [&](const ast::Compare& compare) {
    if (!found.empty() || compare.ops.size() != 1) return;
    const bool is_less = compare.ops[0] == ast::CompareOperator::Lt || compare.ops[0] == ast::CompareOperator::LtE;
    const bool is_more = compare.ops[0] == ast::CompareOperator::Gt || compare.ops[0] == ast::CompareOperator::GtE;
    const Expr& small = is_more ? *compare.comparators[0] : *compare.left;
    const Expr& large = is_more ? *compare.left : *compare.comparators[0];
    if ((!is_less && !is_more) || !names(small, index)) return;
    found = first_number(large);
    ReadParameter* number = found.empty() ? nullptr : find(found);
    if (number == nullptr) return;
    if (bound != nullptr) *bound = number;
    if (number->line != 0) return;
    number->why = text(compare);
    number->line = module_.file->position(compare.range.begin).line;
  });
  return found;
}

/// Which axis of the grid an expression counts: pid, pid % n, tl.program_id(1).to(tl.int64).
std::optional<int> KernelReader::axis_of(const Expr& expr, int depth) const {
  const Expr& bare = stripped(expr);
  if (const auto* name = bare.as<ast::Name>()) {
    const Expr* value = depth < kMaxFollowed ? definition(name->id) : nullptr;
    return value == nullptr ? std::nullopt : axis_of(*value, depth + 1);
  }
  if (is_binary(bare, {ast::BinaryOperator::FloorDiv, ast::BinaryOperator::Mod}))
    return axis_of(*bare.as<ast::BinOp>()->left, depth + 1);
  const auto* call = bare.as<ast::Call>();
  if (call == nullptr || called(*call) != "program_id") return std::nullopt;
  const ast::Expr* axis = !call->args.empty()       ? call->args.front().get()
                          : !call->keywords.empty() ? call->keywords.front()->value.get()
                                                    : nullptr;
  const auto* number = axis == nullptr ? nullptr : axis->as<ast::Constant>();
  return number != nullptr && number->integer < 3 ? std::optional(static_cast<int>(number->integer)) : std::nullopt;
}

std::string KernelReader::bound_of(const Expr& index, int depth) {
  const Expr& bare = stripped(index);
  const auto* name = bare.as<ast::Name>();
  const Expr* value = name == nullptr || depth > kMaxFollowed ? nullptr : definition(name->id);
  const Expr& meaning = value == nullptr ? bare : stripped(*value);
  bool counts_pieces = false;
  std::string block;
  ast::walk(meaning, [&](const ast::Node& one) {
    const auto* call = one.as<ast::Call>();
    if (call == nullptr) {
      counts_pieces = counts_pieces || one.is<ast::BinOp>();
      return;
    }
    if (called(*call) == "arange" && call->args.size() == 2) block = first_number(*call->args[1]);
  });
  if (name != nullptr) {
    ReadParameter* bound = nullptr;
    const std::string found = bound_by_compare(name->id, &bound);
    if (bound != nullptr && counts_pieces) bound->is_pieced = true;
    else if (bound != nullptr && bound->block.empty()) bound->block = block;
    if (!found.empty()) return found;
  }
  if (is_binary(meaning, {ast::BinaryOperator::Mod})) {
    const std::string found = first_number(*meaning.as<ast::BinOp>()->right);
    if (ReadParameter* number = find(found); number != nullptr) return number->is_pieced = true, found;
  }
  if (const auto axis = axis_of(bare, 0)) return "program_id(" + std::to_string(*axis) + ")";
  if (const std::string pieces = bound_of_loop(meaning); !pieces.empty()) return pieces;
  const auto* call = meaning.as<ast::Call>();
  if (call != nullptr && called(*call) == "range" && call->args.size() >= 2) return first_number(*call->args[1]);
  if (call != nullptr && called(*call) == "range") return first_number(*call->args[0]);
  return call != nullptr && called(*call) == "arange" ? block : "";
}

/// What a loop cuts into the pieces that an index is of: K of `k * BLOCK + i` with k in range(cdiv(K, BLOCK)), n of
/// `start + i` with start in range(0, n, BLOCK).
std::string KernelReader::bound_of_loop(const Expr& index) const {
  std::string found;
  const auto is_scaled_by = [&](const std::string& name) {
    bool is_factor = false;
    ast::walk(index, [&](const ast::Node& one) {
      const auto* product = one.as<ast::BinOp>();
      is_factor = is_factor || (product != nullptr && product->op == ast::BinaryOperator::Mult && names(*product, name));
    });
    return is_factor;
  };
  ast::walk(index, [&](const ast::Node& one) {
    const auto* name = one.as<ast::Name>();
    const Expr* steps = name == nullptr ? nullptr : definition(name->id);
    const auto* range = steps == nullptr ? nullptr : stripped(*steps).as<ast::Call>();
    if (!found.empty() || range == nullptr || called(*range) != "range" || range->args.empty()) return;
    const Expr* stop = range->args[range->args.size() >= 2 ? 1 : 0].get();
    const auto* local = stop->as<ast::Name>();
    if (const Expr* value = local == nullptr ? nullptr : definition(local->id)) stop = value;
    const auto* pieces = stripped(*stop).as<ast::Call>();
    const bool is_division = pieces != nullptr && called(*pieces) == "cdiv" && !pieces->args.empty();
    if (is_scaled_by(name->id)) found = is_division ? first_number(*pieces->args[0]) : "";
    else if (range->args.size() == 3) found = first_number(*stop);
  });
  return found;
}

void KernelReader::read_numbers() {
  for (const auto& pointer : std::vector<ReadParameter>(reading_.parameters)) {
    for (const ReadDimension& one : pointer.shape) {
      ReadParameter* stride = find(one.stride);
      const bool is_bound = std::any_of(reading_.parameters.begin(), reading_.parameters.end(), [&](const auto& other) {
        return std::any_of(other.shape.begin(), other.shape.end(), [&](const auto& d) { return d.extent == one.stride; });
      });
      if (stride == nullptr || is_bound || stride->kind != ReadParameter::Kind::number) continue;
      stride->kind = ReadParameter::Kind::stride;
      if (stride->line == 0) stride->line = pointer.line, stride->why = "steps through " + pointer.name;
    }
  }
  const auto note = [&](const ast::Node& node, const Expr& inside) {
    ReadParameter* number = find(first_number(inside));
    if (number == nullptr || number->kind != ReadParameter::Kind::number) return;
    number->is_pieced = true;
    if (number->line != 0) return;
    number->line = module_.file->position(node.range.begin).line;
    number->why = text(node.range);
  };
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (called(call) == "range" && !call.args.empty()) note(call, *call.args[call.args.size() >= 2 ? 1 : 0]);
    if (called(call) == "cdiv" && !call.args.empty()) note(call, *call.args[0]);
  });
  constexpr std::array<std::string_view, 10> kFractions = {"eps",   "scale", "alpha", "beta",     "gamma",
                                                           "momentum", "lr",  "decay", "dropout", "slope"};
  for (ReadParameter& one : reading_.parameters) {
    if (one.kind != ReadParameter::Kind::number || one.line != 0) continue;
    if (parameter(one.name)->annotation.starts_with("fp")) one.kind = ReadParameter::Kind::fraction;
    each<ast::Name>(function_, [&](const ast::Name& name) {
      if (name.id == one.name && one.line == 0) one.line = module_.file->position(name.range.begin).line;
    });
    for (const std::string_view word : kFractions) {
      const bool is_end = one.name.ends_with(word) || one.name.starts_with(word);
      if (is_end && one.why.empty()) one.kind = ReadParameter::Kind::fraction;
    }
    if (one.name == "p") one.kind = ReadParameter::Kind::fraction;
  }
}

}  // namespace lockstep::frontend
