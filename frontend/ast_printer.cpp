#include "frontend/ast_printer.h"

namespace lockstep::frontend {

namespace {

std::string_view context_name(ast::Context context) {
  return context == ast::Context::Load ? "Load" : context == ast::Context::Store ? "Store" : "Del";
}

class Printer {
 public:
  Printer(const SourceFile& file, const AstPrintOptions& options)
      : file_(file), options_(options), has_bom_(file.text().starts_with("\xEF\xBB\xBF")) {}

  void print(const ast::Node& node) {
    out_ += kind_name(node.kind);
    out_ += '(';
    std::size_t start = out_.size();
    int outer_count = std::exchange(count_, 0);
    bool outer_simple = std::exchange(all_simple_, true);
    ++level_;
    dispatch(node);
    if (has_position(node.kind) && positions_on()) print_position(node.range);
    --level_;
    if (all_simple_ && count_ <= 3) collapse(start);
    out_ += ')';
    bool is_simple = count_ == 0;
    count_ = outer_count;
    all_simple_ = outer_simple && is_simple;
  }
  std::string take() { return std::move(out_); }

 private:
  // ---- Layout ----
  bool positions_on() const {
    return options_.include_positions && (fstring_depth_ == 0 || options_.python_minor >= 12);
  }

  static bool has_position(ast::Kind kind) {
    return kind != ast::Kind::Module && kind != ast::Kind::arguments && kind != ast::Kind::comprehension && kind != ast::Kind::withitem &&
           kind != ast::Kind::match_case;
  }

  void new_line() {
    out_ += '\n';
    out_.append(static_cast<std::size_t>(level_), ' ');
  }

  void begin_field(std::string_view name) {
    if (count_++ > 0) out_ += ',';
    new_line();
    out_ += name;
    out_ += '=';
  }

  /// Puts short fields, each on its own line since `start`, on one line. Values hold no line breaks of their own.
  void collapse(std::size_t start) {
    std::string joined;
    for (std::size_t i = start; i < out_.size(); ++i) {
      if (out_[i] != '\n') {
        joined += out_[i];
        continue;
      }
      i += static_cast<std::size_t>(level_) + 1;
      if (!joined.empty()) joined += ' ';
    }
    out_.resize(start);
    out_ += joined;
  }

  void print_position(SourceRange range) {
    LineColumn begin = file_.position(range.begin), end = file_.position(range.end);
    auto column = [this](LineColumn place) { return place.column - 1 - (has_bom_ && place.line == 1 ? 3 : 0); };
    raw("lineno", std::to_string(begin.line));
    raw("col_offset", std::to_string(column(begin)));
    raw("end_lineno", std::to_string(end.line));
    raw("end_col_offset", std::to_string(column(end)));
  }

  void raw(std::string_view field, std::string_view text) {
    begin_field(field);
    out_ += text;
  }
  void text(std::string_view field, const std::string& value) { raw(field, python_string_repr(value, false)); }
  void optional_text(std::string_view field, const std::optional<std::string>& value) {
    if (value) text(field, *value);
  }
  void named(std::string_view field, std::string_view class_name) { raw(field, std::string(class_name) + "()"); }
  void context(ast::Context value) { named("ctx", context_name(value)); }
  void number(std::string_view field, int value) { raw(field, std::to_string(value)); }

  template <typename Pointer>
  void child(std::string_view field, const Pointer& node) {
    if (!node) return;
    begin_field(field);
    print(*node);
  }

  template <typename Items, typename Print>
  void list(std::string_view field, const Items& items, Print print_item) {
    begin_field(field);
    out_ += '[';
    ++level_;
    bool is_first = true;
    for (const auto& item : items) {
      if (!is_first) out_ += ',';
      is_first = false;
      new_line();
      print_item(item);
    }
    --level_;
    out_ += ']';
    if (!items.empty()) all_simple_ = false;
  }
  template <typename Items>
  void nodes(std::string_view field, const Items& items) {
    list(field, items, [this](const auto& item) {
      if (item) {
        print(*item);
      } else {
        out_ += "None";
      }
    });
  }
  void names(std::string_view field, const std::vector<std::string>& items) {
    list(field, items, [this](const std::string& item) { out_ += python_string_repr(item, false); });
  }
  void type_params(const ast::TypeParams& params) {
    if (!params.empty() || options_.python_minor >= 12) nodes("type_params", params);
  }

  // ---- Statements ----
  void fields(const ast::Module& n) { nodes("body", n.body), raw("type_ignores", "[]"); }
  void fields(const ast::FunctionDef& n) {
    text("name", n.name), child("args", n.args), nodes("body", n.body), nodes("decorator_list", n.decorator_list);
    child("returns", n.returns), type_params(n.type_params);
  }
  void fields(const ast::ClassDef& n) {
    text("name", n.name), nodes("bases", n.bases), nodes("keywords", n.keywords), nodes("body", n.body);
    nodes("decorator_list", n.decorator_list), type_params(n.type_params);
  }
  void fields(const ast::Return& n) { child("value", n.value); }
  void fields(const ast::Delete& n) { nodes("targets", n.targets); }
  void fields(const ast::Assign& n) { nodes("targets", n.targets), child("value", n.value); }
  void fields(const ast::TypeAlias& n) {
    child("name", n.name), nodes("type_params", n.type_params), child("value", n.value);
  }
  void fields(const ast::AugAssign& n) {
    child("target", n.target), named("op", operator_name(n.op)), child("value", n.value);
  }
  void fields(const ast::AnnAssign& n) {
    child("target", n.target), child("annotation", n.annotation), child("value", n.value),
        number("simple", n.is_simple);
  }
  void fields(const ast::For& n) {
    child("target", n.target), child("iter", n.iter), nodes("body", n.body), nodes("orelse", n.orelse);
  }
  void fields(const ast::While& n) { child("test", n.test), nodes("body", n.body), nodes("orelse", n.orelse); }
  void fields(const ast::If& n) { child("test", n.test), nodes("body", n.body), nodes("orelse", n.orelse); }
  void fields(const ast::With& n) { nodes("items", n.items), nodes("body", n.body); }
  void fields(const ast::Match& n) { child("subject", n.subject), nodes("cases", n.cases); }
  void fields(const ast::Raise& n) { child("exc", n.exc), child("cause", n.cause); }
  void fields(const ast::Try& n) {
    nodes("body", n.body), nodes("handlers", n.handlers), nodes("orelse", n.orelse), nodes("finalbody", n.finalbody);
  }
  void fields(const ast::Assert& n) { child("test", n.test), child("msg", n.msg); }
  void fields(const ast::Import& n) { nodes("names", n.names); }
  void fields(const ast::ImportFrom& n) {
    optional_text("module", n.module), nodes("names", n.names), number("level", n.level);
  }
  void fields(const ast::Global& n) { names("names", n.names); }
  void fields(const ast::Nonlocal& n) { names("names", n.names); }
  void fields(const ast::ExprStmt& n) { child("value", n.value); }

  // ---- Expressions ----
  void fields(const ast::BoolOp& n) { named("op", operator_name(n.op)), nodes("values", n.values); }
  void fields(const ast::NamedExpr& n) { child("target", n.target), child("value", n.value); }
  void fields(const ast::BinOp& n) { child("left", n.left), named("op", operator_name(n.op)), child("right", n.right); }
  void fields(const ast::UnaryOp& n) { named("op", operator_name(n.op)), child("operand", n.operand); }
  void fields(const ast::Lambda& n) { child("args", n.args), child("body", n.body); }
  void fields(const ast::IfExp& n) { child("test", n.test), child("body", n.body), child("orelse", n.orelse); }
  void fields(const ast::Dict& n) { nodes("keys", n.keys), nodes("values", n.values); }
  void fields(const ast::Set& n) { nodes("elts", n.elts); }
  void fields(const ast::ListComp& n) { child("elt", n.elt), nodes("generators", n.generators); }
  void fields(const ast::SetComp& n) { child("elt", n.elt), nodes("generators", n.generators); }
  void fields(const ast::GeneratorExp& n) { child("elt", n.elt), nodes("generators", n.generators); }
  void fields(const ast::DictComp& n) { child("key", n.key), child("value", n.value), nodes("generators", n.generators); }
  void fields(const ast::Await& n) { child("value", n.value); }
  void fields(const ast::Yield& n) { child("value", n.value); }
  void fields(const ast::YieldFrom& n) { child("value", n.value); }
  void fields(const ast::Compare& n) {
    child("left", n.left);
    list("ops", n.ops, [this](ast::CompareOperator op) { out_ += std::string(operator_name(op)) + "()"; });
    nodes("comparators", n.comparators);
  }
  void fields(const ast::Call& n) { child("func", n.func), nodes("args", n.args), nodes("keywords", n.keywords); }
  void fields(const ast::FormattedValue& n) {
    child("value", n.value), number("conversion", n.conversion), child("format_spec", n.format_spec);
  }
  void fields(const ast::JoinedStr& n) {
    ++fstring_depth_;
    nodes("values", n.values);
    --fstring_depth_;
  }
  void fields(const ast::Constant& n) {
    raw("value", constant_text(n));
    if (n.is_unicode_prefixed) text("kind", "u");
  }
  void fields(const ast::Attribute& n) { child("value", n.value), text("attr", n.attr), context(n.context); }
  void fields(const ast::Subscript& n) { child("value", n.value), child("slice", n.slice), context(n.context); }
  void fields(const ast::Starred& n) { child("value", n.value), context(n.context); }
  void fields(const ast::Name& n) { text("id", n.id), context(n.context); }
  void fields(const ast::List& n) { nodes("elts", n.elts), context(n.context); }
  void fields(const ast::Tuple& n) { nodes("elts", n.elts), context(n.context); }
  void fields(const ast::Slice& n) { child("lower", n.lower), child("upper", n.upper), child("step", n.step); }

  static std::string constant_text(const ast::Constant& n) {
    switch (n.type) {
      case ast::ConstantKind::none: return "None";
      case ast::ConstantKind::boolean: return n.integer != 0 ? "True" : "False";
      case ast::ConstantKind::ellipsis: return "Ellipsis";
      case ast::ConstantKind::integer: return std::to_string(n.integer);
      case ast::ConstantKind::big_integer: return n.text;
      case ast::ConstantKind::floating: return python_float_repr(n.floating);
      case ast::ConstantKind::imaginary: {
        std::string text = python_float_repr(n.floating);
        if (text.ends_with(".0")) text.resize(text.size() - 2);
        return text + "j";
      }
      case ast::ConstantKind::string: return python_string_repr(n.text, false);
      case ast::ConstantKind::bytes: return python_string_repr(n.text, true);
    }
    return {};
  }

  // ---- Patterns and parts ----
  void fields(const ast::MatchValue& n) { child("value", n.value); }
  void fields(const ast::MatchSingleton& n) { raw("value", !n.value ? "None" : *n.value ? "True" : "False"); }
  void fields(const ast::MatchSequence& n) { nodes("patterns", n.patterns); }
  void fields(const ast::MatchMapping& n) {
    nodes("keys", n.keys), nodes("patterns", n.patterns), optional_text("rest", n.rest);
  }
  void fields(const ast::MatchClass& n) {
    child("cls", n.cls), nodes("patterns", n.patterns), names("kwd_attrs", n.kwd_attrs),
        nodes("kwd_patterns", n.kwd_patterns);
  }
  void fields(const ast::MatchStar& n) { optional_text("name", n.name); }
  void fields(const ast::MatchAs& n) { child("pattern", n.pattern), optional_text("name", n.name); }
  void fields(const ast::MatchOr& n) { nodes("patterns", n.patterns); }
  void fields(const ast::MatchCase& n) { child("pattern", n.pattern), child("guard", n.guard), nodes("body", n.body); }
  void fields(const ast::Arguments& n) {
    nodes("posonlyargs", n.posonlyargs), nodes("args", n.args), child("vararg", n.vararg),
        nodes("kwonlyargs", n.kwonlyargs);
    nodes("kw_defaults", n.kw_defaults), child("kwarg", n.kwarg), nodes("defaults", n.defaults);
  }
  void fields(const ast::Arg& n) { text("arg", n.name), child("annotation", n.annotation); }
  void fields(const ast::Keyword& n) { optional_text("arg", n.arg), child("value", n.value); }
  void fields(const ast::Alias& n) { text("name", n.name), optional_text("asname", n.asname); }
  void fields(const ast::WithItem& n) { child("context_expr", n.context_expr), child("optional_vars", n.optional_vars); }
  void fields(const ast::Comprehension& n) {
    child("target", n.target), child("iter", n.iter), nodes("ifs", n.ifs), number("is_async", n.is_async);
  }
  void fields(const ast::ExceptHandler& n) { child("type", n.type), optional_text("name", n.name), nodes("body", n.body); }
  void fields(const ast::TypeVar& n) { text("name", n.name), child("bound", n.bound); }
  void fields(const ast::ParamSpec& n) { text("name", n.name); }
  void fields(const ast::TypeVarTuple& n) { text("name", n.name); }

  /// Calls fields() of the first type that matches the node's kind.
  template <typename... Types>
  bool try_types(const ast::Node& node) {
    return ((node.is<Types>() && (fields(static_cast<const Types&>(node)), true)) || ...);
  }
  void dispatch(const ast::Node& node) {
    try_types<ast::Name, ast::Constant, ast::Attribute, ast::Call, ast::Subscript, ast::BinOp, ast::Tuple, ast::Compare, ast::UnaryOp, ast::BoolOp, ast::IfExp, ast::List, ast::Slice,
              ast::Starred, ast::Dict, ast::Set, ast::Lambda, ast::NamedExpr, ast::ListComp, ast::SetComp, ast::DictComp, ast::GeneratorExp, ast::Await, ast::Yield, ast::YieldFrom,
              ast::FormattedValue, ast::JoinedStr>(node) ||
        try_types<ast::ExprStmt, ast::Assign, ast::AugAssign, ast::AnnAssign, ast::If, ast::For, ast::While, ast::Return, ast::FunctionDef, ast::ClassDef, ast::With, ast::Match,
                  ast::Raise, ast::Try, ast::Assert, ast::Import, ast::ImportFrom, ast::Global, ast::Nonlocal, ast::Delete, ast::TypeAlias, ast::Module>(node) ||
        try_types<ast::Arg, ast::Keyword, ast::Arguments, ast::Alias, ast::WithItem, ast::Comprehension, ast::ExceptHandler, ast::MatchCase, ast::MatchValue,
                  ast::MatchSingleton, ast::MatchSequence, ast::MatchMapping, ast::MatchClass, ast::MatchStar, ast::MatchAs, ast::MatchOr, ast::TypeVar,
                  ast::ParamSpec, ast::TypeVarTuple>(node);
  }

  const SourceFile& file_;
  AstPrintOptions options_;
  bool has_bom_;
  std::string out_;
  int level_ = 0;
  int count_ = 0;           // fields of the node at hand
  bool all_simple_ = true;  // none of them spans lines
  int fstring_depth_ = 0;
};

}  // namespace

std::string print_ast(const ast::Module& module, const AstPrintOptions& options) {
  Printer printer(*module.file, options);
  printer.print(module);
  return printer.take();
}

}  // namespace lockstep::frontend
