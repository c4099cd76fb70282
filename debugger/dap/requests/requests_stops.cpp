// Requests about stops: breakpoints of lines, functions, instructions, data, and findings.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/instructions.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/sources.h"
#include "debugger/dap/stops.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMaxLine = INT32_MAX, kMostWatched = std::int64_t{1} << 30;
constexpr const char* kTtirList = "ttir";  // of the stops of lines of the TTIR

/// The conditions of any breakpoint.
StopRequest read_request(Arguments& in) {
  StopRequest request;
  request.condition = in.text_or("condition", "");
  request.hits = in.text_or("hitCondition", "");
  request.log = in.text_or("logMessage", "");
  return request;
}

std::string key_of(const std::string& where, const StopRequest& request) {
  return joined_key({where, request.condition, request.hits, request.log});
}

StopTable::Wish wish_for(State& state, const std::string& key, Expected<Where, Problem> where,
                         const StopRequest& request) {
  Session& session = state.session();
  return {key_of(key, request), [&session, where = std::move(where), request]() -> StopTable::Made {
            if (!where) return Unexpected{where.error()};
            return session.stops().add(*where, request);
          }};
}

Json unverified(const Problem& problem) {
  return Json::record({{"verified", false}, {"message", problem.text()}, {"reason", "failed"}});
}

Answer replaced(State& state, const std::string& list, const std::vector<StopTable::Wish>& wishes) {
  Json::Array breakpoints;
  for (const auto& made : state.stops.replace(state.session(), list, wishes))
    breakpoints.push_back(breakpoint_json(state, made, list != kTtirList));
  return done(Json::record({{"breakpoints", std::move(breakpoints)}}));
}

/// The line as the session counts, from 1. A client that counts from 0 may ask for -1, which does not exist.
std::uint32_t read_line(const State& state, Arguments& in, const char* key) {
  return static_cast<std::uint32_t>(in.integer(key, state.client.first_line, kMaxLine) + 1 - state.client.first_line);
}

Expected<Where, Problem> where_of_line(const State& state, const NamedSource& source, std::uint32_t line) {
  const DebugKernel& kernel = state.engine().kernel();
  if (!source.is_ttir) return resolve_line(kernel, source.file, line);
  const auto& ops = state.session().listing().ops();
  if (line == 0 || line > ops.size()) return Unexpected{Problem{"the TTIR has no such line", ""}};
  return where_of_point(kernel, ops[line - 1].point);
}

Expected<Watch::Kind, Problem> watch_kind(const std::string& access) {
  if (access == "write" || access.empty()) return Watch::Kind::write;
  if (access == "read") return Watch::Kind::read;
  if (access == "readWrite") return Watch::Kind::access;
  return Unexpected{Problem{"'" + access + "' is not an access type", "read, write, readWrite"}};
}

/// The `dataId` of bytes: "0x7f3a00001000+16".
std::string data_id(std::uint64_t address, std::int64_t bytes) {
  return address_text(address) + "+" + std::to_string(bytes);
}

/// nullopt: an expression.
std::optional<ByteRange> range_of(const std::string& id) {
  const std::size_t plus = id.find('+');
  if (!id.starts_with("0x") || plus == std::string::npos) return std::nullopt;
  const auto address = parse_address(id.substr(0, plus)), bytes = parse_address(id.substr(plus + 1));
  if (!address || !bytes || *bytes > static_cast<std::uint64_t>(kMostWatched)) return std::nullopt;
  return ByteRange{*address, *address + *bytes};
}

Answer bytes_info(const State& state, std::optional<std::uint64_t> address, std::int64_t bytes) {
  const auto none = [](const char* why) { return done(Json::record({{"dataId", Json()}, {"description", why}})); };
  if (!address) return none("this is not an address");
  const auto& memory = state.engine().memory();
  const auto storage = memory.find_storage(*address);
  if (!storage || static_cast<std::uint64_t>(bytes) > memory.storage(*storage).extent.end - *address)
    return none("these bytes do not lie in one argument");
  const PointerPlace place = state.session().scope().place_of(*address, -1);
  std::string text = std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at " + address_text(*address);
  if (place.is_inside) text += ", " + place.argument + (place.index.empty() ? "" : index_text(place.index));
  return done(Json::record({{"dataId", data_id(*address, bytes)},
                            {"description", text},
                            {"accessTypes", Json(Json::Array{"write", "read", "readWrite"})},
                            {"canPersist", false}}));
}

Json finding_details(const Finding& finding) {
  return Json::record({{"message", finding.message},
                       {"typeName", std::string(spelling(finding.code))},
                       {"fullTypeName", std::string(spelling(finding.code)) + " " + finding.op},
                       {"stackTrace", render_text(finding)}});
}

}  // namespace

Json breakpoint_json(const State& state, const StopTable::Made& made, bool shows_place) {
  if (!made) return unverified(made.error());
  Json json = Json::record({{"id", *made}, {"verified", true}});
  const auto facts = state.session().stops().all().find(*made);
  if (shows_place && facts != state.session().stops().all().end() && facts->second.where.place.is_known()) {
    json.set("source", source_of_file(state, *facts->second.where.place.file));
    json.set("line", static_cast<std::int64_t>(facts->second.where.place.line) - 1 + state.client.first_line);
  }
  return json;
}

Answer set_breakpoints(State& state, Arguments& in) {
  const NamedSource source = read_source(state, in);
  std::vector<StopTable::Wish> wishes;
  for (const Json& one : in.list_or_empty("breakpoints")) {
    Arguments each(one, "breakpoints.");
    const std::uint32_t line = read_line(state, each, "line");
    const StopRequest request = read_request(each);
    if (!each.is_good()) return refuse(each.problem());
    if (!in.is_good()) return refuse(in.problem());
    wishes.push_back(wish_for(state, std::to_string(line), where_of_line(state, source, line), request));
  }
  if (!in.is_good()) return refuse(in.problem());
  return replaced(state, source.is_ttir ? kTtirList : "source " + source.file, wishes);
}

Answer set_function_breakpoints(State& state, Arguments& in) {
  std::vector<StopTable::Wish> wishes;
  for (const Json& one : in.list_or_empty("breakpoints")) {
    Arguments each(one, "breakpoints.");
    const std::string name = each.text("name");
    const StopRequest request = read_request(each);
    if (!each.is_good()) return refuse(each.problem());
    wishes.push_back(wish_for(state, name, state.session().resolve(name), request));
  }
  if (!in.is_good()) return refuse(in.problem());
  return replaced(state, "functions", wishes);
}

Answer set_instruction_breakpoints(State& state, Arguments& in) {
  std::vector<StopTable::Wish> wishes;
  const DebugKernel& kernel = state.engine().kernel();
  for (const Json& one : in.list_or_empty("breakpoints")) {
    Arguments each(one, "breakpoints.");
    const std::string reference = each.text("instructionReference");
    const std::int64_t offset = each.integer_or("offset", INT32_MIN, INT32_MAX, 0);
    const StopRequest request = read_request(each);
    if (!each.is_good()) return refuse(each.problem());
    const auto point = point_at(state, reference, offset);
    Expected<Where, Problem> where = Unexpected{Problem{"there is no op at '" + reference + "'", ""}};
    if (point) where = where_of_point(kernel, *point);
    wishes.push_back(wish_for(state, reference + "+" + std::to_string(offset), std::move(where), request));
  }
  if (!in.is_good()) return refuse(in.problem());
  return replaced(state, "instructions", wishes);
}

/// Tries each filter together with the correct ones, so that a wrong one leaves the others.
Answer set_exception_breakpoints(State& state, Arguments& in) {
  std::vector<CatchRequest> wanted;
  for (const std::string& name : in.texts_or_empty("filters")) wanted.push_back({name, ""});
  for (const Json& one : in.list_or_empty("filterOptions")) {
    Arguments each(one, "filterOptions.");
    wanted.push_back({each.text("filterId"), each.text_or("condition", "")});
    if (!each.is_good()) return refuse(each.problem());
  }
  if (!in.is_good()) return refuse(in.problem());
  std::vector<CatchRequest> right;
  Json::Array breakpoints;
  for (const CatchRequest& request : wanted) {
    const auto rule = make_rule(request);
    breakpoints.push_back(rule ? Json::record({{"verified", true}}) : unverified(rule.error()));
    if (rule) right.push_back(request);
  }
  return withdrawable(state, "running the launch under checkers", [&] {
    const auto caught = state.session().caught().set(right);
    if (!caught) return refuse(caught.error().text());
    return done(Json::record({{"breakpoints", std::move(breakpoints)}}));
  });
}

Answer data_breakpoint_info(State& state, Arguments& in) {
  const std::string name = in.text("name");
  const std::int64_t container = in.integer_or("variablesReference", 0, INT32_MAX, 0);
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  const bool is_address = in.boolean_or("asAddress", false), has_bytes = in.has("bytes");
  const std::int64_t bytes = in.integer_or("bytes", 1, kMostWatched, 1);
  if (!in.is_good()) return refuse(in.problem());
  if (is_address) return bytes_info(state, parse_address(name), bytes);
  const auto text = expression_in(state, container, frame, name);
  if (!text) return refuse(text.error());
  if (state.session().stops().is_buffer(*text))
    return done(Json::record({{"dataId", *text},
                              {"description", "buffer " + *text},
                              {"accessTypes", Json(Json::Array{"write"})},
                              {"canPersist", false}}));
  const auto parsed = parse_expression(*text);
  const auto target = parsed ? resolve_target(*parsed, state.session().scope())
                             : Expected<Target, ExpressionError>(Unexpected{parsed.error()});
  if (!target) return done(Json::record({{"dataId", Json()}, {"description", target.error().message}}));
  if (has_bytes && target->is_memory && !target->bytes.empty())
    return bytes_info(state, target->bytes.front().begin, bytes);
  Json::Array access;
  access.emplace_back("write");
  if (target->is_memory) access.insert(access.end(), {Json("read"), Json("readWrite")});
  return done(Json::record({{"dataId", *text},
                            {"description", *text},
                            {"accessTypes", std::move(access)},
                            {"canPersist", target->is_memory}}));
}

Answer set_data_breakpoints(State& state, Arguments& in) {
  std::vector<StopTable::Wish> wishes;
  Session& session = state.session();
  for (const Json& one : in.list_or_empty("breakpoints")) {
    Arguments each(one, "breakpoints.");
    const std::string id = each.text("dataId"), access = each.text_or("accessType", "");
    const std::string condition = each.text_or("condition", ""), hits = each.text_or("hitCondition", "");
    if (!each.is_good()) return refuse(each.problem());
    wishes.push_back({joined_key({id, access, condition, hits}), [=, &session]() -> StopTable::Made {
                        const auto kind = watch_kind(access);
                        if (!kind) return Unexpected{kind.error()};
                        if (!hits.empty()) return Unexpected{Problem{"a data breakpoint cannot count its hits", ""}};
                        if (const auto range = range_of(id)) return session.stops().add_watch(*range, *kind, condition);
                        return session.stops().add_watch(id, *kind, condition);
                      }});
  }
  if (!in.is_good()) return refuse(in.problem());
  return replaced(state, "data", wishes);
}

Answer breakpoint_locations(State& state, Arguments& in) {
  const NamedSource source = read_source(state, in);
  const std::uint32_t first = read_line(state, in, "line");
  const std::uint32_t last = in.has("endLine") ? read_line(state, in, "endLine") : first;
  if (!in.is_good()) return refuse(in.problem());
  std::vector<std::uint32_t> lines;
  if (source.is_ttir) {
    for (std::uint32_t line = 1; line <= state.session().listing().ops().size(); ++line) lines.push_back(line);
  } else if (const auto where = resolve_line(state.engine().kernel(), source.file, 1);
             where && where->place.is_known()) {
    lines = lines_of(state.engine().kernel(), *where->place.file);
  }
  Json::Array found;
  for (const std::uint32_t line : lines) {
    if (line < first || line > last) continue;
    found.push_back(Json::record({{"line", static_cast<std::int64_t>(line) - 1 + state.client.first_line}}));
  }
  return done(Json::record({{"breakpoints", std::move(found)}}));
}

Answer exception_info(State& state, Arguments& in) {
  in.integer("threadId", 0, INT64_MAX);
  if (!in.is_good()) return refuse(in.problem());
  const StopEvent& stop_event = state.session().stop_event();
  if (stop_event.findings.empty()) return refuse("the launch did not stop at a finding");
  const Finding& first = stop_event.findings.front();
  Json details = finding_details(first);
  Json::Array others;
  for (std::size_t i = 1; i < stop_event.findings.size(); ++i) others.push_back(finding_details(stop_event.findings[i]));
  if (!others.empty()) details.set("innerException", std::move(others));
  return done(Json::record({{"exceptionId", std::string(spelling(first.code))},
                            {"description", render_text(first)},
                            {"breakMode", "always"},
                            {"details", std::move(details)}}));
}

}  // namespace lockstep::debugger::dap
