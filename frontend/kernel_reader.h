// KernelReader: reads the text of one kernel for kernel_reading.h. Its parts: kernel_reader.cpp (what pointers reach,
// what numbers bound), kernel_reading.cpp (what constants are for, what a grid counts). Invariant: it follows names no
// further than kMaxFollowed. Not here: types, values.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile.h"
#include "frontend/kernel_facts.h"
#include "frontend/python_ast.h"
#include "python_syntax/ast_walk.h"

namespace lockstep::frontend {

inline constexpr int kMaxFollowed = 12;  // names behind names, helpers behind helpers

/// What an access does with a pointer, seen in the kernel or in what it calls.
struct Touch {
  const ast::Expr* address = nullptr;  // in the kernel
  bool loads = false, stores = false, is_atomic = false, is_descriptor = false;
  SourceRange place;
};

class KernelReader {
 public:
  KernelReader(const ast::Module& module, const ast::FunctionDef& function, const KernelInfo& kernel)
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
  bool has_scaled_term(const Expr& expr) const;
  std::string signature() const;
  ReadDimension dimension(const Expr& term);
  std::string bound_of(const Expr& index, int depth);
  std::string bound_of_loop(const Expr& index) const;
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

template <typename T>
void KernelReader::each(const ast::FunctionDef& function, const std::function<void(const T&)>& visit) const {
  for (const ast::StmtPtr& statement : function.body) {
    ast::walk(*statement, [&](const ast::Node& node) {
      if (const auto* one = node.as<T>()) visit(*one);
    });
  }
}

}  // namespace lockstep::frontend
