#include "sanitizer/values/dependence.h"

#include <algorithm>

#include "interpreter/access/storage_copy.h"
#include "interpreter/batching/effects.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/text/python_name.h"
#include "memory_model/elements.h"
#include "sanitizer/core/lone_run.h"
#include "sanitizer/triage/expectation.h"
#include "sanitizer/values/dependence_flow.h"
#include "support/json.h"

namespace lockstep::sanitizer {

namespace {

std::string position_text(std::int64_t number, const std::vector<std::int64_t>& shape) {
  const std::vector<std::int64_t> index = position_of(number, shape);
  std::string text = "[";
  for (std::size_t d = 0; d < index.size(); ++d) text += (d == 0 ? "" : ",") + std::to_string(index[d]);
  return text + "]";
}

ArgumentElements elements_of(const memory_model::View& view, const std::vector<ByteRange>& ranges) {
  ArgumentElements made;
  made.name = view.name;
  made.shape = view.shape;
  const auto bytes = static_cast<std::uint64_t>(size_bytes(view.element));
  for_each_element(view, [&](std::int64_t i, std::uint64_t address) {
    const auto behind = std::upper_bound(ranges.begin(), ranges.end(), address,
                                         [](std::uint64_t at, const ByteRange& one) { return at < one.end; });
    if (behind == ranges.end() || behind->begin >= address + bytes) return;
    ++made.count;
    if (!made.runs.empty() && made.runs.back().second == i) {
      ++made.runs.back().second;
    } else {
      made.runs.emplace_back(i, i + 1);
    }
  });
  return made;
}

DependenceReport dependence_report(const interpreter::LaunchRequest& request, const ElementOfView& element,
                                   const DependenceFlow& flow) {
  const memory_model::View& view = request.memory->view(element.view);
  DependenceReport report;
  report.element = view.name + position_text(element.number, view.shape);
  const Parts* parts = flow.stored(address_of_element(view, element.number));
  report.is_stored = parts != nullptr;
  if (parts == nullptr) return report;
  const ElementSets::Id ids[] = {parts->value, parts->address, parts->condition};
  for (std::size_t kind = 0; kind < report.arguments.size(); ++kind) {
    for (const interpreter::Argument& argument : request.arguments) {
      if (argument.kind == interpreter::Argument::Kind::scalar || flow.sets().ranges(ids[kind]).empty()) continue;
      ArgumentElements one = elements_of(request.memory->view(argument.view), flow.sets().ranges(ids[kind]));
      if (one.count != 0) report.arguments[kind].push_back(std::move(one));
    }
  }
  for (const ir::Op* op : flow.coarse()) {
    const std::string place = op->location().file_text();
    report.coarse.push_back(ir::python_name(*op) + (place.empty() ? "" : " at " + place));
  }
  std::sort(report.coarse.begin(), report.coarse.end());
  return report;
}

}  // namespace

std::optional<std::vector<DependenceReport>> find_dependences(const interpreter::LaunchRequest& request,
                                                              const std::vector<ElementOfView>& elements,
                                                              std::string& why) {
  const CheckOptions options;
  const interpreter::MemoryEffects effects = interpreter::effects_of(*request.module, *request.function);
  const LaunchContext context{*request.module, *request.function, request, request.profile, options, effects};
  interpreter::MemoryBudget budget;
  interpreter::StorageCopy before(budget);
  why = "there is no memory for a copy of what the launch writes";
  if (!before.take(*request.memory, interpreter::written_storages(request, effects))) return std::nullopt;
  DependenceFlow flow;
  const auto report = run_alone(flow, context, false);
  before.restore();
  why = "the launch does not complete";
  if (!report || report->outcome != interpreter::Outcome::completed) return std::nullopt;
  why = "the sets of elements are too many";
  if (flow.sets().is_full()) return std::nullopt;
  std::vector<DependenceReport> made;
  for (const ElementOfView& one : elements) made.push_back(dependence_report(request, one, flow));
  return made;
}

// ---- texts ----

namespace {

/// "[3,0:100]" where the elements are a box of the tensor; "": they are not.
std::string box_text(const ArgumentElements& elements) {
  std::vector<std::int64_t> low, high;
  for (const auto& [first, last] : elements.runs) {
    for (const std::int64_t number : {first, last - 1}) {
      const std::vector<std::int64_t> index = position_of(number, elements.shape);
      if (low.empty()) low = high = index;
      for (std::size_t d = 0; d < index.size(); ++d) {
        low[d] = std::min(low[d], index[d]);
        high[d] = std::max(high[d], index[d]);
      }
    }
    // A run over several rows reaches both ends of them.
    std::int64_t inner = 1;
    for (std::size_t d = low.size(); d-- > 0; inner *= elements.shape[d]) {
      if (first / (inner * elements.shape[d]) == (last - 1) / (inner * elements.shape[d])) continue;
      low[d] = 0;
      high[d] = elements.shape[d] - 1;
    }
  }
  std::int64_t volume = 1;
  std::string text = "[";
  for (std::size_t d = 0; d < low.size(); ++d) {
    volume *= high[d] - low[d] + 1;
    text += (d == 0 ? "" : ",") + std::to_string(low[d]);
    if (high[d] != low[d]) text += ":" + std::to_string(high[d] + 1);
  }
  return volume == elements.count ? text + "]" : "";
}

std::string elements_text(const ArgumentElements& elements) {
  constexpr std::size_t kShown = 6;
  if (const std::string box = box_text(elements); !box.empty()) return elements.name + box;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, elements.runs.size()); ++i) {
    const auto& [first, last] = elements.runs[i];
    text += (i == 0 ? "" : ", ") + elements.name + position_text(first, elements.shape);
    if (last > first + 1) text += " to " + position_text(last - 1, elements.shape);
  }
  if (elements.runs.size() > kShown) text += " and " + std::to_string(elements.runs.size() - kShown) + " more runs";
  return text + " (" + std::to_string(elements.count) + " elements)";
}

}  // namespace

std::string dependence_text(const DependenceReport& report) {
  if (!report.is_stored) return report.element + " is not stored by this launch\n";
  std::string text;
  for (std::size_t kind = 0; kind < report.arguments.size(); ++kind) {
    for (const ArgumentElements& one : report.arguments[kind])
      text += "  " + elements_text(one) + " as " + std::string(kDependenceNames[kind]) + "\n";
  }
  if (text.empty()) return report.element + " depends on no element of an argument\n";
  for (const std::string& op : report.coarse) text += "  not known lane by lane, all operands count: " + op + "\n";
  return report.element + " depends on\n" + text;
}

std::string dependence_json(const DependenceReport& report) {
  const auto numbers = [](const auto& list, const auto& text_of) {
    std::string text = "[";
    for (const auto& one : list) text += (text.size() == 1 ? "" : ", ") + text_of(one);
    return text + "]";
  };
  const auto plain = [](std::int64_t one) { return std::to_string(one); };
  const auto run = [](const std::pair<std::int64_t, std::int64_t>& one) {
    return "[" + std::to_string(one.first) + ", " + std::to_string(one.second) + "]";
  };
  std::string text = "{\"element\": " + json_quoted(report.element) + ", \"stored\": " + (report.is_stored ? "true" : "false");
  for (std::size_t kind = 0; kind < report.arguments.size(); ++kind) {
    text += ", \"" + std::string(kDependenceNames[kind]) + "\": " +
            numbers(report.arguments[kind], [&](const ArgumentElements& one) {
              return "{\"argument\": " + json_quoted(one.name) + ", \"elements\": " + std::to_string(one.count) +
                     ", \"shape\": " + numbers(one.shape, plain) + ", \"runs\": " + numbers(one.runs, run) + "}";
            });
  }
  return text + ", \"coarse\": " + numbers(report.coarse, [](const std::string& one) { return json_quoted(one); }) + "}";
}

}  // namespace lockstep::sanitizer
