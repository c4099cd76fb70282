#include "frontend/kernel_reading.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "frontend/kernel_expressions.h"
#include "python_syntax/ast_walk.h"
#include "python_syntax/parser.h"

namespace lockstep::frontend {
namespace {

using Kind = ReadParameter::Kind;

constexpr int kMaxFollowed = 12;  // names behind names, helpers behind helpers

/// An access through a pointer, in the kernel or in its callees.
struct Touch {
  const ast::Expr* address = nullptr;  // in the kernel
  bool loads = false, stores = false, is_atomic = false, is_descriptor = false;
  SourceRange place;
};

class Reader {
 public:
  Reader(const ast::Module& module, const ast::FunctionDef& function, const KernelInfo& kernel)
      : module_(module), function_(function), kernel_(kernel) {
    note_definitions(function_.body, false);
  }
  KernelReading read();

 private:
  using Expr = ast::Expr;

  void note_definitions(const ast::Body& body, bool in_loop);
  void define(const Expr& target, const Expr& value);
  std::string text(SourceRange range) const;
  std::string text(const Expr& expr) const { return text(expr.range); }
  const ParameterInfo* parameter(std::string_view name) const;
  const Expr* definition(const std::string& name) const;
  bool is_number(const std::string& name) const;
  bool names(const ast::Node& node, std::string_view name) const;
  template <typename T>
  void each(const ast::FunctionDef& function, const std::function<void(const T&)>& visit) const;

  void add_roots(const Expr& expr, std::vector<std::string>& roots, int depth) const;
  std::string root(const Expr& address) const;
  void add_touches(const ast::FunctionDef& function, int depth, std::vector<Touch>& touches) const;
  void add_touches_of_call(const ast::Call& call, int depth, std::vector<Touch>& touches) const;
  void add_terms(const Expr& expr, std::vector<const Expr*>& terms, int depth) const;
  void read_pointers();
  void read_shape(ReadParameter& found, const Expr& address);
  bool is_scaled(const Expr& expr) const;
  std::string signature() const;
  ReadDimension dimension(const Expr& term);
  std::string bound_of(const Expr& index, int depth);
  std::string bound_by_compare(const std::string& index, ReadParameter** bound);
  std::string first_number(const Expr& expr) const;
  std::optional<int> axis_of(const Expr& expr, int depth) const;
  void read_numbers();
  void read_constants();
  void read_grid();
  std::string extent_of_axis(int axis);
  std::string from_divisions();
  ReadParameter* find(std::string_view name);

  const ast::Module& module_;
  const ast::FunctionDef& function_;
  const KernelInfo& kernel_;
  std::map<std::string, std::vector<const Expr*>> definitions_;
  std::map<std::string, std::vector<const Expr*>> added_;  // by += outside of loops
  KernelReading reading_;
};

std::string Reader::text(SourceRange range) const {
  std::string out;
  for (const char c : module_.file->text().substr(range.begin, range.end - range.begin)) {
    if (c != '\n' && c != '\r' && !(c == ' ' && !out.empty() && out.back() == ' ')) out += c;
    else if (c == '\n' && !out.empty() && out.back() != ' ' && out.back() != '(') out += ' ';
  }
  return out;
}

void Reader::define(const Expr& target, const Expr& value) {
  if (const auto* name = target.as<ast::Name>()) definitions_[name->id].push_back(&value);
  const auto* tuple = target.as<ast::Tuple>();
  if (tuple == nullptr) return;
  const auto* values = value.as<ast::Tuple>();
  const bool is_pairwise = values != nullptr && values->elts.size() == tuple->elts.size();
  for (std::size_t i = 0; i < tuple->elts.size(); ++i) define(*tuple->elts[i], is_pairwise ? *values->elts[i] : value);
}

void Reader::note_definitions(const ast::Body& body, bool in_loop) {
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

const ParameterInfo* Reader::parameter(std::string_view name) const {
  const auto found = std::find_if(kernel_.parameters.begin(), kernel_.parameters.end(),
                                  [&](const ParameterInfo& one) { return one.name == name; });
  return found == kernel_.parameters.end() ? nullptr : &*found;
}

const ast::Expr* Reader::definition(const std::string& name) const {
  if (parameter(name) != nullptr) return nullptr;
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second.front();
}

ReadParameter* Reader::find(std::string_view name) {
  const auto found = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                  [&](const ReadParameter& one) { return one.name == name; });
  return found == reading_.parameters.end() ? nullptr : &*found;
}

bool Reader::names(const ast::Node& node, std::string_view name) const {
  bool found = false;
  ast::walk(node, [&](const ast::Node& one) {
    const auto* here = one.as<ast::Name>();
    found = found || (here != nullptr && here->id == name);
  });
  return found;
}

template <typename T>
void Reader::each(const ast::FunctionDef& function, const std::function<void(const T&)>& visit) const {
  for (const ast::StmtPtr& statement : function.body) {
    ast::walk(*statement, [&](const ast::Node& node) {
      if (const auto* one = node.as<T>()) visit(*one);
    });
  }
}

// ---- Pointers ----

/// The possible base parameters of an address, the likeliest first.
void Reader::add_roots(const Expr& expr, std::vector<std::string>& roots, int depth) const {
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

std::string Reader::root(const Expr& address) const {
  std::vector<std::string> roots;
  add_roots(address, roots, 0);
  return roots.empty() ? "" : roots.front();
}

void Reader::add_touches_of_call(const ast::Call& call, int depth, std::vector<Touch>& touches) const {
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
    // A helper's accesses, in terms of its arguments.
    KernelInfo facts;
    for (const auto& arg : function->args->args) facts.parameters.push_back({arg->name, false, "", false, false, {}});
    std::vector<Touch> inside;
    const Reader helper(module_, *function, facts);
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

void Reader::add_touches(const ast::FunctionDef& function, int depth, std::vector<Touch>& touches) const {
  each<ast::Call>(function, [&](const ast::Call& call) { add_touches_of_call(call, depth, touches); });
}

/// The summands of the pointer: follows names that contain a pointer.
void Reader::add_terms(const Expr& expr, std::vector<const Expr*>& terms, int depth) const {
  const Expr& bare = stripped(expr);
  if (is_binary(bare, {ast::BinaryOperator::Add, ast::BinaryOperator::Sub})) {
    add_terms(*bare.as<ast::BinOp>()->left, terms, depth + 1);
    if (bare.as<ast::BinOp>()->op == ast::BinaryOperator::Add) add_terms(*bare.as<ast::BinOp>()->right, terms, depth + 1);
    return;
  }
  const auto* name = bare.as<ast::Name>();
  const Expr* value = name == nullptr || depth > kMaxFollowed ? nullptr : definition(name->id);
  const bool leads_on = value != nullptr && (!root(*value).empty() || is_scaled(*value));
  if (leads_on) add_terms(*value, terms, depth + 1);
  else terms.push_back(&expr);
  const auto added = name == nullptr || depth > kMaxFollowed ? added_.end() : added_.find(name->id);
  if (added == added_.end()) return;
  for (const Expr* one : added->second) add_terms(*one, terms, depth + 1);
}

/// pid * x_stride: an index times a number.
bool Reader::is_scaled(const Expr& expr) const {
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

ReadDimension Reader::dimension(const Expr& term) {
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

void Reader::read_shape(ReadParameter& found, const Expr& address) {
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

void Reader::read_pointers() {
  std::vector<Touch> touches;
  add_touches(function_, 0, touches);
  for (const Touch& touch : touches) {
    ReadParameter* found = find(root(*touch.address));
    if (found == nullptr) continue;
    found->kind = touch.is_descriptor ? Kind::descriptor : Kind::pointer;
    found->is_loaded = found->is_loaded || touch.loads;
    found->is_stored = found->is_stored || touch.stores;
    found->is_atomic = found->is_atomic || touch.is_atomic;
    if (found->line != 0) continue;
    found->line = module_.file->position(touch.place.begin).line;
    found->why = text(touch.place);
  }
  for (const Touch& touch : touches) {
    ReadParameter* found = find(root(*touch.address));
    if (found != nullptr && found->kind == Kind::pointer) read_shape(*found, *touch.address);
  }
  // A loaded value that becomes part of an address counts elements.
  for (const auto& [local, values] : definitions_) {
    const auto* load = stripped(*values.front()).as<ast::Call>();
    if (load == nullptr || called(*load) != "load" || load->args.empty()) continue;
    for (const Touch& touch : touches) {
      ReadParameter* from = find(root(*load->args.front()));
      std::vector<const Expr*> terms;
      add_terms(*touch.address, terms, 0);
      const bool is_part = std::any_of(terms.begin(), terms.end(), [&](const Expr* term) { return names(*term, local); });
      if (from != nullptr && is_part && root(*touch.address) != from->name) from->is_index = true;
    }
  }
}

// ---- Numbers ----

bool Reader::is_number(const std::string& name) const {
  const auto* known = parameter(name);
  if (known == nullptr) return false;
  const auto found = std::find_if(reading_.parameters.begin(), reading_.parameters.end(),
                                  [&](const ReadParameter& one) { return one.name == name; });
  return found->kind != Kind::pointer && found->kind != Kind::descriptor;
}

/// The first number among the parameters in the expression: M of `M`, K of `K - k * BLOCK_K`.
std::string Reader::first_number(const Expr& expr) const {
  std::string constant, number;
  ast::walk(expr, [&](const ast::Node& one) {
    const auto* name = one.as<ast::Name>();
    if (name == nullptr || !is_number(name->id)) return;
    std::string& kept = parameter(name->id)->is_constexpr ? constant : number;
    if (kept.empty()) kept = name->id;
  });
  return number.empty() ? constant : number;
}

std::string Reader::bound_by_compare(const std::string& index, ReadParameter** bound) {
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

/// The grid axis that an expression counts: pid, pid % n, tl.program_id(1).to(tl.int64).
std::optional<int> Reader::axis_of(const Expr& expr, int depth) const {
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

std::string Reader::bound_of(const Expr& index, int depth) {
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
  const auto* call = meaning.as<ast::Call>();
  if (call != nullptr && called(*call) == "range" && call->args.size() >= 2) return first_number(*call->args[1]);
  if (call != nullptr && called(*call) == "range") return first_number(*call->args[0]);
  return call != nullptr && called(*call) == "arange" ? block : "";
}

void Reader::read_numbers() {
  for (const auto& pointer : std::vector<ReadParameter>(reading_.parameters)) {
    for (const ReadDimension& one : pointer.shape) {
      ReadParameter* stride = find(one.stride);
      const bool is_bound = std::any_of(reading_.parameters.begin(), reading_.parameters.end(), [&](const auto& other) {
        return std::any_of(other.shape.begin(), other.shape.end(), [&](const auto& d) { return d.extent == one.stride; });
      });
      if (stride == nullptr || is_bound || stride->kind != Kind::number) continue;
      stride->kind = Kind::stride;
      if (stride->line == 0) stride->line = pointer.line, stride->why = "steps through " + pointer.name;
    }
  }
  const auto note = [&](const ast::Node& node, const Expr& inside) {
    ReadParameter* number = find(first_number(inside));
    if (number == nullptr || number->kind != Kind::number) return;
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
    if (one.kind != Kind::number || one.line != 0) continue;
    if (parameter(one.name)->annotation.starts_with("fp")) one.kind = Kind::fraction;
    each<ast::Name>(function_, [&](const ast::Name& name) {
      if (name.id == one.name && one.line == 0) one.line = module_.file->position(name.range.begin).line;
    });
    for (const std::string_view word : kFractions) {
      const bool is_end = one.name.ends_with(word) || one.name.starts_with(word);
      if (is_end && one.why.empty()) one.kind = Kind::fraction;
    }
    if (one.name == "p") one.kind = Kind::fraction;
  }
}

void Reader::read_constants() {
  for (ReadParameter& one : reading_.parameters) {
    if (one.kind != Kind::constant) continue;
    each<ast::Call>(function_, [&](const ast::Call& call) {
      if (called(call) != "arange" || call.args.size() != 2 || !names(*call.args[1], one.name)) return;
      one.is_power_of_two = true;
      one.why = text(call);
      one.line = module_.file->position(call.range.begin).line;
    });
    each<ast::If>(function_, [&](const ast::If& branch) {
      if (one.is_power_of_two || !names(*branch.test, one.name)) return;
      const auto* compare = branch.test->as<ast::Compare>();
      const auto* value = compare == nullptr ? nullptr : compare->comparators[0]->as<ast::Constant>();
      if (value != nullptr && value->is_string()) one.kind = Kind::text;
      one.is_switch = compare == nullptr;
      one.why = "if " + text(*branch.test);
      one.line = module_.file->position(branch.range.begin).line;
    });
    each<ast::Name>(function_, [&](const ast::Name& name) {
      if (name.id == one.name && one.line == 0) one.line = module_.file->position(name.range.begin).line;
    });
  }
}

// ---- The grid ----

/// "cdiv(m, TILE_M) * cdiv(n, TILE_N)": the divisions outside of range(...).
std::string Reader::from_divisions() {
  std::vector<std::string> all;
  std::set<const ast::Node*> in_ranges;
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (called(call) != "range") return;
    ast::walk(call, [&](const ast::Node& one) { in_ranges.insert(&one); });
  });
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (called(call) != "cdiv" || call.args.size() != 2 || in_ranges.contains(&call)) return;
    std::string one = "cdiv(" + text(*call.args[0]) + ", " + text(*call.args[1]) + ")";
    const bool is_known = !first_number(*call.args[0]).empty() && !first_number(*call.args[1]).empty();
    if (is_known && !holds(all, one)) all.push_back(std::move(one));
  });
  std::string product;
  for (const std::string& one : all) product += (product.empty() ? "" : " * ") + one;
  return product;
}

std::string Reader::extent_of_axis(int axis) {
  // pid * BLOCK, and values computed from it; the first number that bounds any of these.
  std::set<std::string, std::less<>> derived;
  std::string block;
  each<ast::BinOp>(function_, [&](const ast::BinOp& product) {
    if (product.op != ast::BinaryOperator::Mult || !block.empty()) return;
    const bool is_left = axis_of(*product.left, 0) == axis;
    if (!is_left && axis_of(*product.right, 0) != axis) return;
    const auto* name = stripped(is_left ? *product.right : *product.left).as<ast::Name>();
    const auto* known = name == nullptr ? nullptr : parameter(name->id);
    if (known == nullptr || !known->is_constexpr) return;
    block = name->id;
    for (const auto& [local, values] : definitions_) {
      for (const Expr* value : values) {
        ast::walk(*value, [&](const ast::Node& one) {
          if (&one == &product) derived.insert(local);
        });
      }
    }
  });
  for (int round = 0; round < 2; ++round) {
    const auto before = derived;
    for (const auto& [local, values] : definitions_) {
      if (std::any_of(before.begin(), before.end(), [&](const auto& one) { return names(*values.front(), one); }))
        derived.insert(local);
    }
  }
  for (const std::string& local : derived) {
    const std::string found = bound_by_compare(local, nullptr);
    if (!found.empty() && !block.empty()) return "cdiv(" + found + ", " + block + ")";
  }
  for (const auto& [local, values] : definitions_) {
    if (axis_of(*values.front(), 0) != axis) continue;
    if (const std::string found = bound_by_compare(local, nullptr); !found.empty()) return found;
  }
  return "";
}

void Reader::read_grid() {
  std::set<int> axes;
  each<ast::Call>(function_, [&](const ast::Call& call) {
    if (const auto axis = axis_of(call, 0)) axes.insert(*axis);
  });
  const int last = axes.empty() ? 0 : *axes.rbegin();
  for (int axis = 0; axis <= last; ++axis) {
    std::string extent = axes.contains(axis) ? extent_of_axis(axis) : "1";
    if (axes.size() == 1 && axes.contains(axis)) {
      const std::string product = from_divisions();
      if (!product.empty()) extent = product;
    }
    reading_.grid.push_back(std::move(extent));
  }
  // Numbers without a use in the text are often the number of programs.
  for (std::string& extent : reading_.grid) {
    for (ReadParameter& one : reading_.parameters) {
      if (!extent.empty() || one.kind != Kind::number || one.line != 0 || holds(reading_.grid, one.name)) continue;
      extent = one.name;
      one.why = "not used in the kernel; perhaps the number of programs";
    }
  }
  if (axes.empty()) reading_.grid = {"1"};
}

std::string Reader::signature() const {
  std::string out;
  const auto& args = function_.args->args;
  const auto& defaults = function_.args->defaults;
  for (std::size_t i = 0; i < args.size(); ++i) {
    out += (i == 0 ? "" : ", ") + args[i]->name;
    if (args[i]->annotation) out += ": " + text(*args[i]->annotation);
    if (i + defaults.size() >= args.size()) out += "=" + text(*defaults[i + defaults.size() - args.size()]);
  }
  return function_.name + "(" + out + ")";
}

KernelReading Reader::read() {
  for (const ParameterInfo& one : kernel_.parameters) {
    ReadParameter read;
    read.name = one.name;
    read.has_default = one.default_value.has_value();
    if (one.is_constexpr) read.kind = Kind::constant;
    reading_.parameters.push_back(std::move(read));
  }
  reading_.signature = signature();
  read_pointers();
  read_numbers();
  read_constants();
  read_grid();
  return std::move(reading_);
}

}  // namespace

std::optional<KernelReading> read_kernel_text(const std::string& path, const KernelInfo& kernel) {
  const auto file = SourceFile::read(path);
  if (!file) return std::nullopt;
  DiagnosticSink ignored;  // list_kernels has said what is wrong
  const auto module = python_syntax::parse_python(*file, ignored);
  const ast::FunctionDef* function = function_of_module(*module, kernel.name);
  if (function == nullptr) return std::nullopt;
  return Reader(*module, *function, kernel).read();
}

}  // namespace lockstep::frontend
