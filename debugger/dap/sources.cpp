#include "debugger/dap/sources.h"

#include <algorithm>
#include <filesystem>

namespace lockstep::debugger::dap {

namespace {

namespace fs = std::filesystem;

/// Number of the file among the kernel's; the client asks for the text with it.
std::int64_t reference_of(const State& state, const std::string& path) {
  const auto files = files_of(state.engine().kernel());
  const auto found = std::find_if(files.begin(), files.end(), [&](const std::string* file) { return *file == path; });
  return kTtirReference + 1 + (found - files.begin());
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

std::string path_for_client(const std::string& path) {
  if (!is_there(path)) return path;
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  return error ? path : whole.string();
}

Json source_of_file(const State& state, const std::string& path) {
  Json source = Json::record({{"name", file_name(path)}, {"path", path_for_client(path)}});
  if (is_there(path)) return source;
  const bool is_recorded = state.session().listing().source(path) != nullptr;
  if (is_recorded) source.set("sourceReference", reference_of(state, path));
  source.set("origin", is_recorded ? "recorded" : "not here");
  return source;
}

Json source_of_ttir(const State& state) {
  return Json::record({{"name", state.session().kernel_name() + ".ttir"},
                       {"sourceReference", kTtirReference},
                       {"presentationHint", "deemphasize"},
                       {"origin", "Lockstep's IR"}});
}

std::string ttir_text(const State& state) {
  std::string text;
  for (const ListedOp& op : state.session().listing().ops()) text += std::string(2 * op.indent, ' ') + op.text + "\n";
  return text;
}

NamedSource read_source(const State& state, Arguments& in) {
  const Json& object = in.object_or_null("source");
  if (object.is_null()) in.fail("'source' is missing");
  Arguments source(object, "source.");
  const std::int64_t reference = source.integer_or("sourceReference", 0, INT32_MAX, 0);
  NamedSource named;
  named.file = source.text_or("path", source.text_or("name", ""));
  const auto files = files_of(state.engine().kernel());
  const auto number = static_cast<std::size_t>(reference > kTtirReference ? reference - kTtirReference - 1 : 0);
  if (reference == kTtirReference) {
    named.is_ttir = true;
  } else if (reference > kTtirReference && number < files.size()) {
    named.file = *files[number];
  } else if (named.file.empty()) {
    source.fail("'source' has neither a path nor a known sourceReference");
  }
  if (!source.is_good()) in.fail(source.problem());
  return named;
}

void set_place(const State& state, Json& object, const Place& place) {
  if (!place.is_known()) {
    object.set("line", 0);
    object.set("column", 0);
    return;
  }
  object.set("source", source_of_file(state, *place.file));
  object.set("line", static_cast<std::int64_t>(place.line) - 1 + state.client.first_line);
  object.set("column", static_cast<std::int64_t>(place.column) + state.client.first_column);
}

bool has_text(const State& state, const Place& place) {
  return place.is_known() && (is_there(*place.file) || state.session().listing().source(*place.file) != nullptr);
}

void set_op_place(const State& state, Json& object, std::uint32_t point) {
  object.set("source", source_of_ttir(state));
  object.set("line", std::int64_t{point} + state.client.first_line);
  object.set("column", state.client.first_column);
}

}  // namespace lockstep::debugger::dap
