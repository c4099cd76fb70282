// Requests about texts: modules, loadedSources, source, locations.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/sources.h"

namespace lockstep::debugger::dap {

Answer modules(State& state, Arguments& in) {
  const std::int64_t start = in.integer_or("startModule", 0, INT32_MAX, 0);
  in.integer_or("moduleCount", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  Json::Array found;
  if (start == 0) {
    Json module = Json::record({{"id", 1},
                                {"name", state.session().kernel_name()},
                                {"isUserCode", true},
                                {"symbolStatus", std::to_string(state.engine().kernel().points().size()) + " ops"}});
    const auto files = files_of(state.engine().kernel());
    if (!files.empty()) module.set("path", *files.front());
    found.push_back(std::move(module));
  }
  return done(Json::record({{"modules", std::move(found)}, {"totalModules", 1}}));
}

Answer loaded_sources(State& state, Arguments&) {
  Json::Array found;
  for (const std::string* file : files_of(state.engine().kernel())) found.push_back(source_of_file(state, *file));
  found.push_back(source_of_ttir(state));
  return done(Json::record({{"sources", std::move(found)}}));
}

Answer source(State& state, Arguments& in) {
  const std::int64_t reference = in.integer("sourceReference", 0, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  if (reference == kTtirReference)
    return done(Json::record({{"content", ttir_text(state)}, {"mimeType", "text/x-mlir"}}));
  const auto files = files_of(state.engine().kernel());
  const std::int64_t number = reference - kTtirReference - 1;
  std::string path;
  if (number >= 0 && number < static_cast<std::int64_t>(files.size())) path = *files[static_cast<std::size_t>(number)];
  if (reference == 0 && !in.object_or_null("source").is_null()) path = read_source(state, in).file;
  if (!in.is_good()) return refuse(in.problem());
  // Only the kernel's own sources: a client must not read any file through this.
  const auto known = std::find_if(files.begin(), files.end(), [&](const std::string* file) {
    return *file == path || path_for_client(*file) == path;
  });
  const SourceFilePtr text = known != files.end() ? state.session().listing().source(**known) : nullptr;
  if (text == nullptr) return refuse("there is no such source");
  return done(Json::record({{"content", text->text()}}));
}

/// Numbers are those of points, from 1 on.
Answer locations(State& state, Arguments& in) {
  const std::int64_t reference = in.integer("locationReference", 1, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  const auto& points = state.engine().kernel().points();
  if (reference > static_cast<std::int64_t>(points.size())) return refuse("there is no such location");
  const Place place = points[static_cast<std::size_t>(reference - 1)].place();
  if (!place.is_known()) return refuse("the source of this location is unknown");
  Json body = Json::record();
  set_place(state, body, place);
  return done(std::move(body));
}

}  // namespace lockstep::debugger::dap
