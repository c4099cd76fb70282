// Requests of Lockstep's own, for pages that show more than an editor: the grid, a tile's bytes, the findings.
#include "debugger/dap/dispatch.h"
#include "debugger/dap/findings.h"
#include "debugger/dap/json/layout_json.h"
#include "debugger/dap/json/padding_json.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/transport/base64.h"
#include "debugger/expression/show.h"
#include "debugger/session/launch_answers.h"
#include "debugger/session/overview.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMostPrograms = 4096, kMostTileBytes = std::int64_t{8} << 20;

const char* status_name(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::not_started: return "notStarted";
    case ProgramStatus::focus: return "focus";
    case ProgramStatus::waiting: return "waiting";
    case ProgramStatus::ended: return "ended";
    case ProgramStatus::fault: return "fault";
  }
  return "";
}

}  // namespace

/// {count?} -> {grid, counts, programs: [{number, id, status, steps, line?}]}: up to `count` interesting ones.
Answer lockstep_grid(State& state, Arguments& in) {
  const auto most = static_cast<std::size_t>(in.integer_or("count", 1, kMostPrograms, 64));
  if (!in.is_good()) return refuse(in.problem());
  const ProgramCounts counts = count_programs(state.session());
  Json::Array programs;
  for (const ProgramFacts& facts : notable_programs(state.session(), most)) {
    Json one = Json::record({{"number", facts.number},
                             {"id", json_numbers(facts.id)},
                             {"status", status_name(facts.status)},
                             {"steps", facts.steps}});
    if (facts.place.is_known()) one.set("line", facts.place.line);
    programs.push_back(std::move(one));
  }
  Json answer = Json::record({{"grid", json_numbers(state.engine().grid())},
                            {"counts", Json::record({{"notStarted", counts.not_started},
                                                     {"live", counts.live},
                                                     {"ended", counts.ended},
                                                     {"faults", counts.faults}})},
                            {"programs", std::move(programs)}});
  if (interpreter::find_block(*state.engine().machine().plan) != interpreter::kNoSlot) answer.set("hasPipeline", true);
  return done(std::move(answer));
}

/// {expression, frameId?} -> {type, shape, data, padding?, layout?}: row-major elements, as memory holds them, in
/// base64; which lanes of a variable are padding (padding_json.h); the layout of a tile of TTGIR.
Answer lockstep_tile(State& state, Arguments& in) {
  const std::string expression = in.text("expression");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const auto value = evaluate(expression, state.session().scope());
  if (!value) return refuse(value.error().message);
  const auto tensor = tensor_of(*value, state.session().scope());
  if (!tensor) return refuse(tensor.error());
  if (tensor->count() * size_bytes(tensor->kind) > kMostTileBytes) return refuse("more than 8 MiB: ask for a slice");
  const auto bytes = encode_tensor(*tensor, tensor->kind);
  if (!bytes) return refuse(bytes.error());
  Json body =
      Json::record({{"type", type_text(*value)}, {"shape", json_numbers(tensor->shape)}, {"data", to_base64(*bytes)}});
  if (Json padding = padding_of(state, expression, tensor->count()); !padding.is_null())
    body.set("padding", std::move(padding));
  if (const auto tile = laid_out(state, expression)) body.set("layout", layout_lines(*tile).front());
  return done(std::move(body));
}

/// {path, text, outputs?: [{name, tolerance?}]} -> {tensors: [{name, isEqual, text}]}: compares an ended launch with
/// the same launch of another kernel text, which runs now. tolerance: relative and absolute; 0: bit for bit.
Answer lockstep_check(State& state, Arguments& in) {
  const LaunchWish::SourceText solution{in.text("path"), in.text("text")};
  std::vector<Launched::Output> outputs;
  for (const Json& one : in.list_or_empty("outputs")) {
    Arguments each(one, "outputs.");
    Launched::Output& output = outputs.emplace_back(Launched::Output{each.text("name"), {}});
    if (each.has("tolerance")) output.tolerance = each.real("tolerance", 0, 1e300);
    if (!each.is_good()) in.fail(each.problem());
  }
  if (!in.is_good()) return refuse(in.problem());
  if (state.engine().point() != nullptr) return refuse("the launch has not ended yet");
  const auto compared = state.launched->compare_with(solution, outputs);
  if (!compared) return refuse(compared.error());
  Json::Array tensors;
  for (const Launched::Compared& one : *compared)
    tensors.push_back(Json::record({{"name", one.name}, {"isEqual", one.is_equal}, {"text", one.text}}));
  return done(Json::record({{"tensors", std::move(tensors)}}));
}

/// -> {findings, checked?, compared?: [{name, isEqual, text}]}: the findings so far; those of the launch under
/// checkers, if there was one, and its outputs compared with the given references.
Answer lockstep_report(State& state, Arguments&) {
  Json::Array findings;
  for (const auto& [mark, finding] : state.engine().findings()) findings.push_back(finding_json(finding));
  Json body = Json::record({{"findings", std::move(findings)}});
  if (const Report* report = state.session().caught().checked()) body.set("checked", findings_json(*report));
  Json::Array compared;
  for (const ComparedOutput& one : compared_outputs(state.session()))
    compared.push_back(Json::record({{"name", one.name}, {"isEqual", one.is_equal}, {"text", one.text}}));
  if (!compared.empty()) body.set("compared", std::move(compared));
  return done(std::move(body));
}

}  // namespace lockstep::debugger::dap
