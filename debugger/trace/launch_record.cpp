#include "debugger/trace/launch_record.h"

#include <set>

#include "debugger/dap/sources.h"
#include "debugger/engine/names.h"
#include "debugger/session/places.h"
#include "debugger/trace/step_view.h"
#include "ir/op.h"

namespace lockstep::debugger::trace {

namespace {

using dap::Json;
using Members = std::vector<std::pair<std::string, Node>>;

constexpr std::int64_t kMostInstructions = 4000;

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

/// Pointer parameters that are arguments' memory, in their order.
std::vector<MemoryWindow> windows_of(Session& session) {
  std::vector<MemoryWindow> windows;
  const ir::Block& entry = session.engine().kernel().function().region().front();
  for (std::size_t i = 0; i < entry.arguments().size(); ++i) {
    if (auto window = session.scope().argument(name_of(*entry.argument(i)))) windows.push_back(std::move(*window));
  }
  return windows;
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
                          {"shape", nodes_.add(dap::numbers(window.shape))},
                          {"strides", nodes_.add(dap::numbers(window.strides))}});
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

}  // namespace

Members record_launch(Answers& answers, Nodes& nodes, std::uint64_t most_memory) {
  Session& session = answers.state().session();
  Engine& engine = session.engine();
  MemoryRecord memory(engine, nodes, most_memory);
  std::vector<Node> arguments;
  for (const MemoryWindow& window : windows_of(session)) arguments.push_back(memory.argument(window));
  const auto ops = answers.ask("disassemble",
                               Json::record({{"memoryReference", "0x10000"}, {"instructionCount", kMostInstructions}}));
  Members members{{"kernel", nodes.add(session.kernel_name())},
                  {"grid", nodes.add(dap::numbers(engine.grid()))},
                  {"sources", sources_of(answers, nodes)},
                  {"instructions", nodes.add(ops ? *ops->find("instructions") : Json())},
                  {"arguments", nodes.list(arguments)},
                  {"storages", memory.storages()},
                  {"end", view_step(answers, nodes, Detail{}).node},
                  {"why", nodes.add(session.why())}};
  return members;
}

}  // namespace lockstep::debugger::trace
