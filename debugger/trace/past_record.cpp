#include "debugger/trace/past_record.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "debugger/expression/show.h"
#include "debugger/trace/launch_record.h"
#include "debugger/trace/sample.h"

namespace lockstep::debugger::trace {

namespace {

constexpr std::uint64_t kMostReplayed = 2'000'000;  // ops that all answers together run again, about
constexpr std::uint64_t kFirstLook = 64;            // elements, to learn how large an answer is

class PastRecorder {
 public:
  PastRecorder(Answers& answers, const Nodes& base, std::uint64_t most_bytes, const std::atomic<bool>* stop)
      : answers_(answers), base_(base), most_bytes_(most_bytes), stop_(stop) {}

  std::optional<PastRecord> record(std::uint64_t most_elements) {
    find_outputs();
    if (total_ == 0) return std::nullopt;
    std::uint64_t most = std::min(most_elements, total_);
    if (const auto look = made(std::min(kFirstLook, most)); look && count_ > 0)
      most = std::min(most, most_bytes_ * count_ * 3 / 2 / std::max<std::uint64_t>(1, look->section.bytes()));
    for (; most > 0 && !is_stopped(); most /= 2) {
      auto record = made(most);
      if (record && record->section.bytes() <= most_bytes_) return record;
    }
    return std::nullopt;
  }

 private:
  bool is_stopped() const { return stop_ != nullptr && *stop_; }

  void find_outputs() {
    for (MemoryWindow& window : argument_windows(answers_.state().session())) {
      const auto stored = answers_.ask("lockstep/coverage", Json::record({{"argument", window.name}, {"cells", 1}}));
      if (!stored || *stored->find("never")->integer() == window.count()) continue;
      total_ += static_cast<std::uint64_t>(window.count());
      outputs_.push_back(std::move(window));
    }
  }

  /// Of about as many elements. nullopt: stopped.
  std::optional<PastRecord> made(std::uint64_t most) {
    Nodes nodes(&base_);
    std::vector<Node> parts;
    Json::Array contents;
    count_ = 0;
    for (const MemoryWindow& output : outputs_) {
      const auto share = std::max<std::uint64_t>(1, most * static_cast<std::uint64_t>(output.count()) / total_);
      const Spread spread = spread_of(output.shape, share);
      std::vector<Node> answers;
      std::vector<std::int64_t> index(output.shape.size(), 0);
      for (std::uint64_t i = 0; i < spread.count(); ++i) {
        if (is_stopped()) return std::nullopt;
        std::vector<std::int64_t> element = index;
        for (std::size_t d = 0; d < element.size(); ++d) element[d] *= spread.every[d];
        answers.push_back(nodes.add(answer(output.name + (element.empty() ? "" : index_text(element)))));
        for (std::size_t d = index.size(); d-- > 0 && ++index[d] == spread.shape[d];) index[d] = 0;
      }
      count_ += answers.size();
      contents.push_back(Json::record({{"argument", output.name},
                                       {"every", json_numbers(spread.every)},
                                       {"elements", answers.size()},
                                       {"of", output.count()}}));
      parts.push_back(nodes.object({{"argument", nodes.add(output.name)},
                                    {"shape", nodes.add(json_numbers(spread.shape))},
                                    {"every", nodes.add(json_numbers(spread.every))},
                                    {"answers", nodes.list(answers)}}));
    }
    const Node root = nodes.list(parts);
    return PastRecord{Section::pack("why", nodes.finish(root)), Json(std::move(contents))};
  }

  const Json& answer(const std::string& element) {
    const auto known = known_.find(element);
    if (known != known_.end()) return known->second;
    const auto made = answers_.ask("lockstep/why", Json::record({{"expression", element}}));
    return known_.emplace(element, made ? *made : Json::record({{"refused", made.error()}})).first->second;
  }

  Answers& answers_;
  const Nodes& base_;
  std::uint64_t most_bytes_, total_ = 0, count_ = 0;
  const std::atomic<bool>* stop_;
  std::vector<MemoryWindow> outputs_;
  std::map<std::string, Json> known_;
};

}  // namespace

std::optional<PastRecord> record_past(Answers& answers, const Nodes& base, std::uint64_t launch_steps,
                                      std::uint64_t most_bytes, const std::atomic<bool>* stop) {
  return PastRecorder(answers, base, most_bytes, stop).record(kMostReplayed / std::max<std::uint64_t>(1, launch_steps));
}

}  // namespace lockstep::debugger::trace
