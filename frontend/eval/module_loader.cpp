#include "frontend/eval/module_loader.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "frontend/eval/constexpr_function.h"
#include "frontend/eval/evaluate_expression.h"
#include "frontend/eval/module_runner.h"
#include "frontend/eval/namespaces.h"
#include "frontend/eval/rebound_globals.h"
#include "frontend/eval/request_value.h"
#include "frontend/lowering/misplaced_statements.h"
#include "frontend/prelude_sources.h"
#include "python_syntax/parser.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// The dotted name of a folder's package, by its __init__.py files; `folder` becomes the folder that holds the package.
std::string package_of(fs::path& folder) {
  std::string package;
  for (int depth = 0; depth < 32 && is_file(folder / "__init__.py") && folder.has_filename(); ++depth) {
    const std::string name = folder.filename().string();
    package = package.empty() ? name : name + "." + package;
    folder = folder.parent_path();
  }
  return package;
}

fs::path relative_path(const std::string& dotted_name) {
  fs::path path;
  std::size_t begin = 0;
  while (begin <= dotted_name.size()) {
    const std::size_t end = std::min(dotted_name.find('.', begin), dotted_name.size());
    path /= dotted_name.substr(begin, end - begin);
    begin = end + 1;
  }
  return path;
}

std::string parent_of(const std::string& dotted_name) {
  const std::size_t dot = dotted_name.rfind('.');
  return dot == std::string::npos ? std::string() : dotted_name.substr(0, dot);
}

}  // namespace

ModuleLoader::ModuleLoader(std::vector<std::string> search_path, std::map<std::string, ConstantValue> globals,
                           DiagnosticSink& sink, int capability)
    : search_path_(std::move(search_path)), globals_(std::move(globals)), sink_(sink), capability_(capability) {}

ModuleLoader::~ModuleLoader() = default;

const JitFunction* ModuleLoader::keep(std::unique_ptr<JitFunction> function) {
  return made_functions_.emplace_back(std::move(function)).get();
}

const PythonClass* ModuleLoader::keep(std::unique_ptr<PythonClass> type) {
  return made_classes_.emplace_back(std::move(type)).get();
}

PythonModule* ModuleLoader::parse(std::string name, std::string package, SourceFilePtr file, DiagnosticSink& sink) {
  auto module = std::make_unique<PythonModule>(name, std::move(package), std::move(file));
  PythonModule* const raw = module.get();
  raw->modules_ = this;
  raw->tree_ = python_syntax::parse_python(raw->file_, sink);
  check_misplaced_statements(*raw->tree_, sink);
  if (sink.has_errors()) {
    failed_.push_back(std::move(module));  // diagnostics may point into its text
    return nullptr;
  }
  raw->rebound_globals_ = find_rebound_globals(raw->tree_->body);
  modules_[name] = std::move(module);  // before running: imports may be circular
  ModuleRunner(*this, *raw).run(raw->tree_->body);
  return raw;
}

const PythonModule* ModuleLoader::load_main(const std::string& path, std::optional<std::string> source) {
  auto file = source ? SourceFile::make(path, std::move(*source)) : SourceFile::read(path);
  if (!file) {
    sink_.report({Severity::error, file.error().code, file.error().message, {}, {}, file.error().hint});
    return nullptr;
  }
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  const fs::path own_folder = folder;
  folder = fs::absolute(folder, error).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const std::string package = package_of(folder);
  search_path_.insert(search_path_.begin(), own_folder.string());
  if (!package.empty()) search_path_.insert(search_path_.begin() + 1, folder.string());
  const std::string stem = fs::path(path).stem().string();
  PythonModule* module = parse(package.empty() ? stem : package + "." + stem, package, *file, sink_);
  if (module == nullptr) return nullptr;
  for (const auto& [name, value] : globals_) {
    module->globals_.set(name, from_request(value).as_constexpr());
  }
  return module;
}

const PythonModule* ModuleLoader::import(const std::string& dotted_name) {
  if (const auto held = modules_.find(dotted_name); held != modules_.end()) return held->second.get();
  modules_[dotted_name] = nullptr;
  const fs::path relative = relative_path(dotted_name);
  for (const std::string& root : search_path_) {
    const fs::path base = fs::path(root) / relative;
    fs::path file = base;
    file += ".py";
    const bool is_package = !is_file(file) && is_file(base / "__init__.py");
    if (is_package) file = base / "__init__.py";
    if (!is_package && !is_file(file)) {
      if (!is_folder(base)) continue;
      modules_[dotted_name] = std::make_unique<PythonModule>(dotted_name, dotted_name, nullptr);  // namespace package
      return modules_[dotted_name].get();
    }
    Expected<std::shared_ptr<const SourceFile>, Status> text = SourceFile::read(file.string());
    if (!text) continue;
    DiagnosticSink ignored;
    return parse(dotted_name, is_package ? dotted_name : parent_of(dotted_name), *text, ignored);
  }
  return nullptr;
}

const PythonModule& ModuleLoader::prelude(const std::string& name) {
  if (const auto held = modules_.find(name); held != modules_.end() && held->second != nullptr) return *held->second;
  const std::string_view text = prelude_source(name.substr(name.rfind('.') + 1));
  LOCKSTEP_CHECK(!text.empty(), "no prelude module " + name);
  DiagnosticSink sink;
  PythonModule* module =
      parse(name, "triton.language", std::make_shared<SourceFile>("<" + name + ">", std::string(text)), sink);
  LOCKSTEP_CHECK(module != nullptr, "prelude " + name + ": " + render_text(sink));
  module->is_prelude_ = true;
  return *module;
}

Value ModuleLoader::follow(const PendingImport& import) {
  const std::string& module = import.module;
  const std::string& name = import.name;
  const std::string space = builtin_namespace(module);
  if (name.empty()) {
    if (!space.empty()) return NamespaceValue{space};
    if (const PythonModule* found = this->import(module)) return Value(found);
    return OpaqueValue{fmt::format("from the module '{}', which is not on the search path", module)};
  }
  if (!space.empty()) {
    if (const std::optional<Value> value = namespace_attribute(*this, space, name)) return *value;
  } else {
    const PythonModule* source = module.empty() ? nullptr : this->import(module);
    const Value* held = source != nullptr ? source->find(name) : nullptr;
    if (held != nullptr && !is_circle(*held)) return *held;
    // A package that imports its own submodule by name also ends here.
    if (const PythonModule* child = this->import(module.empty() ? name : module + "." + name)) return Value(child);
    if (held != nullptr) return *held;
  }
  return OpaqueValue{fmt::format("from the module '{}', which is not on the search path or lacks it", module)};
}

Value ModuleLoader::evaluate(const ast::Expr& expression, const PythonModule& module, const Scope* locals) {
  const auto held = modules_.find(module.name());
  LOCKSTEP_CHECK(locals != nullptr || (held != modules_.end() && held->second.get() == &module),
                 "module of another loader");
  return evaluate_expression({*this, module, locals, false}, expression);
}

ValueResult ModuleLoader::run_function(const JitFunction& function, const std::vector<Value>& positional,
                                       const NamedValues& keywords) {
  return run_constexpr_function(*this, function, positional, keywords);
}

ValueResult ModuleLoader::construct(const PythonClass& type, const std::vector<Value>& positional,
                                    const NamedValues& keywords) {
  return frontend::construct(*this, type, positional, keywords);
}

}  // namespace lockstep::frontend
