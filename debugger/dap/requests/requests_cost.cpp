// What comes of the kernel as a whole: lockstep/cost, what the launch moves and computes, line by line, compared with a GPU's
// rates; lockstep/prove, what holds in every launch. Requests and answers: docs/editors.md.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/runs.h"
#include "debugger/session/launch_answers.h"
#include "debugger/session/line_cost.h"
#include "support/gpu_model.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::size_t kMostCostLines = 1000;
constexpr std::size_t kMostContractWords = 200, kMostContractBytes = 20'000;

Json line_json(const LineCost& line) {
  Json json = Json::record({{"executions", line.executions},
                            {"sectors", line.sectors},
                            {"bytes", line.bytes},
                            {"flops", line.flops},
                            {"seconds", line.seconds}});
  if (line.place.is_known()) {
    json.set("file", *line.place.file);
    json.set("line", line.place.line);
  }
  return json;
}

Json cost_json(const State& state, const LaunchCost& cost, const GpuModel& model) {
  std::vector<LineCost> lines = costs_by_line(cost, state.engine().kernel());
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LineCost& a, const LineCost& b) { return a.seconds > b.seconds; });
  LineCost all;
  Json::Array shown;
  for (const LineCost& line : lines) {
    all.add(line);
    if (shown.size() < kMostCostLines) shown.push_back(line_json(line));
  }
  const auto moved = static_cast<double>(all.sectors * kSectorBytes);
  const double memory = moved / model.bytes_per_second;
  const double arithmetic = all.flops > 0 ? std::max(0.0, all.seconds - memory) : 0.0;
  Json body = Json::record({{"gpu", cost.gpu},
                            {"roofline", cost.roofline},
                            {"bytesPerSecond", model.bytes_per_second},
                            {"sectors", all.sectors},
                            {"moved", all.sectors * kSectorBytes},
                            {"bytes", all.bytes},
                            {"flops", all.flops},
                            {"memorySeconds", memory},
                            {"arithmeticSeconds", arithmetic},
                            {"isTruncated", lines.size() > kMostCostLines}});
  // The rate for this launch's mix of units; without computation, the rate without tensor cores.
  body.set("flopsPerSecond", all.flops > 0 && arithmetic > 0 ? all.flops / arithmetic : model.f32);
  if (moved > 0) body.set("intensity", all.flops / moved);
  body.set("lines", std::move(shown));
  return body;
}

}  // namespace

Answer lockstep_cost(State& state, Arguments& in) {
  const std::string gpu = in.text_or("gpu", "");
  if (!in.is_good()) return refuse(in.problem());
  return withdrawable(state, "counting what the launch costs", [&] {
    const auto cost = launch_cost(state.session(), gpu);
    if (!cost) return refuse(cost.error().text());
    const GpuModel* model = gpu_model(cost->gpu);
    if (model == nullptr) return refuse("the rates of '" + cost->gpu + "' are not known");
    return done(cost_json(state, *cost, *model));
  });
}

Answer lockstep_prove(State& state, Arguments& in) {
  const std::vector<std::string> words = in.texts_or_empty("words");
  std::size_t bytes = 0;
  for (const std::string& word : words) bytes += word.size();
  if (words.size() > kMostContractWords || bytes > kMostContractBytes) in.fail("'words' is longer than any contract");
  if (!in.is_good()) return refuse(in.problem());
  return withdrawable(state, "proving the kernel for all sizes", [&] {
    auto proof = launch_proof(state.session(), words);
    if (!proof) return refuse(proof.error().text());
    state.proof = *proof;  // hovers show it
    return done(std::move(*proof));
  });
}

}  // namespace lockstep::debugger::dap
