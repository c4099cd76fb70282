#include "interpreter/evaluators/expand_asm.h"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/ptx/parser.h"
#include "interpreter/ptx/statements.h"
#include "ir/builder.h"
#include "support/scalar.h"

namespace lockstep::interpreter {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;
using ptx::MemoryAccess;
using ptx::Statement;

std::string text_of(const Op& op, std::string_view name) {
  const ir::Attribute value = op.attribute(name);
  return value && value.is_string() ? value->text : std::string();
}

/// A register between two pieces: its bits as an integer tile, and their origin.
struct HeldRegister {
  Value* bits = nullptr;       // i1 of a predicate, else iN of the register's width
  Value* pointer = nullptr;    // the operand that the register still holds
  std::set<Value*> made_of{};  // pointer operands that went into it
};

struct Piece {
  std::size_t begin = 0, end = 0;  // statements
  std::vector<std::string> in, out;
  bool orders_memory = false;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool mentions(const Statement& statement, const std::string& name) { return contains(statement.mentioned, name); }

/// The text between two accesses, and the registers that go in and out. `known`: those with a value.
Piece piece_at(const ptx::Statements& all, std::size_t begin, std::set<std::string>& known, std::size_t results) {
  Piece piece{begin, begin, {}, {}, false};
  std::set<std::string> mentioned, written;
  for (; piece.end < all.list.size() && !all.list[piece.end].access; ++piece.end) {
    const Statement& statement = all.list[piece.end];
    mentioned.insert(statement.mentioned.begin(), statement.mentioned.end());
    written.insert(statement.written.begin(), statement.written.end());
    piece.orders_memory = piece.orders_memory || statement.orders_memory;
  }
  std::copy_if(mentioned.begin(), mentioned.end(), std::back_inserter(piece.in),
               [&](const std::string& name) { return known.contains(name); });
  const auto results_end = all.operands.begin() + static_cast<std::ptrdiff_t>(results);
  const auto behind = all.list.begin() + static_cast<std::ptrdiff_t>(piece.end);
  for (const std::string& name : written) {
    const bool is_result = std::find(all.operands.begin(), results_end, name) != results_end;
    const auto is_read = [&](const Statement& later) { return mentions(later, name); };
    if (is_result || std::any_of(behind, all.list.end(), is_read)) piece.out.push_back(name);
  }
  known.insert(written.begin(), written.end());
  return piece;
}

/// An addition that takes a carry from an earlier piece.
bool takes_carry(const ptx::Statements& all, const Piece& piece) {
  bool has_carry = false;
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const std::string& text = all.list[i].text;
    const bool takes = text.find("addc") != std::string::npos || text.find("subc") != std::string::npos;
    if (takes && !has_carry) return true;
    has_carry = has_carry || text.find(".cc") != std::string::npos;
  }
  return false;
}

/// The structure of the asm, found without changing anything.
struct AsmPlan {
  ptx::Constraints constraints;
  ptx::Statements statements;
  std::string problem;
  std::size_t offset = 0;

  explicit AsmPlan(const Op& op) : constraints(ptx::parse_constraints(text_of(op, "constraints"))) {
    if (!constraints.problem.empty()) return;
    statements = ptx::split_statements(text_of(op, "asm_string"), constraints);
    problem = statements.problem;
    offset = statements.offset;
    if (!problem.empty() || !statements.touches_memory) return;
    if (op.integer_attribute("packed_element", 1) != 1)
      problem = "loading and storing in packs of several elements (pack > 1)";
    if (problem.empty() && !fits(op)) problem = "an asm whose operands do not fit its constraints";
    check_pieces(op);
  }

  bool can_expand() const { return constraints.problem.empty() && problem.empty() && statements.touches_memory; }

 private:
  bool fits(const Op& op) const {
    if (op.result_count() == 0 || constraints.list.size() != op.result_count() + op.operand_count()) return false;
    const auto is_fine = [&](const Value* value, std::size_t at, bool is_output) {
      const Type element = value->type().element();
      const auto kind = element.scalar_kind();
      const int bits = element.is_pointer() ? 64 : kind ? bit_width(*kind) : 0;
      return bits >= 8 && bits <= constraints.list[at].width && constraints.list[at].is_output == is_output &&
             value->type().shape() == op.result(0)->type().shape();
    };
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (!is_fine(op.result(i), i, true)) return false;
    }
    for (std::size_t i = 0; i < op.operand_count(); ++i) {
      if (!is_fine(op.operand(i), op.result_count() + i, false)) return false;
    }
    return true;
  }

  void check_pieces(const Op& op) {
    std::set<std::string> known(statements.operands.begin(), statements.operands.end());
    for (std::size_t at = 0; at < statements.list.size() && problem.empty();) {
      const Piece piece = piece_at(statements, at, known, op.result_count());
      offset = statements.list[at].offset;
      if (takes_carry(statements, piece)) problem = "a carry that is kept across a load or store";
      for (const auto* names : {&piece.in, &piece.out}) {
        for (const std::string& name : *names) {
          if (statements.widths.at(name) == 8) problem = "a register of 8 bits that is kept across a load or store";
        }
      }
      if (piece.end < statements.list.size()) {
        const Statement& access = statements.list[piece.end];
        known.insert(access.written.begin(), access.written.end());
      }
      at = piece.end + 1;
    }
  }
};

class Expansion {
 public:
  Expansion(Op& op, ir::Context& context, const AsmPlan& plan)
      : op_(op), context_(context), builder_(context), statements_(plan.statements) {
    builder_.set_insertion_point_before(op);
    builder_.set_location(op.location());
  }

  void run() {
    std::set<std::string> known;
    for (std::size_t i = 0; i < op_.operand_count(); ++i) {
      const std::string& name = statements_.operands[op_.result_count() + i];
      hold_operand(name, op_.operand(i));
      known.insert(name);
    }
    for (std::size_t at = 0; at < statements_.list.size();) {
      const Piece piece = piece_at(statements_, at, known, op_.result_count());
      compute(piece);
      if (piece.end < statements_.list.size()) {
        const Statement& statement = statements_.list[piece.end];
        statement.access->is_store ? store(statement) : load(statement);
        known.insert(statement.written.begin(), statement.written.end());
      }
      at = piece.end + 1;
    }
    for (std::size_t i = 0; i < op_.result_count(); ++i) {
      Value *result = op_.result(i), *bits = held(statements_.operands[i]).bits;
      result->replace_all_uses_with(as(narrowed(bits, width_of(result->type())), result->type().element()));
    }
    op_.erase();
  }

 private:
  // ---- types and small ops ----
  Type shaped(Type element) const {
    const Type type = op_.result(0)->type();
    return type.is_tensor() ? context_.tensor(type.shape(), element) : element;
  }
  Type integer(int width) const { return shaped(context_.integer(static_cast<std::uint32_t>(width))); }
  static int width_of(const Type& type) {
    const Type element = type.element();
    return element.is_pointer() ? 64 : bit_width(*element.scalar_kind());
  }
  Value* make(std::string_view spelling, const std::vector<Value*>& operands, Type type,
              std::vector<ir::NamedAttribute> attributes = {}, std::vector<std::uint32_t> segments = {}) {
    Op* made = builder_.create(spelling, operands, {type}, std::move(attributes), std::move(segments));
    made->set_span(op_.span());
    return made->result();
  }
  Value* number(int width, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return builder_.constant(integer(width), width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1));
  }
  Value* narrowed(Value* bits, int width) {
    return width_of(bits->type()) == width ? bits : make("arith.trunci", {bits}, integer(width));
  }
  Value* widened(Value* bits, int width, bool is_signed = false) {
    if (width_of(bits->type()) == width) return bits;
    return make(is_signed ? "arith.extsi" : "arith.extui", {bits}, integer(width));
  }
  /// The same bits as another type.
  Value* as(Value* value, const Type& element) {
    const Type from = value->type().element();
    if (from == element) return value;
    if (from.is_pointer() && element.is_pointer()) return make("tt.bitcast", {value}, shaped(element));
    if (from.is_pointer()) return make("tt.ptr_to_int", {value}, shaped(element));
    if (element.is_pointer()) return make("tt.int_to_ptr", {value}, shaped(element));
    return make("tt.bitcast", {value}, shaped(element));
  }
  Value* bits_of(Value* value) {
    return as(value, context_.integer(static_cast<std::uint32_t>(width_of(value->type()))));
  }

  // ---- registers ----
  void hold_operand(const std::string& name, Value* value) {
    HeldRegister& one = held_[name];
    one = {widened(bits_of(value), statements_.widths.at(name)), nullptr, {}};
    if (value->type().element().is_pointer()) {
      one.pointer = value;
      one.made_of.insert(value);
    }
  }
  /// A register that was never written holds 0.
  HeldRegister& held(const std::string& name) {
    HeldRegister& one = held_[name];
    if (one.bits == nullptr) one.bits = number(statements_.widths.at(name), 0);
    return one;
  }

  // ---- pieces without memory ----
  void compute(const Piece& piece) {
    if (piece.out.empty() && !piece.orders_memory) return;
    std::string text = "{ ", constraints;
    std::set<std::string> names(piece.in.begin(), piece.in.end());
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      names.insert(statements_.list[i].mentioned.begin(), statements_.list[i].mentioned.end());
    for (const std::string& name : names) {
      const int width = statements_.widths.at(name);
      text += width == 1 ? ".reg .pred " + name + "; " : ".reg .b" + std::to_string(width) + " " + name + "; ";
    }
    std::vector<Type> types;
    for (const std::string& name : piece.out) types.push_back(integer(carried_width(name)));
    if (types.empty()) types.push_back(integer(32));
    std::size_t next = types.size();
    for (std::size_t i = 0; i < types.size(); ++i)
      constraints += (i == 0 ? "=" : ",=") + letter(width_of(types[i]));
    std::vector<Value*> operands;
    for (const std::string& name : piece.in) {
      operands.push_back(widened(held(name).bits, carried_width(name)));
      constraints += "," + letter(carried_width(name));
      text += take_in(name, next++);
    }
    for (std::size_t i = piece.begin; i < piece.end; ++i) text += statements_.list[i].text + " ";
    for (std::size_t i = 0; i < piece.out.size(); ++i) text += give_out(piece.out[i], i);
    if (piece.out.empty()) text += "mov.b32 $0, 0; ";
    emit(piece, text + "}", constraints, operands, types);
  }

  /// Of the operand that carries the register into a piece or out of it.
  int carried_width(const std::string& name) const {
    const int width = statements_.widths.at(name);
    return width == 1 ? 32 : width;
  }
  static std::string letter(int width) { return width == 16 ? "h" : width == 32 ? "r" : "l"; }
  std::string take_in(const std::string& name, std::size_t operand) const {
    const int width = statements_.widths.at(name);
    const std::string from = "$" + std::to_string(operand);
    return width == 1 ? "setp.ne.b32 " + name + ", " + from + ", 0; "
                      : "mov.b" + std::to_string(width) + " " + name + ", " + from + "; ";
  }
  std::string give_out(const std::string& name, std::size_t operand) const {
    const int width = statements_.widths.at(name);
    const std::string to = "$" + std::to_string(operand);
    return width == 1 ? "selp.b32 " + to + ", 1, 0, " + name + "; "
                      : "mov.b" + std::to_string(width) + " " + to + ", " + name + "; ";
  }

  void emit(const Piece& piece, const std::string& text, const std::string& constraints,
            const std::vector<Value*>& operands, const std::vector<Type>& types) {
    const bool is_pure = !piece.orders_memory && text.find('%') == std::string::npos;
    Op* made = builder_.create("tt.elementwise_inline_asm", operands, types,
                               {{"asm_string", context_.string(text)},
                                {"constraints", context_.string(constraints)},
                                {"packed_element", context_.i32(1)},
                                {"pure", context_.boolean(is_pure || op_.integer_attribute("pure", 0) != 0)}});
    made->set_span(op_.span());
    follow_pointers(piece);
    for (std::size_t i = 0; i < piece.out.size(); ++i) {
      HeldRegister& one = held_[piece.out[i]];
      one.bits = narrowed(made->result(i), statements_.widths.at(piece.out[i]));
      one.pointer = nullptr;
    }
  }

  /// Which pointer operands flow into the piece's results.
  void follow_pointers(const Piece& piece) {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const Statement& statement = statements_.list[i];
      std::set<Value*> sources;
      for (const std::string& name : statement.mentioned) {
        if (contains(statement.written, name) && statement.guard.empty()) continue;
        const auto known = held_.find(name);
        if (known != held_.end()) sources.insert(known->second.made_of.begin(), known->second.made_of.end());
      }
      for (const std::string& name : statement.written) held_[name].made_of = sources;
    }
  }

  // ---- memory ----
  /// Pointers to the element at `offset` bytes from the address, of elements as wide as the access's.
  Value* pointer_to(const MemoryAccess& access, std::int64_t offset) {
    const HeldRegister address = held(access.address);
    const Type word = context_.integer(static_cast<std::uint32_t>(access.bits));
    if (address.made_of.size() != 1) {
      Value* at = offset == 0 ? address.bits : make("arith.addi", {address.bits, number(64, offset)}, integer(64));
      return as(at, context_.pointer(word));
    }
    Value* base = *address.made_of.begin();
    const Type pointee = base->type().element().pointee();
    const auto kind = pointee.scalar_kind();
    const bool is_as_wide = kind && *kind != ScalarKind::i1 && bit_width(*kind) == access.bits;
    const Type wanted = context_.pointer(is_as_wide ? pointee : word);
    if (address.pointer != nullptr && offset == 0) return as(base, wanted);
    Value* distance = number(64, offset);
    if (address.pointer == nullptr) {
      distance = make("arith.subi", {address.bits, as(base, context_.integer(64))}, integer(64));
      if (offset != 0) distance = make("arith.addi", {distance, number(64, offset)}, integer(64));
    }
    Value* bytes = as(base, context_.pointer(context_.integer(8)));
    return as(make("tt.addptr", {bytes, distance}, bytes->type()), wanted);
  }

  Value* mask_of(const Statement& statement) {
    if (statement.guard.empty()) return nullptr;
    Value* guard = held(statement.guard).bits;
    return statement.is_negated ? make("arith.xori", {guard, number(1, 1)}, integer(1)) : guard;
  }

  std::vector<ir::NamedAttribute> order_of(const MemoryAccess& access) {
    using Order = MemoryAccess::Order;
    const int order = access.order == Order::relaxed ? 1 : access.order == Order::acquire ? 2 : 3;
    return {{"sem", context_.i32(order)}, {"scope", context_.i32(access.scope)}};
  }

  void load(const Statement& statement) {
    const MemoryAccess& access = *statement.access;
    Value* mask = mask_of(statement);
    std::vector<Value*> loaded;
    for (std::size_t i = 0; i < access.values.size(); ++i) {
      Value* pointer = pointer_to(access, access.offset + static_cast<std::int64_t>(i) * (access.bits / 8));
      std::vector<Value*> operands{pointer};
      if (mask != nullptr) operands.push_back(mask);
      const Type type = shaped(pointer->type().element().pointee());
      loaded.push_back(access.order == MemoryAccess::Order::weak
                           ? make("tt.load", operands, type, {}, {1, mask != nullptr ? 1u : 0u, 0})
                           : make("tt.atomic_load", operands, type, order_of(access)));
    }
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      if (access.values[i].empty()) continue;
      const int width = statements_.widths.at(access.values[i]);
      Value* bits = widened(bits_of(loaded[i]), width, access.is_signed);
      if (mask != nullptr) bits = make("arith.select", {mask, bits, held(access.values[i]).bits}, integer(width));
      held_[access.values[i]] = {bits, nullptr, {}};
    }
  }

  void store(const Statement& statement) {
    const MemoryAccess& access = *statement.access;
    Value* mask = mask_of(statement);
    for (std::size_t i = 0; i < access.values.size(); ++i) {
      Value* pointer = pointer_to(access, access.offset + static_cast<std::int64_t>(i) * (access.bits / 8));
      std::vector<Value*> operands{
          pointer, as(narrowed(held(access.values[i]).bits, access.bits), pointer->type().element().pointee())};
      if (mask != nullptr) operands.push_back(mask);
      const bool is_weak = access.order == MemoryAccess::Order::weak;
      Op* made = builder_.create(is_weak ? "tt.store" : "tt.atomic_store", operands, {},
                                 is_weak ? std::vector<ir::NamedAttribute>{} : order_of(access));
      made->set_span(op_.span());
    }
  }

  Op& op_;
  ir::Context& context_;
  ir::Builder builder_;
  const ptx::Statements& statements_;
  std::map<std::string, HeldRegister> held_;
};

void collect(const Op& op, std::vector<Op*>& found) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) {
        if (inner->attribute("asm_string")) found.push_back(inner.get());
        collect(*inner, found);
      }
    }
  }
}

}  // namespace

void expand_memory_asm(ir::Module& module) {
  std::vector<Op*> found;
  collect(module.op(), found);
  for (Op* op : found) {
    if (const AsmPlan plan(*op); plan.can_expand()) Expansion(*op, module.context(), plan).run();
  }
}

std::string expansion_problem(const ir::Op& inline_asm) {
  const AsmPlan plan(inline_asm);
  if (plan.problem.empty() || !plan.statements.touches_memory) return {};
  return plan.problem + " (" + ptx::place_of(text_of(inline_asm, "asm_string"), plan.offset) + " of the asm string)";
}

}  // namespace lockstep::interpreter
