#include "frontend/eval/name_definitions.h"

namespace lockstep::frontend {
namespace {

class Search {
 public:
  Search(std::string_view name, std::uint32_t use) : name_(name), use_(use) {}

  void look_in(const ast::Body& body, std::string_view why) {
    for (const ast::StmtPtr& statement : body) look_at(*statement, why);
  }
  std::optional<NameDefinition> found() const { return before_ ? before_ : after_; }

 private:
  void look_at(const ast::Stmt& node, std::string_view why) {
    if (const auto* assign = node.as<ast::Assign>()) {
      for (const ast::ExprPtr& target : assign->targets) look_at_target(*target, why);
    } else if (const auto* annotated = node.as<ast::AnnAssign>()) {
      if (annotated->value) look_at_target(*annotated->target, why);
    } else if (const auto* augmented = node.as<ast::AugAssign>()) {
      look_at_target(*augmented->target, why);
    } else if (const auto* branch = node.as<ast::If>()) {
      look_in(branch->body, "only in one branch of the if");
      look_in(branch->orelse, "only in one branch of the if");
    } else if (const auto* loop = node.as<ast::For>()) {
      look_at_target(*loop->target, "only inside the loop");
      look_in(loop->body, "only inside the loop");
      look_in(loop->orelse, why);
    } else if (const auto* repeat = node.as<ast::While>()) {
      look_in(repeat->body, "only inside the loop");
      look_in(repeat->orelse, why);
    } else if (const auto* with = node.as<ast::With>()) {
      look_in(with->body, why);
    }
  }

  void look_at_target(const ast::Expr& target, std::string_view why) {
    if (const auto* tuple = target.as<ast::Tuple>()) {
      for (const ast::ExprPtr& element : tuple->elts) look_at_target(*element, why);
    } else if (const auto* name = target.as<ast::Name>(); name != nullptr && name->id == name_) {
      const bool is_before = name->range.begin < use_;
      if (is_before)
        before_ = NameDefinition{name->range, why.empty() ? "is set here" : "is set here, " + std::string(why)};
      if (!is_before && !after_) after_ = NameDefinition{name->range, "is set here, after this use"};
    }
  }

  std::string_view name_;
  std::uint32_t use_;
  std::optional<NameDefinition> before_, after_;
};

}  // namespace

std::optional<NameDefinition> find_name_definition(const ast::Body& body, std::string_view name,
                                                   std::uint32_t use_offset) {
  Search search(name, use_offset);
  search.look_in(body, "");
  return search.found();
}

}  // namespace lockstep::frontend
