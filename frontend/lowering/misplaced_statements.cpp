#include "frontend/lowering/misplaced_statements.h"

namespace lockstep::frontend {

namespace {

class Checker {
 public:
  Checker(SourceFilePtr file, DiagnosticSink& sink) : file_(std::move(file)), sink_(sink) {}

  struct Place {
    bool in_loop = false, in_function = false;
  };
  void check(const ast::Body& body, Place place) {
    for (const ast::StmtPtr& statement : body) check(*statement, place);
  }

 private:
  void check(const ast::Stmt& node, Place place) {
    if (node.is<ast::Break>() && !place.in_loop) fail(node, "'break' outside a loop");
    if (node.is<ast::Continue>() && !place.in_loop) fail(node, "'continue' outside a loop");
    if (node.is<ast::Return>() && !place.in_function) fail(node, "'return' outside a function");
    if (const auto* function = node.as<ast::FunctionDef>()) return check(function->body, {false, true});
    if (const auto* type = node.as<ast::ClassDef>()) return check(type->body, {false, false});
    const Place inside{true, place.in_function};
    if (const auto* loop = node.as<ast::For>()) check_loop(loop->body, loop->orelse, inside, place);
    if (const auto* loop = node.as<ast::While>()) check_loop(loop->body, loop->orelse, inside, place);
    if (const auto* with = node.as<ast::With>()) check(with->body, place);
    if (const auto* branch = node.as<ast::If>()) {
      check(branch->body, place);
      check(branch->orelse, place);
    }
    if (const auto* match = node.as<ast::Match>()) {
      for (const auto& one : match->cases) check(one->body, place);
    }
    if (const auto* attempt = node.as<ast::Try>()) check_try(*attempt, place);
  }

  void check_loop(const ast::Body& body, const ast::Body& orelse, Place inside, Place outside) {
    check(body, inside);
    check(orelse, outside);
  }

  void check_try(const ast::Try& node, Place place) {
    check(node.body, place);
    for (const auto& handler : node.handlers) check(handler->body, place);
    check(node.orelse, place);
    check(node.finalbody, place);
  }

  void fail(const ast::Stmt& node, std::string message) {
    sink_.report({Severity::error, "LS1213", std::move(message), {file_, node.range}, {}, ""});
  }

  SourceFilePtr file_;
  DiagnosticSink& sink_;
};

}  // namespace

void check_misplaced_statements(const ast::Module& module, DiagnosticSink& sink) {
  Checker(module.file, sink).check(module.body, {});
}

}  // namespace lockstep::frontend
