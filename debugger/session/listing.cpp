#include "debugger/session/listing.h"

#include <algorithm>

#include "ir/text/printer.h"
#include "python_syntax/lexer.h"

namespace lockstep::debugger {

namespace {

std::size_t indent_of(const DebugKernel& kernel, const Point& point) {
  std::size_t indent = 0;
  const ir::Op* at = point.op;
  for (auto activation = static_cast<std::int32_t>(point.activation); activation >= 0;) {
    for (const ir::Op* around = at->parent_op(); around != nullptr; around = around->parent_op()) ++indent;
    const Activation& running = kernel.activations()[static_cast<std::size_t>(activation)];
    activation = running.caller;
    if (activation >= 0) at = kernel.points()[running.call_point].op;
  }
  return indent < 2 ? 0 : indent - 2;  // the module and the kernel
}

}  // namespace

const std::vector<ListedOp>& Listing::ops() const {
  if (!ops_.empty()) return ops_;
  ops_.reserve(kernel_.points().size());
  for (const Point& point : kernel_.points())
    ops_.push_back({point.number, indent_of(kernel_, point), ir::print_op(*point.op)});
  return ops_;
}

SourceFilePtr Listing::source(const std::string& path) const {
  const auto known = sources_.find(path);
  if (known != sources_.end()) return known->second;
  auto read = SourceFile::read(path);
  return sources_[path] = read ? *read : nullptr;
}

const PythonSource* Listing::python(const std::string& path) const {
  const auto [known, is_new] = python_.try_emplace(path);
  const SourceFilePtr file = is_new && !path.ends_with(".ttir") && !path.ends_with(".ttgir") ? source(path) : nullptr;
  if (file != nullptr) known->second = std::make_unique<const PythonSource>(file);
  return known->second.get();
}

std::string Listing::line(const Place& place) const {
  const SourceFilePtr file = place.is_known() ? source(*place.file) : nullptr;
  return file == nullptr ? "" : std::string(file->line_text(place.line));
}

/// Of TTIR: "%12".
std::vector<std::string> Listing::values_in_line(const Place& place) const {
  std::vector<std::string> names;
  const std::string text = line(place);
  for (std::size_t i = text.find('%'); i != std::string::npos; i = text.find('%', i + 1)) {
    std::size_t end = i + 1;
    while (end < text.size() && python_syntax::is_name_part(text[end])) ++end;
    std::string name = text.substr(i, end - i);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> Listing::names_in_line(const Place& place) const {
  if (!place.is_known()) return {};
  if (!place.file->ends_with(".py")) return values_in_line(place);
  const PythonSource* text = python(*place.file);
  return text != nullptr ? text->names_in_line(place.line) : std::vector<std::string>{};
}

}  // namespace lockstep::debugger
