#include "fuzz/sampler.h"

#include <algorithm>
#include <array>
#include <memory>

#include "ir/op_registry.h"
#include "ir/opcode.h"
#include "ir/text/parser.h"
#include "ir/verify/type_relation.h"
#include "ir/verify/verifier.h"

namespace lockstep::fuzz {
namespace {

using ir::Arity;
using ir::OpDef;
using ir::Relation;
using ir::RelationTerm;
using ir::Type;
using ir::TypeRule;
using Function = RelationTerm::Function;

constexpr int kAttempts = 60;
constexpr std::array kIntegers = {ScalarKind::i1, ScalarKind::i8, ScalarKind::i16, ScalarKind::i32, ScalarKind::i64};
constexpr std::array kFloats = {ScalarKind::f16, ScalarKind::bf16,     ScalarKind::f32,
                                ScalarKind::f64, ScalarKind::f8E4M3FN, ScalarKind::f8E5M2};

bool verifies(const ir::OpRegistry& ops, const std::string& text) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(ops, std::make_shared<SourceFile>("sample.ttir", text), sink);
  return module && ir::verify(*module, sink);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

/// Whether some relation gives the type of this group.
bool is_given(const OpDef& def, bool is_result, std::size_t index) {
  for (const Relation& relation : ir::relations_of(def)) {
    const bool sets = relation.left.function == Function::same || relation.left.function == Function::element;
    if (sets && relation.left.is_result == is_result && relation.left.index == index) return true;
  }
  return false;
}

}  // namespace

Sampler::Sampler(const ir::OpRegistry& ops, Random& random, SampleStyle style)
    : context_(ops), random_(random), style_(style) {
  if (!is_launchable()) return;
  for (int i = 0; i < 2; ++i) {
    shapes_.push_back(random_shape(1024, 8));
    numbers_.push_back(random_.one_in(3) ? random_.pick(kIntegers) : random_.pick(kFloats));
  }
  text_.head = "    %part = tt.get_program_id x : i32\n    %extent = arith.constant " + std::to_string(kPartElements) +
               " : i32\n    %begin = arith.muli %part, %extent : i32\n";
}

std::string Sampler::name() { return "%v" + std::to_string(next_++); }

Shape Sampler::random_shape(std::int64_t most, std::size_t extents) {
  Shape shape;
  for (std::size_t rank = 1 + random_.below(3); rank > 0; --rank) {
    const std::int64_t extent = std::min<std::int64_t>(most, std::int64_t{1} << random_.below(extents));
    shape.push_back(extent);
    most /= extent;
  }
  return shape;
}

Shape Sampler::shape() {
  if (is_launchable() && !random_.one_in(4)) return random_.pick(shapes_);
  return random_shape(64, 5);
}

ScalarKind Sampler::number() {
  if (is_launchable() && !random_.one_in(3)) return random_.pick(numbers_);
  return random_.one_in(2) ? random_.pick(kIntegers) : random_.pick(kFloats);
}

Type Sampler::type(TypeRule rule, const Shape& shape) {
  const auto in_shape = [&](Type element) { return shape.empty() ? element : context_.tensor(shape, element); };
  const auto integer = [&] { return context_.scalar(random_.pick(kIntegers)); };
  const auto real = [&] { return context_.scalar(random_.pick(kFloats)); };
  switch (rule) {
    case TypeRule::any:
    case TypeRule::scalar_or_tile_of_number: return in_shape(context_.scalar(number()));
    case TypeRule::scalar_or_tile_of_integer: return in_shape(integer());
    case TypeRule::scalar_or_tile_of_float: return in_shape(real());
    case TypeRule::scalar_or_tile_of_pointer: return in_shape(context_.pointer(context_.scalar(number())));
    case TypeRule::boolean_like: return in_shape(context_.integer(1));
    case TypeRule::integer: return integer();
    case TypeRule::floating: return real();
    case TypeRule::i1: return context_.integer(1);
    case TypeRule::i32: return context_.integer(32);
    case TypeRule::i64: return context_.integer(64);
    case TypeRule::pointer: return context_.pointer(context_.scalar(number()));
    case TypeRule::tile: return shape.empty() ? Type() : in_shape(context_.scalar(number()));
    case TypeRule::tile_of_integer: return shape.empty() ? Type() : in_shape(integer());
    case TypeRule::tile_of_float: return shape.empty() ? Type() : in_shape(real());
    case TypeRule::descriptor: return context_.descriptor(tile(number(), {8, 32}));
    case TypeRule::index_or_integer: return context_.integer(32);
    case TypeRule::i16: return context_.integer(16);
    case TypeRule::i128: return context_.integer(128);
    case TypeRule::memdesc:
    case TypeRule::tile_or_memdesc:
    case TypeRule::token:
    case TypeRule::aref: return {};  // no kernel of Triton's language has them
  }
  return {};
}

/// The base of a tensor of that type: the one that all loads share, or a private one (`is_own`).
std::string Sampler::parameter(Type pointee, bool is_own) {
  const std::string type = "!tt.ptr<" + pointee.to_string() + ">";
  const std::string own = is_own && is_launchable() ? name() : "";
  const std::string name = own.empty() ? "%" + pointee.to_string() : own;
  auto& known = text_.parameters;
  const bool is_known = std::any_of(known.begin(), known.end(), [&](const std::string& one) {
    return one.compare(0, name.size() + 1, name + ":") == 0;
  });
  const bool is_new = !is_known;
  if (is_new) known.push_back(name + ": " + type);
  if (!is_launchable()) return name;
  if (is_new) {
    if (!random_.one_in(4)) known.back() += " {tt.divisibility = 16 : i32}";
    text_.head += "    " + name + "_part = tt.addptr " + name + ", %begin : " + type + ", i32\n";
  }
  return name + "_part";
}

/// A result of an earlier op, often; "" if there is none, or by chance.
std::string Sampler::earlier(Type type) {
  if (random_.one_in(4)) return "";
  std::vector<std::string> fitting;
  for (const auto& [name, known] : text_.results) {
    if (known.to_string() == type.to_string()) fitting.push_back(name);
  }
  return fitting.empty() ? "" : random_.pick(fitting);
}

/// Other places for the elements, sometimes: apart from each other, or in another order. All are distinct.
std::string Sampler::spread(const std::string& offsets, const std::string& type, std::int64_t count) {
  if (!random_.one_in(3)) return offsets;
  const bool is_turned = random_.one_in(2);
  const std::int64_t apart = 2 + static_cast<std::int64_t>(random_.below(2));
  if (!is_turned && count * apart > kPartElements) return offsets;
  const std::int64_t number =
      is_turned ? static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(count))) : apart;
  const std::string constant = name(), result = name();
  line(constant + " = arith.constant dense<" + std::to_string(number) + "> : " + type);
  line(result + (is_turned ? " = arith.xori " : " = arith.muli ") + offsets + ", " + constant + " : " + type);
  return result;
}

std::string Sampler::pointers(Type type, bool is_own) {
  const Type pointer = type.element();
  if (!pointer.pointee().is_integer() && !pointer.pointee().is_float()) return "";
  const std::string base = parameter(pointer.pointee(), is_own);
  if (!type.is_tensor()) return base;
  const std::int64_t count = type.element_count();
  const std::string range_type = context_.tensor({count}, context_.integer(32)).to_string();
  const std::string offset_type = context_.tensor(type.shape(), context_.integer(32)).to_string();
  const std::string range = name(), offsets = name(), bases = name(), result = name();
  line(range + " = tt.make_range {end = " + std::to_string(count) + " : i32, start = 0 : i32} : " + range_type);
  line(offsets + " = tt.reshape " + range + " : " + range_type + " -> " + offset_type);
  const std::string places = is_launchable() ? spread(offsets, offset_type, count) : offsets;
  line(bases + " = tt.splat " + base + " : " + pointer.to_string() + " -> " + type.to_string());
  line(result + " = tt.addptr " + bases + ", " + places + " : " + type.to_string() + ", " + offset_type);
  return result;
}

std::string Sampler::value(Type type) {
  if (!type) return "";
  if (type.element().is_pointer()) return pointers(type, true);
  if (type.is_index()) {
    const std::string result = name();
    line(result + " = arith.constant " + std::to_string(random_.below(8)) + " : index");
    return result;
  }
  if (type.is_descriptor()) {
    const Type block = type.pointee();
    if (block.shape().size() != 2) return "";
    const std::string rows = value(context_.integer(32)), stride = name(), one = name(), result = name();
    line(stride + " = arith.constant 64 : i64");
    line(one + " = arith.constant 1 : i64");
    line(result + " = tt.make_tensor_descriptor " + parameter(block.element(), true) + ", [" + rows + ", " + rows +
         "], [" + stride + ", " + one + "] : !tt.ptr<" + block.element().to_string() + ">, " + type.to_string());
    return result;
  }
  if (!type.element().is_integer() && !type.element().is_float()) return "";
  if (const std::string known = is_launchable() ? earlier(type) : ""; !known.empty()) return known;
  const std::string result = name();
  const Type pointer =
      type.is_tensor() ? context_.tensor(type.shape(), context_.pointer(type.element())) : context_.pointer(type);
  const std::string from = pointers(pointer, false);
  line(result + " = tt.load " + from + " : " + pointer.to_string());
  return result;
}

void Sampler::keep(std::string name, Type type) {
  const Type element = type.element();
  if (!element.is_integer() && !element.is_float()) return;
  std::string body = std::move(text_.body);
  text_.body.clear();
  const Type pointer =
      type.is_tensor() ? context_.tensor(type.shape(), context_.pointer(element)) : context_.pointer(type);
  const std::string to = pointers(pointer, true);
  line("tt.store " + to + ", " + name + " : " + pointer.to_string());
  text_.stores += text_.body;
  text_.body = std::move(body);
  if (is_launchable()) text_.results.emplace_back(name, type);
}

void Sampler::infer(const OpDef& def, Drawn& drawn, const Shape& shape) {
  const auto types_of = [&drawn](const RelationTerm& term) -> std::vector<Type>& {
    return term.is_result ? drawn.results[term.index] : drawn.operands[term.index];
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (const Relation& relation : ir::relations_of(def)) {
      if (relation.left.function == Function::shape || !types_of(relation.left).empty()) continue;
      const bool is_fixed = relation.right.function == Function::fixed;
      if (!is_fixed && types_of(relation.right).empty()) continue;
      Type type = ir::apply_term(context_, relation.right, is_fixed ? Type() : types_of(relation.right)[0]);
      if (!type) continue;
      if (relation.left.function == Function::element && !shape.empty()) type = context_.tensor(shape, type.element());
      types_of(relation.left) = {type};
      progress = true;
    }
  }
}

bool Sampler::draw_types(const OpDef& def, Drawn& drawn) {
  drawn = {std::vector<std::vector<Type>>(def.operands.size()), std::vector<std::vector<Type>>(def.results.size())};
  const Shape shape = random_.one_in(3) ? Shape{} : this->shape();
  for (const bool wants_given : {false, true}) {
    for (const bool is_result : {true, false}) {
      const std::size_t count = is_result ? def.results.size() : def.operands.size();
      for (std::size_t i = 0; i < count; ++i) {
        auto& types = is_result ? drawn.results[i] : drawn.operands[i];
        const TypeRule rule = is_result ? def.results[i].rule : def.operands[i].rule;
        if (!types.empty() || is_given(def, is_result, i) != wants_given) continue;
        const Type drawn_type = type(rule, shape);
        if (!drawn_type) return false;
        types = {drawn_type};
        infer(def, drawn, shape);
      }
    }
  }
  for (std::size_t i = 0; i < def.operands.size(); ++i) {
    if (def.operands[i].arity == Arity::variadic) drawn.operands[i].clear();
    if (def.operands[i].arity == Arity::optional && random_.one_in(2)) drawn.operands[i].clear();
  }
  return true;
}

std::string Sampler::attributes(const OpDef& def, const Drawn& drawn) {
  std::vector<std::string> entries;
  for (const ir::AttributeSpec& spec : def.attributes) {
    if (spec.presence != ir::Presence::required && !random_.one_in(4)) continue;
    const std::string equals = std::string(spec.name) + " = ";
    switch (spec.rule) {
      case ir::AttributeRule::enumeration:
        entries.push_back(equals + std::to_string(random_.pick(spec.enumeration->cases).value) +
                          (spec.name == "predicate" ? " : i64" : " : i32"));
        break;
      case ir::AttributeRule::i32: entries.push_back(equals + std::to_string(random_.below(3)) + " : i32"); break;
      case ir::AttributeRule::i64: entries.push_back(equals + std::to_string(random_.below(3)) + " : i64"); break;
      case ir::AttributeRule::boolean: entries.push_back(equals + (random_.one_in(2) ? "true" : "false")); break;
      case ir::AttributeRule::string: entries.push_back(equals + "\"text\""); break;
      case ir::AttributeRule::unit: entries.push_back(std::string(spec.name)); break;
      default: break;
    }
  }
  if (ir::has_operand_segments(def)) {
    std::string sizes;
    for (const auto& types : drawn.operands) sizes += (sizes.empty() ? "" : ", ") + std::to_string(types.size());
    entries.push_back("operandSegmentSizes = array<i32: " + sizes + ">");
  }
  return entries.empty() ? "" : " <{" + joined(entries) + "}>";
}

bool Sampler::add_generic(const OpDef& def) {
  Drawn drawn;
  if (def.region_count != 0 || def.successor_count != 0 || !draw_types(def, drawn)) return false;
  std::vector<std::string> operands, operand_types, results, result_types;
  for (const auto& types : drawn.operands) {
    for (const Type type : types) {
      operands.push_back(value(type));
      operand_types.push_back(type.to_string());
      if (operands.back().empty()) return false;
    }
  }
  for (const auto& types : drawn.results) {
    for (const Type type : types) {
      results.push_back(name());
      result_types.push_back(type.to_string());
      keep(results.back(), type);
    }
  }
  line(joined(results) + (results.empty() ? "\"" : " = \"") + std::string(def.spelling) + "\"(" + joined(operands) +
       ")" + attributes(def, drawn) + " : (" + joined(operand_types) + ") -> (" + joined(result_types) + ")");
  return true;
}

bool Sampler::sample_op(const OpDef& def) {
  const Text before = text_;
  const ir::SampleHook hook = def.sample;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool added = true;
    if (hook != nullptr)
      hook(*this);
    else
      added = add_generic(def);
    if (added && verifies(context_.ops(), text())) return true;
    text_ = before;
  }
  return false;
}

std::string Sampler::text() const {
  return "module {\n" + text_.functions + "  tt.func public @sample(" + joined(text_.parameters) +
         ") attributes {noinline = false} {\n" + text_.head + text_.body + text_.stores + "    tt.return\n  }\n}\n";
}

std::vector<const OpDef*> sampled_rows(const ir::OpRegistry& ops) {
  const auto is_of_ttgir = [](const OpDef& def) {
    for (const std::string_view dialect : {"ttg.", "ttng.", "nvws.", "gluon."}) {
      if (def.spelling.starts_with(dialect)) return def.emit_cuda == nullptr || !def.until.empty();
    }
    return false;
  };
  std::vector<const OpDef*> rows;
  for (const OpDef* def : ops.rows()) {
    if (!is_of_ttgir(*def)) rows.push_back(def);
  }
  return rows;
}

std::string sample_kernel(const ir::OpRegistry& ops, Random& random) {
  Sampler sampler(ops, random);
  const auto rows = sampled_rows(ops);
  for (std::size_t count = 1 + random.below(4); count > 0; --count) sampler.sample_op(*random.pick(rows));
  return sampler.text();
}

std::string sample_launchable(const ir::OpRegistry& ops, Random& random, std::size_t most) {
  Sampler sampler(ops, random, SampleStyle::launchable);
  const auto rows = sampled_rows(ops);
  std::size_t count = 1 + random.below(most);
  while (count > 0) {
    const OpDef& def = *random.pick(rows);
    if (!def.is_same_everywhere) continue;
    sampler.sample_op(def);
    --count;
  }
  return sampler.text();
}

}  // namespace lockstep::fuzz
