#include "frontend/eval/python_module.h"

#include <fmt/format.h>

namespace lockstep::frontend {

namespace {

constexpr std::string_view kCircle = "imported in a circle through the module '";

}  // namespace

bool is_circle(const Value& value) { return value.opaque() != nullptr && value.opaque()->what.starts_with(kCircle); }

const Value* PythonModule::find(std::string_view global) const {
  const Value* held = globals_.find(global);
  const PendingImport* pending = held != nullptr ? held->pending_import() : nullptr;
  if (pending == nullptr) return held;
  const PendingImport import = *pending;
  globals_.set(global, OpaqueValue{fmt::format("{}{}'", kCircle, import.module)});
  globals_.set(global, modules_->follow(import));
  return globals_.find(global);
}

const JitFunction* PythonModule::find_function(std::string_view name) const {
  const Value* value = find(name);
  return value != nullptr ? value->jit() : nullptr;
}

bool PythonModule::is_constexpr_global(std::string_view name) const {
  const Value* value = find(name);
  return is_prelude_ || (value != nullptr && value->is_constexpr());
}

}  // namespace lockstep::frontend
