#include "frontend/rebound_globals.h"

#include <functional>

namespace lockstep::frontend {

namespace {

using Names = std::set<std::string, std::less<>>;

void collect(const ast::Body& body, Names& names);

void collect(const ast::Stmt& node, Names& names) {
  if (const auto* statement = node.as<ast::Global>()) names.insert(statement->names.begin(), statement->names.end());
  if (const auto* function = node.as<ast::FunctionDef>()) collect(function->body, names);
  if (const auto* type = node.as<ast::ClassDef>()) collect(type->body, names);
  if (const auto* with = node.as<ast::With>()) collect(with->body, names);
  if (const auto* branch = node.as<ast::If>()) {
    collect(branch->body, names);
    collect(branch->orelse, names);
  }
  if (const auto* loop = node.as<ast::For>()) {
    collect(loop->body, names);
    collect(loop->orelse, names);
  }
  if (const auto* loop = node.as<ast::While>()) {
    collect(loop->body, names);
    collect(loop->orelse, names);
  }
  if (const auto* attempt = node.as<ast::Try>()) {
    collect(attempt->body, names);
    for (const auto& handler : attempt->handlers) collect(handler->body, names);
    collect(attempt->orelse, names);
    collect(attempt->finalbody, names);
  }
}

void collect(const ast::Body& body, Names& names) {
  for (const ast::StmtPtr& statement : body) collect(*statement, names);
}

}  // namespace

Names find_rebound_globals(const ast::Body& body) {
  Names names;
  collect(body, names);
  return names;
}

}  // namespace lockstep::frontend
