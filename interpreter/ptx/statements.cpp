#include "interpreter/ptx/statements.h"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/ptx/lexer.h"
#include "interpreter/ptx/parser.h"
#include "interpreter/ptx/types.h"

namespace lockstep::interpreter::ptx {

namespace {

using Kind = Token::Kind;

/// Suffixes without an effect here: global memory, and how caches are used.
constexpr std::array<std::string_view, 20> kHints{"global",
                                                  "weak",
                                                  "nc",
                                                  "ca",
                                                  "cg",
                                                  "cs",
                                                  "lu",
                                                  "cv",
                                                  "wb",
                                                  "wt",
                                                  "L1::evict_normal",
                                                  "L1::evict_unchanged",
                                                  "L1::evict_first",
                                                  "L1::evict_last",
                                                  "L1::no_allocate",
                                                  "L2::evict_normal",
                                                  "L2::evict_last",
                                                  "L2::64B",
                                                  "L2::128B",
                                                  "L2::256B"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_moved(Type type) {
  return (type >= Type::b8 && type <= Type::s64) || type == Type::f32 || type == Type::f64;
}

/// The suffixes of "ld" or "st". A problem is the reason why Lockstep does not handle it.
struct Suffixes {
  MemoryAccess access;
  std::size_t count = 1;    // elements
  bool is_foreign = false;  // another memory, or something that is not known here
  std::string problem;

  explicit Suffixes(std::string_view word) {
    access.is_store = word.starts_with("st");
    word.remove_prefix(2);
    while (!word.empty() && problem.empty() && !is_foreign) {
      word.remove_prefix(1);
      const std::string_view suffix = word.substr(0, word.find('.'));
      word.remove_prefix(suffix.size());
      take(suffix);
    }
    if (!problem.empty() || is_foreign) return;
    if (!has_type_) problem = "without a type";
    const bool is_ordered = access.order != MemoryAccess::Order::weak;
    if (is_ordered != (access.scope != 0)) problem = is_ordered ? "without a scope" : "with a scope and no order";
    if (count * static_cast<std::size_t>(access.bits) > 128) problem = "of more than 16 bytes";
  }

 private:
  void take(std::string_view suffix) {
    using Order = MemoryAccess::Order;
    const auto type = parse_type(suffix);
    if (has_type_) {
      problem = "with something after its type";
    } else if (type && is_moved(*type)) {
      access.bits = width_of(*type);
      access.is_signed = is_signed_type(*type);
      has_type_ = true;
    } else if (suffix == "v2" || suffix == "v4") {
      count = suffix == "v2" ? 2 : 4;
    } else if (suffix == "volatile") {  // orders as relaxed.sys does
      access.order = Order::relaxed;
      access.scope = 3;
    } else if (suffix == "relaxed") {
      access.order = Order::relaxed;
    } else if (suffix == (access.is_store ? "release" : "acquire")) {
      access.order = access.is_store ? Order::release : Order::acquire;
    } else if (suffix == "gpu" || suffix == "cluster" || suffix == "cta" || suffix == "sys") {
      access.scope = suffix == "cta" ? 2 : suffix == "sys" ? 3 : 1;
    } else if (!contains(kHints, suffix)) {
      is_foreign = true;
    }
  }

  bool has_type_ = false;
};

class Splitter : TokenCursor {
 public:
  Splitter(std::string_view assembly, const Constraints& constraints) : TokenCursor(assembly) {
    scopes_.emplace_back();
    for (const Constraint& one : constraints.list) {
      made_.operands.push_back(one.tied_to >= 0 ? made_.operands[static_cast<std::size_t>(one.tied_to)]
                                                : new_register(one.width));
    }
  }

  Statements run() {
    while (made_.problem.empty() && peek().kind != Kind::end) statement();
    if (made_.problem.empty() && scopes_.size() > 1) fail(peek(), "a '{' is not closed");
    return std::move(made_);
  }

 private:
  bool fail(const Token& at, std::string problem) {
    if (!made_.problem.empty()) return false;
    made_.problem = std::move(problem);
    made_.offset = at.offset;
    return false;
  }

  std::string new_register(int width) {
    std::string name = "lk" + std::to_string(made_.widths.size());
    made_.widths[name] = width;
    return name;
  }

  /// The register of a token; empty: none.
  std::string register_of(const Token& token) const {
    if (token.kind == Kind::operand) return token.value < made_.operands.size() ? made_.operands[token.value] : "";
    if (token.kind != Kind::word) return {};
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto known = scope->find(token.text); known != scope->end()) return known->second;
    }
    return {};
  }

  void statement() {
    if (accept(";")) return;
    if (accept("{")) {
      scopes_.emplace_back();
    } else if (is("}")) {
      if (scopes_.size() == 1) {
        fail(peek(), "a '}' without '{'");
        return;
      }
      next();
      scopes_.pop_back();
    } else if (peek().kind == Kind::word && peek().text.starts_with(".")) {
      directive();
    } else {
      instruction();
    }
  }

  void directive() {
    const Token word = next(), type_word = next();
    const auto type = parse_type(std::string_view(type_word.text).substr(type_word.text.empty() ? 0 : 1));
    const int width = type.has_value() ? width_of(type.value()) : 0;
    if (word.text != ".reg" || width == 0) {
      fail(word, "the directive '" + word.text + "'");
      return;
    }
    do {
      const Token name = next();
      if (name.kind != Kind::word) {
        fail(name, "expected the name of a register");
        return;
      }
      if (!accept("<")) {
        scopes_.back()[name.text] = new_register(width);
        continue;
      }
      const Token count = next();
      if (count.kind != Kind::integer || count.value > 256 || !accept(">")) {
        fail(count, "expected a number of registers");
        return;
      }
      for (std::uint64_t i = 0; i < count.value; ++i)
        scopes_.back()[name.text + std::to_string(i)] = new_register(width);
    } while (accept(","));
    if (!accept(";")) fail(peek(), "expected ';'");
    if (made_.widths.size() > kMaxRegisters) fail(word, "more than " + std::to_string(kMaxRegisters) + " registers");
  }

  void instruction() {
    Statement made;
    made.offset = peek().offset;
    if (accept("@")) {
      made.is_negated = accept("!");
      made.guard = register_of(peek());
      if (made.guard.empty() || made_.widths[made.guard] != 1) {
        fail(peek(), "expected a predicate");
        return;
      }
      next();
      made.text = std::string(made.is_negated ? "@!" : "@") + made.guard + " ";
      note(made, made.guard);
    }
    const Token word = next();
    if (word.kind != Kind::word || is(":")) {
      fail(word, is(":") ? "the label '" + word.text + "'" : "expected an instruction");
      return;
    }
    const std::string_view base = std::string_view(word.text).substr(0, word.text.find('.'));
    made.orders_memory = base == "fence" || base == "membar" || base == "bar";
    const bool done = base == "ld" || base == "st" ? memory(word, made) : plain(word, made);
    if (done) made_.list.push_back(std::move(made));
    if (made_.list.size() > kMaxInstructions)
      fail(word, "more than " + std::to_string(kMaxInstructions) + " instructions");
  }

  static void note(Statement& made, const std::string& name) {
    if (!name.empty() && !contains(made.mentioned, name)) made.mentioned.push_back(name);
  }

  /// Registers before the first comma outside of braces count as written.
  bool plain(const Token& word, Statement& made) {
    made.text += word.text;
    bool is_first = true;
    int depth = 0;
    while (!is(";")) {
      if (peek().kind == Kind::end) return fail(peek(), "expected ';'");
      const Token token = next();
      const std::string name = register_of(token);
      made.text += " " + (name.empty() ? token.text : name);
      if (token.text == "{") ++depth;
      if (token.text == "}") --depth;
      if (token.text == "," && depth == 0) is_first = false;
      note(made, name);
      if (is_first && !name.empty()) made.written.push_back(name);
    }
    next();
    made.text += ";";
    return true;
  }

  bool memory(const Token& word, Statement& made) {
    const Suffixes suffixes(word.text);
    if (suffixes.is_foreign) return fail(word, "the PTX instruction '" + word.text + "'");
    made_.touches_memory = true;
    if (!suffixes.problem.empty()) return fail(word, "the PTX instruction '" + word.text + "' " + suffixes.problem);
    made.access = suffixes.access;
    MemoryAccess& access = *made.access;
    const bool parsed = access.is_store ? address(access) && comma() && values(access, suffixes.count)
                                        : values(access, suffixes.count) && comma() && address(access);
    if (!parsed) return false;
    if (!accept(";")) return fail(peek(), "expected ';'");
    note(made, access.address);
    for (const std::string& value : access.values) {
      note(made, value);
      if (!access.is_store && !value.empty()) made.written.push_back(value);
    }
    return true;
  }
  bool comma() { return accept(",") || fail(peek(), "expected ','"); }

  bool values(MemoryAccess& access, std::size_t count) {
    const bool braced = accept("{");
    do {
      const Token token = next();
      const std::string name = register_of(token);
      const bool is_nowhere = token.text == "_" && !access.is_store && count > 1;
      if (name.empty() && !is_nowhere) return fail(token, "expected a register");
      if (!name.empty() && made_.widths[name] < std::max(access.bits, 16))
        return fail(token, "'" + token.text + "' has " + std::to_string(made_.widths[name]) +
                               " bits, the access needs " + std::to_string(access.bits));
      access.values.push_back(name);
    } while (braced && accept(","));
    if (braced && !accept("}")) return fail(peek(), "expected '}'");
    if (access.values.size() != count || (!braced && count > 1))
      return fail(peek(), "expected " + std::to_string(count) + " registers");
    return true;
  }

  bool address(MemoryAccess& access) {
    if (!accept("[")) return fail(peek(), "expected '['");
    access.address = register_of(peek());
    if (access.address.empty() || made_.widths[access.address] != 64)
      return fail(peek(), "an address that is not a register of 64 bits");
    next();
    while (is("+") || is("-")) {
      bool minus = next().text == "-";
      if (accept("-")) minus = !minus;
      const Token number = next();
      if (number.kind != Kind::integer || number.value > 0x7fffffff) return fail(number, "expected an offset");
      access.offset += minus ? -static_cast<std::int64_t>(number.value) : static_cast<std::int64_t>(number.value);
    }
    return accept("]") || fail(peek(), "expected ']'");
  }

  std::vector<std::map<std::string, std::string>> scopes_;
  Statements made_;
};

}  // namespace

Statements split_statements(std::string_view assembly, const Constraints& constraints) {
  Statements refused;
  refused.problem = "an asm string of more than " + std::to_string(kMaxText) + " bytes";
  return assembly.size() > kMaxText ? refused : Splitter(assembly, constraints).run();
}

}  // namespace lockstep::interpreter::ptx
