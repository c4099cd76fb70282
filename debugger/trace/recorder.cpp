#include "debugger/trace/recorder.h"

#include <algorithm>
#include <set>

#include "debugger/trace/container.h"
#include "debugger/trace/launch_record.h"
#include "debugger/trace/past_record.h"
#include "debugger/trace/program_record.h"

namespace lockstep::debugger::trace {

namespace {


constexpr std::uint64_t kMostRecorded = 1024;  // that are tried
constexpr std::uint64_t kMostCopied = std::uint64_t{64} << 30;
constexpr int kMostRefusals = 4;              // one after the other that did not fit
constexpr std::uint64_t kShareOfWhys = 8;     // of the file: an eighth at most
constexpr std::uint64_t kContentsBytes = 64;  // of a program in the table of contents, about

/// From everything to less and less.
constexpr Detail kDetails[] = {
    {}, {4096, 50'000}, {1024, 10'000}, {256, 2'000}, {256, 400}, {64, 100}, {64, 20},
};

/// Programs with findings, the first and the last one, then evenly from the whole grid.
std::vector<std::uint64_t> wanted_programs(const Engine& engine, const Report* checked) {
  const std::uint64_t count = engine.program_count();
  std::vector<std::uint64_t> wanted;
  std::set<std::uint64_t> seen;
  const auto want = [&](std::uint64_t number) {
    if (number < count && wanted.size() < kMostRecorded && seen.insert(number).second) wanted.push_back(number);
  };
  for (const auto& [mark, finding] : engine.findings()) want(engine.number_of(finding.program).value_or(count));
  if (checked != nullptr) {
    for (const Finding& finding : checked->findings()) want(engine.number_of(finding.program).value_or(count));
  }
  want(0);
  if (count != 0) want(count - 1);
  for (std::uint64_t stride = std::max<std::uint64_t>(1, count / kMostRecorded), i = 0; i < count; i += stride) want(i);
  return wanted;
}

class Recorder {
 public:
  Recorder(Session& session, const RecordOptions& options) : session_(session), options_(options), answers_(session) {}

  Expected<Recorded, std::string> record() {
    if (!session_.caught().set({{"all", ""}})) return Unexpected{std::string("it cannot be made under the checkers")};
    (void)session_.caught().set({});  // they are told, and nothing stops at them
    if (!session_.run_to_end() || is_stopped()) return Unexpected{std::string("stopped")};
    const auto wanted = wanted_programs(session_.engine(), session_.caught().checked());
    if (!record_base(wanted)) {
      return Unexpected{is_stopped()
                            ? std::string("stopped")
                            : "not even one program fits into " + std::to_string(options_.most_bytes) + " bytes"};
    }
    record_whys();
    int refusals = 0;
    const std::uint64_t copied = memory_bytes(session_);  // for a step
    for (std::size_t i = 1; i < wanted.size() && refusals < kMostRefusals && !is_stopped(); ++i) {
      if (steps_ * copied > kMostCopied) break;
      refusals = add_program(wanted[i]) ? 0 : refusals + 1;
    }
    if (is_stopped()) return Unexpected{std::string("stopped")};
    session_.run_to_end();
    return finished();
  }

 private:
  bool is_stopped() const { return options_.stop != nullptr && *options_.stop; }

  /// The launch and, with its parts that others share, its first program.
  bool record_base(const std::vector<std::uint64_t>& wanted) {
    for (const Detail& detail : kDetails) {
      if (is_stopped()) return false;
      session_.run_to_end();
      base_ = std::make_unique<Nodes>();
      auto members = record_launch(answers_, *base_, options_.most_bytes / 2);
      members.emplace_back("title", base_->add(options_.title));
      members.emplace_back("printed", base_->add(options_.printed == nullptr ? "" : *options_.printed));
      ProgramRecord first;
      if (!wanted.empty()) {
        first = record_program(answers_, *base_, wanted.front(), detail, options_.most_bytes);
        if (first.is_too_large) continue;
        members.emplace_back("first", first.node);
      }
      Section section = Section::pack("launch", base_->finish(base_->object(members)));
      if (section.bytes() + 2 * kContentsBytes > options_.most_bytes) continue;
      take(std::move(section));
      if (!wanted.empty()) note(wanted.front(), first);
      steps_ = first.steps;
      return true;
    }
    return false;
  }

  /// What made the outputs' elements, in a part of the file.
  void record_whys() {
    if (programs_.empty() || session_.engine().program_count() > kMostRecorded * 16) return;
    session_.run_to_end();
    const std::uint64_t steps = steps_ * session_.engine().program_count();
    auto past = record_past(answers_, *base_, steps, options_.most_bytes / kShareOfWhys, options_.stop);
    if (!past) return;
    take(std::move(past->section));
    whys_ = std::move(past->contents);
  }

  bool add_program(std::uint64_t number) {
    for (const Detail& detail : {kDetails[0], kDetails[1]}) {
      Nodes nodes(base_.get());
      const std::uint64_t taken = bytes_ + kContentsBytes * (programs_.size() + 2);
      const std::uint64_t room = options_.most_bytes - std::min(taken, options_.most_bytes);
      const ProgramRecord program = record_program(answers_, nodes, number, detail, room);
      steps_ += program.steps;
      if (program.is_too_large) continue;
      Section section = Section::pack("program " + std::to_string(number), nodes.finish(program.node));
      if (section.bytes() > room) continue;
      take(std::move(section));
      note(number, program);
      return true;
    }
    return false;
  }

  void take(Section section) {
    bytes_ += section.bytes();
    sections_.push_back(std::move(section));
  }

  void note(std::uint64_t number, const ProgramRecord& program) {
    whole_ += program.is_cut || program.is_sampled ? 0 : 1;
    programs_.push_back(Json::record({{"number", number},
                                      {"steps", program.steps},
                                      {"turns", program.turns},
                                      {"findings", program.findings},
                                      {"isCut", program.is_cut},
                                      {"isSampled", program.is_sampled}}));
  }

  Recorded finished() {
    Recorded recorded;
    recorded.programs = programs_.size();
    recorded.whole = whole_;
    Nodes contents;
    const Node root = contents.add(Json::record({{"version", 1}, {"programs", Json(std::move(programs_))}, {"whys", std::move(whys_)}}));
    sections_.insert(sections_.begin(), Section::pack("contents", contents.finish(root)));
    recorded.container = container_of(sections_);
    return recorded;
  }

  Session& session_;
  const RecordOptions& options_;
  Answers answers_;
  std::unique_ptr<Nodes> base_;
  std::vector<Section> sections_;
  std::uint64_t bytes_ = 0, whole_ = 0, steps_ = 0;
  Json::Array programs_;
  Json whys_ = Json(Json::Array{});
};

}  // namespace

Expected<Recorded, std::string> record(Session& session, const RecordOptions& options) {
  return Recorder(session, options).record();
}

}  // namespace lockstep::debugger::trace
