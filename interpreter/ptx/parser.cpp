#include "interpreter/ptx/parser.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lexer.h"
#include "interpreter/ptx/special.h"

namespace lockstep::interpreter::ptx {

namespace {

using Register = std::uint16_t;
using Kind = Token::Kind;

/// A row's match for a word like "cvt.rn.f16x2.f32".
struct Match {
  const Row* row = nullptr;
  Form form;
};

/// Matches the suffixes after a row's name.
bool match_suffixes(const Row& row, std::string_view rest, Form& form) {
  std::size_t types = 0;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the dot
    const std::string_view suffix = rest.substr(0, rest.find('.'));
    rest.remove_prefix(suffix.size());
    if (const auto type = parse_type(suffix)) {
      if (types == row.types.size() || (row.types[types] & set_of(*type)) == 0) return false;
      form.types[types++] = *type;
      continue;
    }
    const Modifiers modifier = parse_modifier(suffix);
    if (modifier == 0 || (modifier & row.modifiers) == 0 || (types > 0 && !row.late_modifiers)) return false;
    form.modifiers |= modifier & row.modifiers;
  }
  return types == row.types.size() || row.types[types] == 0;
}

std::optional<Match> find_row(std::string_view word) {
  for (std::size_t end = word.size(); end != std::string_view::npos && end > 0; end = word.rfind('.', end - 1)) {
    const std::string_view name = word.substr(0, end);
    for (const Row& row : rows()) {
      if (row.name != name) continue;
      Match match{&row, {}};
      if (match_suffixes(row, word.substr(end), match.form)) return match;
    }
    if (end == 0) break;
  }
  return std::nullopt;
}

class Parser : TokenCursor {
 public:
  Parser(std::string_view text, const Constraints& constraints, bool gives_bits)
      : TokenCursor(text), gives_bits_(gives_bits) {
    scopes_.emplace_back();
    for (const Constraint& one : constraints.list) {
      made_.program.operands.push_back(one.tied_to >= 0 ? made_.program.operands[static_cast<std::size_t>(one.tied_to)]
                                                        : new_register(one.width));
    }
    for (Register& scratch : scratch_) scratch = new_register(0);
  }

  Compiled run() {
    while (made_.problem.empty() && peek().kind != Kind::end) statement();
    if (made_.problem.empty() && scopes_.size() > 1) fail(peek(), "a '{' is not closed");
    made_.program.register_count = static_cast<Register>(widths_.size());
    return std::move(made_);
  }

 private:
  // ---- tokens and problems ----
  bool fail(const Token& at, std::string problem, bool is_unsupported = false) {
    if (!made_.problem.empty()) return false;
    made_.problem = std::move(problem);
    made_.offset = at.offset;
    made_.is_unsupported = is_unsupported;
    return false;
  }
  bool unsupported(const Token& at, std::string what) { return fail(at, std::move(what), true); }
  bool expect(std::string_view punctuation) {
    if (accept(punctuation)) return true;
    return fail(peek(), "expected '" + std::string(punctuation) + "'");
  }

  // ---- registers ----
  Register new_register(int width) {
    if (widths_.size() >= kMaxRegisters) {
      unsupported(peek(), "an asm string with more than " + std::to_string(kMaxRegisters) + " registers");
      return 0;
    }
    widths_.push_back(width);
    return static_cast<Register>(widths_.size() - 1);
  }
  Register immediate(std::uint64_t bits) {
    for (const Immediate& known : made_.program.immediates) {
      if (known.bits == bits) return known.index;
    }
    const Register index = new_register(0);
    made_.program.immediates.push_back({index, bits});
    return index;
  }
  const Register* find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto known = scope->find(name); known != scope->end()) return &known->second;
    }
    return nullptr;
  }

  // ---- statements ----
  void statement() {
    if (accept(";")) return;
    if (is("{")) {
      if (scopes_.size() >= kMaxScopes) {
        unsupported(peek(), "blocks nested more than " + std::to_string(kMaxScopes) + " deep");
        return;
      }
      next();
      scopes_.emplace_back();
      return;
    }
    if (is("}")) {
      if (scopes_.size() == 1) {
        fail(peek(), "a '}' without '{'");
        return;
      }
      next();
      scopes_.pop_back();
      return;
    }
    if (peek().kind == Kind::word && peek().text.starts_with(".")) return directive();
    instruction();
  }

  void directive() {
    const Token token = next();
    if (token.text != ".reg") {
      unsupported(token, "the directive '" + token.text + "'");
      return;
    }
    const Token type_token = next();
    const auto type = type_token.kind == Kind::word && type_token.text.size() > 1
                          ? parse_type(std::string_view(type_token.text).substr(1))
                          : std::nullopt;
    if (!type) {
      unsupported(type_token, "a register of type '" + type_token.text + "'");
      return;
    }
    do {
      if (!declare(width_of(*type))) return;
    } while (accept(","));
    expect(";");
  }

  bool declare(int width) {
    const Token name = next();
    if (name.kind != Kind::word) return fail(name, "expected the name of a register");
    if (!accept("<")) return declare_one(name, name.text, width);
    const Token count = next();
    if (count.kind != Kind::integer || !accept(">")) return fail(count, "expected a number of registers and '>'");
    if (count.value > kMaxRegisters) return unsupported(count, "that many registers");
    for (std::uint64_t i = 0; i < count.value; ++i) {
      if (!declare_one(name, name.text + std::to_string(i), width)) return false;
    }
    return true;
  }
  bool declare_one(const Token& at, const std::string& name, int width) {
    if (scopes_.back().contains(name)) return fail(at, "'" + name + "' is declared twice");
    scopes_.back()[name] = new_register(width);
    return made_.problem.empty();
  }

  // ---- instructions ----
  struct Guard {
    std::optional<Register> predicate;
    bool negated = false;
  };

  bool guard(Guard& made) {
    if (!accept("@")) return true;
    made.negated = accept("!");
    Register predicate = 0;
    if (!register_operand(next(), 1, 1, predicate)) return false;
    made.predicate = predicate;
    return true;
  }

  void instruction() {
    Guard made;
    if (!guard(made)) return;
    const Token word = next();
    if (word.kind != Kind::word) {
      fail(word, "expected an instruction");
      return;
    }
    if (is(":")) {
      unsupported(word, "the label '" + word.text + "'");
      return;
    }
    const auto match = find_row(word.text);
    if (!match) {
      unsupported(word, "the PTX instruction '" + word.text + "'");
      return;
    }
    if (made_.program.instructions.size() >= kMaxInstructions) {
      unsupported(word, "an asm string of more than " + std::to_string(kMaxInstructions) + " instructions");
      return;
    }
    Call call{word, *match->row, match->form, {}, made, {}};
    if (operands(call) && choose(call)) expect(";");
  }

  struct Call {
    Token word;
    const Row& row;
    Form form;
    Instruction made;
    Guard guard;
    std::vector<Register> written;  // what the text names; made.to may be scratch
    std::size_t destinations = 0;
    bool is_joined = false, is_split = false;
  };

  bool operands(Call& call) {
    const std::string_view codes = call.row.operands;
    const std::size_t colon = codes.find(':');
    bool first = true;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const char code = codes[i];
      if (code == ':' || code == '?') continue;
      if (code == 'k') {
        carry(call, i < colon);
        continue;
      }
      if (code == 'q') {
        if (accept("|") && !destination(call, 1, 1)) return false;
        continue;
      }
      const bool optional = i + 1 < codes.size() && codes[i + 1] == '?';
      if (optional && !is(",")) continue;
      if (!first && !expect(",")) return false;
      first = false;
      if (i < colon ? !destination_of(call, code) : !source_of(call, code)) return false;
    }
    return true;
  }

  void carry(Call& call, bool writes) {
    if (!carry_) carry_ = new_register(1);
    if (writes) {
      add_destination(call, *carry_);
    } else {
      call.made.from[call.form.sources++] = *carry_;
    }
  }

  Type type_of(const Call& call, char code) const {
    switch (code) {
      case '0':
      case 'D':
      case 'w': return call.form.types[0];
      case '1':
      case 'S': return call.form.types[1];
      case '2': return call.form.types[2];
      case 'p': return Type::pred;
      case 'h': return Type::u16;
      case 'b': return Type::b8;
      default: return Type::u32;
    }
  }

  bool destination_of(Call& call, char code) {
    const Type type = type_of(call, code);
    int width = width_of(type);
    if (code == 'w') width *= 2;
    const bool may_be_wider = code == 'D' && type >= Type::u8 && type <= Type::s64;
    if (call.row.name == "mov" && is("{")) return split_destination(call, width);
    return destination(call, width, may_be_wider ? 64 : width);
  }

  void add_destination(Call& call, Register target) {
    call.written.push_back(target);
    call.made.to[call.destinations] = call.guard.predicate ? scratch_[call.destinations] : target;
    ++call.destinations;
  }

  bool destination(Call& call, int width, int widest) {
    const Token token = next();
    Register target = 0;
    if (token.kind == Kind::word && token.text == "_") {
      target = scratch_[call.destinations];
    } else if (!register_operand(token, width, widest, target)) {
      return false;
    }
    if (call.destinations == 0) call.form.to_width = std::max(width, widths_[target]);
    call.form.second = call.destinations == 1;
    add_destination(call, target);
    return true;
  }

  /// A register named by $k or by its name, between `width` and `widest` bits.
  bool register_operand(const Token& token, int width, int widest, Register& out) {
    if (token.kind == Kind::operand) {
      if (token.value >= made_.program.operands.size())
        return fail(token, "'" + token.text + "' is not an operand: there are " +
                               std::to_string(made_.program.operands.size()) + " constraints");
      out = made_.program.operands[token.value];
    } else if (token.kind == Kind::word) {
      const Register* known = find(token.text);
      if (known == nullptr) {
        if (find_special(token.text) != nullptr) return fail(token, "'" + token.text + "' cannot be used here");
        if (token.text.starts_with("%")) return unsupported(token, "the register '" + token.text + "'");
        return fail(token, "'" + token.text + "' is not declared");
      }
      out = *known;
    } else {
      return fail(token, "expected a register");
    }
    const int held = widths_[out];
    if (held >= width && held <= widest) return true;
    return fail(token, "'" + token.text + "' has " + std::to_string(held) + " bits, the instruction needs " +
                           std::to_string(width));
  }

  bool source_of(Call& call, char code) {
    const Type type = type_of(call, code);
    if (code == 'i') return immediate_of(call);
    int width = width_of(type);
    if (code == 'w') width *= 2;
    if (call.row.name == "mov" && is("{")) return join_source(call, width);
    const bool may_be_wider = code == 'S' && type >= Type::u8 && type <= Type::s64;
    Register from = 0;
    if (!source(type, width, may_be_wider ? 64 : width, from)) return false;
    call.made.from[call.form.sources++] = from;
    return true;
  }

  bool source(Type type, int width, int widest, Register& out) {
    if (type == Type::pred) return predicate_source(out);
    const Token& token = peek();
    const bool is_literal =
        token.kind == Kind::integer || token.kind == Kind::floating || is("-") || is("+") || is("~");
    if (is_literal) return literal(type, width, out);
    if (token.kind == Kind::word && find(token.text) == nullptr) {
      if (token.text == "WARP_SZ") {
        next();
        out = immediate(32);
        return true;
      }
      if (const SpecialRegister* special = find_special(token.text)) return read_special(*special, width, out);
    }
    if (is("(") || is("[")) return unsupported(token, is("(") ? "a constant expression" : "an address");
    return register_operand(next(), width, widest, out);
  }

  bool read_special(const SpecialRegister& special, int width, Register& out) {
    const Token token = next();
    if (special.width != width)
      return fail(token, "'" + token.text + "' has " + std::to_string(special.width) + " bits, the instruction needs " +
                             std::to_string(width));
    out = new_register(width);
    Instruction read;
    read.run = special.read;
    read.to[0] = out;
    made_.program.instructions.push_back(read);
    return made_.problem.empty();
  }

  bool predicate_source(Register& out) {
    const bool negated = accept("!");
    const Token token = next();
    if (token.kind == Kind::integer && token.value <= 1 && !negated) {
      out = immediate(token.value);
      return true;
    }
    if (!register_operand(token, 1, 1, out)) return false;
    if (!negated) return true;
    Instruction flip;
    flip.run = negate;
    flip.from[0] = out;
    flip.to[0] = out = new_register(1);
    made_.program.instructions.push_back(flip);
    return made_.problem.empty();
  }

  // ---- literals ----
  bool literal(Type type, int width, Register& out) {
    bool minus = false, invert = false;
    const Token first = peek();
    while (is("-") || is("+") || is("~")) {
      if (is("~") && minus) return unsupported(peek(), "a constant expression");
      minus = minus != is("-");
      invert = invert != is("~");
      next();
    }
    const Token token = next();
    if (is("+") || is("-") || is("<") || is(">") || is("|")) return unsupported(first, "a constant expression");
    if (token.kind == Kind::floating) return float_literal(token, type, width, minus, invert, out);
    if (token.kind != Kind::integer) return fail(token, "expected a number");
    if (is_float_only(type)) return fail(token, "an integer where the instruction needs a floating-point number");
    std::uint64_t bits = token.value;
    if (minus) bits = 0 - bits;
    if (invert) bits = ~bits;
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const bool fits = (bits & ~mask) == 0 || (bits | mask >> 1) == ~std::uint64_t{0};
    if (!fits) return fail(first, "the number does not fit into " + std::to_string(width) + " bits");
    out = immediate(bits & mask);
    return true;
  }
  static bool is_float_only(Type type) { return (type >= Type::f16 && type <= Type::f32x2) || type > Type::s16x2; }

  bool float_literal(const Token& token, Type type, int width, bool minus, bool invert, Register& out) {
    const bool is_wide = type == Type::f64 || type == Type::b64;
    const bool is_single = type == Type::f32 || type == Type::b32 || type == Type::tf32;
    if (invert || (!is_wide && !is_single))
      return fail(token,
                  "a floating-point number where the instruction takes none of " + std::to_string(width) + " bits");
    double value = token.is_single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(token.value)))
                                   : std::bit_cast<double>(token.value);
    if (token.is_single && is_single) {  // the bits themselves: a NaN keeps its payload
      out = immediate(minus ? token.value ^ 0x80000000u : token.value);
      return true;
    }
    if (minus) value = -value;
    out = immediate(is_wide ? std::bit_cast<std::uint64_t>(value)
                            : std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    return true;
  }

  bool immediate_of(Call& call) {
    const Token token = next();
    if (token.kind != Kind::integer) return unsupported(token, "'" + token.text + "' in place of an immediate");
    call.form.immediate = token.value;
    return true;
  }

  // ---- mov.b32 {a, b}, c and its like ----
  bool elements(Call& call, std::vector<Token>& names) {
    const Token open = next();
    do {
      names.push_back(next());
    } while (accept(","));
    if (!expect("}")) return false;
    const bool is_untyped =
        call.form.type() == Type::b16 || call.form.type() == Type::b32 || call.form.type() == Type::b64;
    if (!is_untyped || (names.size() != 2 && names.size() != 4))
      return unsupported(open, "'" + call.word.text + "' with " + std::to_string(names.size()) + " elements");
    return true;
  }

  bool split_destination(Call& call, int width) {
    std::vector<Token> names;
    const Token open = peek();
    if (!elements(call, names)) return false;
    const int each = width / static_cast<int>(names.size());
    if (each < 8) return fail(open, "elements of fewer than 8 bits");
    for (const Token& name : names) {
      Register target = scratch_[call.destinations];
      if (name.text != "_" && !register_operand(name, each, each, target)) return false;
      add_destination(call, target);
    }
    call.is_split = true;
    call.made.detail = static_cast<std::uint32_t>(names.size()) | static_cast<std::uint32_t>(each) << 8;
    return true;
  }

  bool join_source(Call& call, int width) {
    std::vector<Token> names;
    const Token open = peek();
    if (call.is_split) return fail(open, "both sides of the move are vectors");
    if (!elements(call, names)) return false;
    const int each = width / static_cast<int>(names.size());
    if (each < 8) return fail(open, "elements of fewer than 8 bits");
    for (const Token& name : names) {
      Register from = 0;
      if (!register_operand(name, each, each, from)) return false;
      call.made.from[call.form.sources++] = from;
    }
    call.is_joined = true;
    call.made.detail = static_cast<std::uint32_t>(names.size()) | static_cast<std::uint32_t>(each) << 8;
    return true;
  }

  // ---- lowering ----
  bool choose(Call& call) {
    if (call.is_split || call.is_joined) {
      call.made.run = call.is_split ? split : join;
    } else {
      call.form.gives_bits = gives_bits_;
      const Choice choice = call.row.select(call.form);
      if (choice.run == nullptr) return unsupported(call.word, "the PTX instruction '" + call.word.text + "'");
      call.made.run = choice.run;
      call.made.detail = choice.detail;
      call.made.rounding = choice.rounding;
    }
    made_.program.instructions.push_back(call.made);
    if (!call.guard.predicate) return true;
    for (const bool is_guard : {false, true}) {  // the guard itself changes last
      for (std::size_t i = 0; i < call.destinations; ++i) {
        if ((call.written[i] == *call.guard.predicate) == is_guard) keep_where_true(call, i);
      }
    }
    return true;
  }

  void keep_where_true(const Call& call, std::size_t i) {
    Instruction keep;
    keep.run = blend;
    keep.to[0] = call.written[i];
    keep.from = {*call.guard.predicate, scratch_[i]};
    keep.detail = call.guard.negated ? 1 : 0;
    made_.program.instructions.push_back(keep);
  }

  std::vector<int> widths_;  // by register; 0: any
  std::array<Register, 4> scratch_{};
  std::optional<Register> carry_;
  std::vector<std::unordered_map<std::string, Register>> scopes_;
  bool gives_bits_;
  Compiled made_;
};

}  // namespace

Compiled compile(std::string_view assembly, const Constraints& constraints, bool gives_bits) {
  if (assembly.size() <= kMaxText) return Parser(assembly, constraints, gives_bits).run();
  Compiled made;
  made.problem = "an asm string of more than " + std::to_string(kMaxText) + " bytes";
  made.is_unsupported = true;
  return made;
}

std::string place_of(std::string_view assembly, std::size_t offset) {
  offset = std::min(offset, assembly.size());
  const std::string_view before = assembly.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? offset + 1 : offset - start;
  const std::string text = "column " + std::to_string(column);
  return assembly.find('\n') == std::string_view::npos ? text : "line " + std::to_string(lines + 1) + ", " + text;
}

}  // namespace lockstep::interpreter::ptx
