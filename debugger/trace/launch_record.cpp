#include "debugger/trace/launch_record.h"

#include <regex>
#include <set>

#include "debugger/dap/sources.h"
#include "debugger/engine/names.h"
#include "debugger/session/break_locations.h"
#include "debugger/trace/step_view.h"
#include "ir/op.h"

namespace lockstep::debugger::trace {

namespace {

using Members = std::vector<std::pair<std::string, Node>>;

constexpr std::int64_t kMostInstructions = 4000, kMostTurns = 1024;
constexpr std::uint64_t kMostPrograms = 16'384;  // of which the past is asked about
constexpr std::size_t kMostElements = 16;

Node sources_of(Answers& answers, Nodes& nodes) {
  Members sources;
  std::set<std::string> seen;
  const dap::State& state = answers.state();
  for (const std::string* file : files_of(state.engine().kernel())) {
    const Json source = dap::source_of_file(state, *file);
    const auto body = answers.ask("source", Json::record({{"source", source}, {"sourceReference", 0}}));
    if (!body || !seen.insert(*file).second) continue;
    sources.emplace_back(*source.find("path")->text(), nodes.add(*body->find("content")));
  }
  return nodes.object(sources);
}

class MemoryRecord {
 public:
  MemoryRecord(Engine& engine, Nodes& nodes, std::uint64_t most) : engine_(engine), nodes_(nodes), room_(most) {}

  Node argument(const MemoryWindow& window) {
    const memory_model::View& view = engine_.memory().view(memory_model::ViewId{window.view});
    const memory_model::Storage& storage = engine_.memory().storage(view.storage);
    if (seen_.insert(storage.id.index).second) note(storage);
    return nodes_.object({{"name", nodes_.add(window.name)},
                          {"storage", nodes_.add(storage.id.index)},
                          {"kind", nodes_.add(std::string(spelling(window.kind)))},
                          {"elementBytes", nodes_.add(size_bytes(window.kind))},
                          {"offset", nodes_.add(static_cast<std::int64_t>(window.base - storage.extent.begin))},
                          {"shape", nodes_.add(json_numbers(window.shape))},
                          {"strides", nodes_.add(json_numbers(window.strides))}});
  }

  Node storages() { return nodes_.list(storages_); }

 private:
  void note(const memory_model::Storage& storage) {
    const std::uint64_t size = storage.extent.bytes();
    Members members{{"storage", nodes_.add(storage.id.index)},
                    {"address", nodes_.add(std::to_string(storage.extent.begin))},
                    {"bytes", nodes_.add(size)}};
    std::string bytes(size <= room_ ? size : 0, '\0');
    if (size <= room_ && engine_.read_before(storage.extent.begin, bytes.size(), bytes.data())) {
      members.emplace_back("before", nodes_.bytes(bytes, size % 4 == 0 ? 4 : 1));
      room_ -= size;
    }
    storages_.push_back(nodes_.object(members));
  }

  Engine& engine_;
  Nodes& nodes_;
  std::uint64_t room_;
  std::set<std::int32_t> seen_;
  std::vector<Node> storages_;
};

/// The answer, or {refused: why}. Questions about the past run all programs again.
Node asked(Answers& answers, Nodes& nodes, std::string_view question, const Json& arguments) {
  if (answers.state().engine().program_count() > kMostPrograms)
    return nodes.add(Json::record({{"refused", "it was not recorded: the grid has more than 16,384 programs"}}));
  const auto answer = answers.ask(question, arguments);
  return nodes.add(answer ? *answer : Json::record({{"refused", answer.error()}}));
}

Node coverage_of(Answers& answers, Nodes& nodes, const std::vector<MemoryWindow>& windows) {
  Members found;
  for (const MemoryWindow& window : windows)
    found.emplace_back(window.name,
                       asked(answers, nodes, "lockstep/coverage", Json::record({{"argument", window.name}})));
  return nodes.object(found);
}

/// By the page's name for the GPU; empty: the launch's own.
Node costs_of(Answers& answers, Nodes& nodes) {
  Members found;
  for (const char* gpu : {"", "a100", "h100", "h200"}) {
    const Json arguments = *gpu == '\0' ? Json::record() : Json::record({{"gpu", gpu}});
    found.emplace_back(gpu, asked(answers, nodes, "lockstep/cost", arguments));
  }
  return nodes.object(found);
}

/// The chain of every finding of the launch under checkers.
Node chains_of(Answers& answers, Nodes& nodes, const Json& checked) {
  std::vector<Node> chains;
  for (std::size_t i = 0; i < checked.array()->size(); ++i)
    chains.push_back(asked(answers, nodes, "lockstep/finding", Json::record({{"number", i}, {"checked", true}})));
  return nodes.list(chains);
}

/// `why` and `who` of likely elements: those in findings, the first and the last one.
Node past_of(Answers& answers, Nodes& nodes, const std::vector<MemoryWindow>& windows, const Json& checked) {
  std::set<std::string> elements;
  for (const Json& finding : *checked.array()) {
    static const std::regex kElement(R"(\b[A-Za-z_]\w*\[\d+(,\s*\d+)*\])");
    const std::string message = *finding.find("message")->text();
    std::smatch found;
    if (elements.size() >= kMostElements || !std::regex_search(message, found, kElement)) continue;
    std::string element = found.str();
    std::erase(element, ' ');
    elements.insert(std::move(element));
  }
  for (const MemoryWindow& window : windows) {
    if (window.count() == 0 || window.shape.empty()) continue;
    elements.insert(window.name + index_text(index_of(0, window.shape)));
    elements.insert(window.name + index_text(index_of(window.count() - 1, window.shape)));
  }
  Members past;
  for (const std::string& element : elements) {
    const Json arguments = Json::record({{"expression", element}});
    past.emplace_back(element, nodes.object({{"why", asked(answers, nodes, "lockstep/why", arguments)},
                                             {"who", asked(answers, nodes, "lockstep/who", arguments)}}));
  }
  return nodes.object(past);
}

}  // namespace

std::vector<MemoryWindow> argument_windows(Session& session) {
  std::vector<MemoryWindow> windows;
  const ir::Block& entry = session.engine().kernel().function().region().front();
  for (std::size_t i = 0; i < entry.arguments().size(); ++i) {
    if (auto window = session.scope().argument(name_of(*entry.argument(i)))) windows.push_back(std::move(*window));
  }
  return windows;
}

std::uint64_t memory_bytes(Session& session) {
  std::uint64_t bytes = 0;
  std::set<std::int32_t> seen;
  const memory_model::AddressSpace& memory = session.engine().memory();
  for (const MemoryWindow& window : argument_windows(session)) {
    const auto& storage = memory.storage(memory.view(memory_model::ViewId{window.view}).storage);
    if (seen.insert(storage.id.index).second) bytes += storage.extent.bytes();
  }
  return bytes;
}

Members record_launch(Answers& answers, Nodes& nodes, std::uint64_t most_memory) {
  Session& session = answers.state().session();
  Engine& engine = session.engine();
  MemoryRecord memory(engine, nodes, most_memory);
  const std::vector<MemoryWindow> windows = argument_windows(session);
  std::vector<Node> arguments;
  for (const MemoryWindow& window : windows) arguments.push_back(memory.argument(window));
  const auto report = answers.ask("lockstep/report");
  const Json* found = report->find("checked");
  const Json checked = found == nullptr ? Json(Json::Array{}) : *found;
  const auto ops = answers.ask("disassemble",
                               Json::record({{"memoryReference", "0x10000"}, {"instructionCount", kMostInstructions}}));
  Members members{{"kernel", nodes.add(session.kernel_name())},
                  {"grid", nodes.add(json_numbers(engine.grid()))},
                  {"sources", sources_of(answers, nodes)},
                  {"instructions", nodes.add(ops ? *ops->find("instructions") : Json())},
                  {"arguments", nodes.list(arguments)},
                  {"storages", memory.storages()},
                  {"end", view_step(answers, nodes, Detail{}).node},
                  {"why", nodes.add(session.why())},
                  {"checked", nodes.add(found == nullptr ? Json() : checked)},
                  {"chains", chains_of(answers, nodes, checked)},
                  {"past", past_of(answers, nodes, windows, checked)},
                  {"coverage", coverage_of(answers, nodes, windows)},
                  {"timeline", asked(answers, nodes, "lockstep/timeline", Json::record({{"count", kMostTurns}}))},
                  {"costs", costs_of(answers, nodes)}};
  if (const Json* compared = report->find("compared")) members.emplace_back("compared", nodes.add(*compared));
  if (const auto pipeline = answers.ask("lockstep/pipeline")) members.emplace_back("pipeline", nodes.add(*pipeline));
  const bool has_data = memory_bytes(session) <= most_memory;
  if (const auto diff = answers.ask("lockstep/diff", Json::record({{"data", has_data}})))  // else there is no reference
    members.emplace_back("diff", nodes.add(*diff));
  return members;
}

}  // namespace lockstep::debugger::trace
