#include "debugger/session/listing.h"

#include <algorithm>
#include <cctype>

#include "debugger/session/python_text.h"
#include "ir/text/printer.h"

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

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

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
    while (end < text.size() && is_name_part(text[end])) ++end;
    std::string name = text.substr(i, end - i);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

/// Names by the look of the text: what follows a dot is none, nor what stands in a string or a comment.
std::vector<std::string> Listing::names_in_line(const Place& place) const {
  if (place.is_known() && !place.file->ends_with(".py")) return values_in_line(place);
  std::vector<std::string> names;
  const std::string text = line(place);
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0 || text[i] == '"' || text[i] == '\'') {
      quote = quote == 0 ? text[i] : quote == text[i] ? '\0' : quote;
      continue;
    }
    if (text[i] == '#') break;
    if (!is_name_start(text[i])) continue;
    std::size_t end = i;
    while (end < text.size() && is_name_part(text[end])) ++end;
    const bool is_attribute = i > 0 && text[i - 1] == '.';
    std::string name = text.substr(i, end - i);
    if (!is_attribute && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    i = end - 1;
  }
  return names;
}

}  // namespace lockstep::debugger
