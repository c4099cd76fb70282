#include "frontend/eval/rebound_globals.h"

#include <functional>

namespace lockstep::frontend {

namespace {

using Names = std::set<std::string, std::less<>>;

void collect_rebound(const ast::Body& body, Names& names);

void collect_rebound(const ast::Stmt& node, Names& names) {
  if (const auto* statement = node.as<ast::Global>()) names.insert(statement->names.begin(), statement->names.end());
  if (const auto* function = node.as<ast::FunctionDef>()) collect_rebound(function->body, names);
  if (const auto* type = node.as<ast::ClassDef>()) collect_rebound(type->body, names);
  if (const auto* with = node.as<ast::With>()) collect_rebound(with->body, names);
  if (const auto* branch = node.as<ast::If>()) {
    collect_rebound(branch->body, names);
    collect_rebound(branch->orelse, names);
  }
  if (const auto* loop = node.as<ast::For>()) {
    collect_rebound(loop->body, names);
    collect_rebound(loop->orelse, names);
  }
  if (const auto* loop = node.as<ast::While>()) {
    collect_rebound(loop->body, names);
    collect_rebound(loop->orelse, names);
  }
  if (const auto* attempt = node.as<ast::Try>()) {
    collect_rebound(attempt->body, names);
    for (const auto& handler : attempt->handlers) collect_rebound(handler->body, names);
    collect_rebound(attempt->orelse, names);
    collect_rebound(attempt->finalbody, names);
  }
}

void collect_rebound(const ast::Body& body, Names& names) {
  for (const ast::StmtPtr& statement : body) collect_rebound(*statement, names);
}

}  // namespace

Names find_rebound_globals(const ast::Body& body) {
  Names names;
  collect_rebound(body, names);
  return names;
}

}  // namespace lockstep::frontend
