// Requests of Lockstep's own that ask about the past: who touched bytes of memory, what made them, which op made them
// wrong. What they take and answer: docs/editors.md.
#include <algorithm>
#include <cstring>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/transport/base64.h"
#include "debugger/expression/show.h"
#include "debugger/queries/accesses.h"
#include "debugger/queries/past.h"
#include "debugger/queries/slice.h"
#include "debugger/session/launch_answers.h"
#include "debugger/session/padding_text.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMostSlicePage = 10'000, kUsualSteps = 1000;
constexpr std::size_t kMostDiffBytes = std::size_t{8} << 20;

const char* touch_name(interpreter::TouchKind kind) {
  switch (kind) {
    case interpreter::TouchKind::load: return "read";
    case interpreter::TouchKind::store: return "store";
    case interpreter::TouchKind::atomic: return "atomic";
  }
  return "";
}

/// An element as its number, of a value that may be anything: "1.5", "nan", "-3".
Json number_json(const State& state, ScalarKind kind, const std::string& bytes) {
  if (bytes.size() != static_cast<std::size_t>(size_bytes(kind))) return {};
  return element_text(decode_tensor(kind, {}, bytes), 0, state.session().scope());
}

/// The bytes that the request's expression stands for, in one piece.
Expected<Target, std::string> read_target(State& state, Arguments& in) {
  const std::string text = in.text("expression");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return Unexpected{in.problem()};
  const auto looked = look_at_frame(state, frame);
  if (!looked) return Unexpected{looked.error()};
  const auto expression = parse_expression(text);
  if (!expression) return Unexpected{expression.error().message};
  auto target = resolve_target(*expression, state.session().scope());
  if (!target) return Unexpected{target.error().message};
  if (!target->is_memory)
    return Unexpected{"'" + text + "' is a variable: Lockstep keeps the history of memory only, such as out[17,3]"};
  if (target->bytes.empty()) return Unexpected{"'" + text + "' has no elements"};
  if (target->bytes.size() > 1)
    return Unexpected{"'" + text + "' is several pieces of memory: ask for one element or a row"};
  return std::move(*target);
}

ByteRange bytes_of_target(const Target& target) { return {target.bytes.front().begin, target.bytes.front().end}; }

/// program, id, point, op by both its names, and the line where it stands.
Json event_json(const State& state, std::uint64_t program, const Point& point) {
  Json json = Json::record({{"program", program},
                            {"id", json_numbers(state.engine().program_id(program))},
                            {"point", point.number},
                            {"op", std::string(point.op->spelling())},
                            {"python", ir::python_name(*point.op)}});
  const Place place = point.place();
  if (place.is_known()) {
    json.set("file", *place.file);
    json.set("line", place.line);
  }
  return json;
}

Json access_json(const State& state, const MemoryAccess& access, ScalarKind kind) {
  Json json = event_json(state, access.program, *access.point);
  json.set("kind", touch_name(access.kind));
  json.set("lane", access.lane);
  json.set("iterations", json_numbers(access.iterations));
  const Json before = number_json(state, kind, access.before);
  if (before.is_null()) return json;  // several elements
  json.set("before", before);
  if (access.kind != interpreter::TouchKind::load) json.set("after", number_json(state, kind, access.after));
  return json;
}

Json step_json(const State& state, const SliceStep& step) {
  Json json = event_json(state, step.program, *step.point);
  json.set("lane", step.lanes.first());
  json.set("lanes", step.lanes.count());
  if (ir::is_implied(*step.point->op)) json.set("isSilent", true);
  if (!step.first_value.empty()) json.set("value", number_json(state, step.kind, step.first_value));
  if (step.has_nan) json.set("nan", true);
  if (step.has_infinity) json.set("infinity", true);
  if (step.origins.lanes != 0) {
    json.set("padding", step.origins.padding());
    json.set("origins", origins_text(step.origins, state.session().scope()));
  }
  return json;
}

/// Bytes of an argument by their first and last element; bytes outside of arguments only by their number.
Json input_json(const State& state, ByteRange range) {
  Json json = Json::record({{"bytes", range.end - range.begin}});
  const PointerPlace first = state.session().scope().place_of(range.begin, -1);
  if (first.argument.empty()) return json;
  json.set("argument", first.argument);
  json.set("first", json_numbers(first.index));
  const auto window = state.session().scope().argument(first.argument);
  if (!window) return json;
  const auto size = static_cast<std::uint64_t>(size_bytes(window->kind));
  json.set("last", json_numbers(state.session().scope().place_of(range.end - size, window->view).index));
  return json;
}

Json different_json(const State& state, const TensorDifference& tensor, const DifferentElement& element) {
  const auto size = static_cast<std::size_t>(size_bytes(tensor.kind));
  const auto text = [&](std::uint64_t bits) {
    std::string bytes(size, '\0');
    std::memcpy(bytes.data(), &bits, std::min(size, sizeof bits));
    return number_json(state, tensor.kind, bytes);
  };
  Json json = Json::record({{"index", json_numbers(index_of(element.element, tensor.shape))},
                            {"now", text(element.now)},
                            {"reference", text(element.reference)},
                            {"absolute", element.absolute}});
  if (element.ulp != INT64_MAX) json.set("ulp", element.ulp);
  return json;
}

/// `has_data`: with the reference's elements, in the form of lockstep/tile, unless there are too many.
Json difference_json(const State& state, const TensorDifference& tensor, bool has_data) {
  Json json = Json::record({{"name", tensor.name},
                            {"type", spelling(tensor.kind)},
                            {"shape", json_numbers(tensor.shape)},
                            {"reference", tensor.reference},
                            {"elements", tensor.elements},
                            {"different", tensor.different},
                            {"pending", tensor.pending},
                            {"largestAbsolute", tensor.largest_absolute},
                            {"isRefuted", tensor.is_refuted}});
  if (tensor.largest_ulp != INT64_MAX) json.set("largestUlp", tensor.largest_ulp);
  if (!tensor.verdict.empty()) json.set("verdict", tensor.verdict);
  if (has_data && tensor.reference_bytes.size() <= kMostDiffBytes) json.set("data", to_base64(tensor.reference_bytes));
  Json::Array first;
  for (const DifferentElement& element : tensor.first) first.push_back(different_json(state, tensor, element));
  json.set("first", std::move(first));
  return json;
}

/// The latest `most` steps, and as many inputs.
Json slice_json(const State& state, const Slice& slice, const std::string& target, std::size_t most) {
  Json::Array steps, inputs, scalars;
  for (std::size_t i = slice.steps.size() - std::min(most, slice.steps.size()); i < slice.steps.size(); ++i)
    steps.push_back(step_json(state, slice.steps[i]));
  for (std::size_t i = 0; i < std::min(most, slice.inputs.size()); ++i)
    inputs.push_back(input_json(state, slice.inputs[i]));
  const ir::Block& entry = state.engine().kernel().function().region().front();
  for (const std::uint32_t scalar : slice.scalars) scalars.emplace_back(name_of(*entry.argument(scalar)));
  return Json::record({{"target", target},
                       {"steps", std::move(steps)},
                       {"inputs", std::move(inputs)},
                       {"scalars", std::move(scalars)},
                       {"usesProgramId", slice.uses_program_id},
                       {"isTruncated", slice.is_truncated || slice.steps.size() > most || slice.inputs.size() > most}});
}

// ---- bisect ----

/// From behind the op of the culprit back to where it is about to run, in its own line.
void stand_before(State& state, const Culprit& culprit) {
  Engine& engine = state.engine();
  (void)ask_the_past(engine, [&](Engine::ScopedReplay& away) {
    const Mark behind = engine.mark();
    const bool is_there = behind.step > 0 && engine.seek({behind.turn, behind.step - 1}) &&
                          engine.point() != nullptr && engine.point()->op == culprit.op &&
                          engine.program() == culprit.program;
    if (is_there) away.stay();
    return is_there;
  });
  state.session().look_again();
}

Json culprit_json(const State& state, const Culprit& culprit) {
  Json::Array lines;
  for (const std::string& line : culprit.lines) lines.emplace_back(line);
  Json json = Json::record({{"lines", std::move(lines)}});
  const Point* point = state.engine().point();
  if (culprit.op == nullptr || point == nullptr) return json;
  json.set("python", ir::python_name(*culprit.op));
  json.set("program", json_numbers(state.engine().program_id(culprit.program)));
  json.set("execution", culprit.execution);
  json.set("lane", json_numbers(culprit.lane));
  if (point->op != culprit.op) return json;
  json.set("point", point->number);
  json.set("op", state.session().listing().ops()[point->number].text);
  if (const Place place = point->place(); place.is_known()) {
    json.set("file", *place.file);
    json.set("line", place.line);
  }
  return json;
}

}  // namespace

Answer lockstep_diff(State& state, Arguments& in) {
  const std::string of = in.text_or("of", "");
  const bool has_data = in.boolean_or("data", false);
  if (!in.is_good()) return refuse(in.problem());
  return withdrawable(state, "comparing with the reference", [&] {
    const auto report = compare_outputs(state.session(), of);
    if (!report) return refuse(report.error().text());
    Json::Array tensors;
    for (const TensorDifference& tensor : report->tensors) tensors.push_back(difference_json(state, tensor, has_data));
    Json body = Json::record({{"unfinished", unfinished_programs(state.session())}, {"tensors", std::move(tensors)}});
    if (!report->remark.empty()) body.set("remark", report->remark);
    return done(std::move(body));
  });
}

Answer lockstep_who(State& state, Arguments& in) {
  const auto most = static_cast<std::size_t>(in.integer_or("count", 1, kMostSlicePage, kUsualSteps));
  const auto target = read_target(state, in);
  if (!target) return refuse(target.error());
  return withdrawable(state, "searching the history of " + target->text, [&] {
    const auto list = find_accesses(state.engine(), bytes_of_target(*target), most);
    if (!list) return refuse(list.error().text());
    Json::Array accesses;
    for (const MemoryAccess& access : list->accesses)
      accesses.push_back(access_json(state, access, target->window.kind));
    return done(Json::record({{"target", target->text},
                              {"accesses", std::move(accesses)},
                              {"total", list->total},
                              {"isTruncated", list->is_truncated}}));
  });
}

Answer lockstep_why(State& state, Arguments& in) {
  const auto most = static_cast<std::size_t>(in.integer_or("count", 1, kMostSlicePage, kUsualSteps));
  const auto target = read_target(state, in);
  if (!target) return refuse(target.error());
  return withdrawable(state, "searching the history of " + target->text, [&] {
    const auto slice = find_slice(state.engine(), bytes_of_target(*target));
    return slice ? done(slice_json(state, *slice, target->text, most)) : refuse(slice.error().text());
  });
}

Answer lockstep_bisect(State& state, Arguments& in) {
  const std::string expression = in.text("expression");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const Engine::ReturnMark before = state.engine().home();
  Answer answer = withdrawable(state, "looking for the op that made it wrong", [&] {
    const auto culprit = find_culprit(state.session(), expression);
    if (!culprit) return refuse(culprit.error().text());
    if (culprit->op != nullptr) stand_before(state, *culprit);
    return done(culprit_json(state, *culprit));
  });
  const Engine::ReturnMark home = state.engine().home();
  if (home.mark == before.mark && home.is_end == before.is_end) return answer;
  forget_references(state);
  return then(std::move(answer), [&state] { report_stop(state, state.session().stop_event(), "goto"); });
}

}  // namespace lockstep::debugger::dap
