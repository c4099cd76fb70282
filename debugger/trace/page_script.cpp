#include "debugger/trace/page_script.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <vector>

namespace lockstep::debugger::trace {

namespace {

/// The file that "./dom.js" in "js/main.js" means.
std::string resolved(const std::string& from, std::string_view wanted) {
  std::string folder = from.substr(0, from.rfind('/') + 1);
  while (wanted.starts_with("./") || wanted.starts_with("../")) {
    if (wanted.starts_with("../")) {
      const std::size_t slash = folder.size() < 2 ? std::string::npos : folder.rfind('/', folder.size() - 2);
      folder = slash == std::string::npos ? "" : folder.substr(0, slash + 1);
    }
    wanted.remove_prefix(wanted.find('/') + 1);
  }
  return folder + std::string(wanted);
}

class Bundle {
 public:
  explicit Bundle(std::span<const serve::PageFile> files) : files_(files) {}

  bool add(const std::string& path) {
    if (numbers_.contains(path)) return true;
    if (!open_.insert(path).second) return fail(path + ": imports itself through others");
    const auto file = std::find_if(files_.begin(), files_.end(), [&](const auto& one) { return one.path == path; });
    if (file == files_.end()) return fail(path + ": there is no such module");
    if (!take(path, file->text)) return false;
    numbers_.emplace(path, numbers_.size());
    text_ += "const module_" + std::to_string(numbers_.at(path)) + " = (() => {\n" + imports_.at(path) +
             bodies_.at(path) + "return {" + exports_.at(path) + "};\n})();\n";
    return true;
  }

  const std::string& text() const { return text_; }
  const std::string& problem() const { return problem_; }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool take(const std::string& path, std::string_view text) {
    std::string imports, exports, body;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = std::min(text.find('\n', at), text.size());
      if (text.substr(at).starts_with("import ")) end = std::min(text.find(';', at) + 1, text.size());
      const std::string statement(text.substr(at, end - at));
      at = end + (end < text.size() && text[end] == '\n' ? 1 : 0);
      if (statement.starts_with("import ")) {
        if (!take_import(path, statement, imports)) return false;
      } else if (statement.starts_with("export ")) {
        if (!take_export(path, statement, exports, body)) return false;
      } else {
        body += statement + "\n";
      }
    }
    imports_[path] = imports;
    exports_[path] = exports;
    bodies_[path] = body;
    return true;
  }

  bool take_import(const std::string& path, const std::string& statement, std::string& imports) {
    static const std::regex kForm(R"(import\s+(\{[^}]*\}|\*\s*as\s+\w+)\s*from\s*"([^"]+)\";)");
    std::smatch found;
    if (!std::regex_match(statement, found, kForm)) return fail(path + ": cannot be put into one file: " + statement);
    const std::string target = resolved(path, found[2].str());
    if (!add(target)) return false;
    const std::string names = std::regex_replace(found[1].str(), std::regex(R"((\w+)\s+as\s+(\w+))"), "$1: $2");
    const bool is_all = names.starts_with("*");
    const std::string bound = is_all ? names.substr(names.rfind(' ') + 1) : names;
    imports += "const " + bound + " = module_" + std::to_string(numbers_.at(target)) + ";\n";
    return true;
  }

  bool take_export(const std::string& path, const std::string& statement, std::string& exports, std::string& body) {
    static const std::regex kForm(R"(export\s+((?:async\s+)?function\*?|class|const|let)\s+(\w+)[^]*)");
    std::smatch found;
    if (!std::regex_match(statement, found, kForm)) return fail(path + ": cannot be put into one file: " + statement);
    exports += (exports.empty() ? " " : ", ") + found[2].str();
    body += statement.substr(statement.find(found[1].str())) + "\n";
    return true;
  }

  std::span<const serve::PageFile> files_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::string, std::string> imports_, exports_, bodies_;
  std::set<std::string> open_;
  std::string text_, problem_;
};

}  // namespace

Expected<std::string, std::string> page_script(std::span<const serve::PageFile> files, const std::string& entry) {
  Bundle bundle(files);
  if (!bundle.add(entry)) return Unexpected{bundle.problem()};
  return "\"use strict\";\n" + bundle.text();
}

}  // namespace lockstep::debugger::trace
