// `hb` held against the race checker, and `origin` against the launch: questions_check ROOT KERNEL.py...
// hb: over all pairs of programs of a launch of the zoo, every code of a race that the checker finds is found between
// some two of them, no race is found where the checker finds none, and what is said to be ordered has a way that orders
// it. born: for every element of the outputs that is not finite, the chain ends somewhere, is in the order of time, and
// an op that is said to have made it had finite operands. Prints what fails; exit code 1 then.
#include <cstring>
#include <iostream>
#include <set>

#include "debugger/engine/engine.h"
#include "debugger/queries/nan_origin.h"
#include "debugger/queries/program_order.h"
#include "memory_model/elements.h"
#include "sanitizer/core/check_options.h"
#include "sanitizer/core/checked_kernel.h"
#include "tests/debugger/launches.h"

namespace {

using namespace lockstep;
using debugger::Engine;

constexpr std::uint64_t kMostPrograms = 8;
constexpr int kMostElements = 24;

class Check {
 public:
  Check(std::string name, std::vector<std::string> words) : name_(std::move(name)), words_(std::move(words)) {}

  int run() {
    DiagnosticSink sink;
    session_ = tests::session_of(words_, sink);
    if (session_ == nullptr) return fail("the launch is refused");
    const auto request = session_->request();
    engine_ = Engine::make(*request.module, *request.function, request.profile, request, {}, sink);
    if (engine_ == nullptr) return fail("no engine");
    while (engine_->point() != nullptr) engine_->go(debugger::Direction::forward, {});
    return orders() + births();
  }
  static int pairs, races, births_made;

 private:
  int fail(const std::string& what) {
    std::cout << name_ << ": " << what << "\n";
    return 1;
  }

  std::set<FindingCode> checker_codes() {
    DiagnosticSink sink;
    const auto other = tests::session_of(words_, sink);
    const auto options = sanitizer::make_check_options("races", "tile", "3.6", sink);
    interpreter::LaunchRequest request = other->request();
    request.print = [](const std::string&) {};
    const auto report = sanitizer::launch_checked(request, *options, sink);
    std::set<FindingCode> codes;
    for (const Finding& finding : report->findings.findings()) {
      const bool is_of_order = finding.code == FindingCode::LS310;  // of atomics: no conflict
      if (row_of(finding.code).family == FindingClass::race && !is_of_order) codes.insert(finding.code);
    }
    return codes;
  }

  int orders() {
    const std::uint64_t programs = engine_->program_count();
    if (programs > kMostPrograms) return 0;
    std::set<FindingCode> codes;
    for (std::uint64_t p = 0; p < programs; ++p) {
      for (std::uint64_t q = p + 1; q < programs; ++q) {
        ++pairs;
        const debugger::ProgramOrder order = *find_program_order(*engine_, p, q);
        for (const debugger::Conflict& conflict : order.conflicts) {
          if (!conflict.is_ordered) codes.insert(conflict.code);
          const bool is_forward = conflict.first.program == p;
          if (conflict.is_ordered && order.paths[is_forward ? 0 : 1].empty())
            return fail("ordered by no way: programs " + std::to_string(p) + " and " + std::to_string(q));
        }
      }
    }
    const std::set<FindingCode> wanted = checker_codes();
    races += static_cast<int>(codes.size());
    if (wanted.empty() != codes.empty()) return fail(wanted.empty() ? "a race that is none" : "no race");
    for (const FindingCode code : wanted) {
      if (!codes.contains(code)) return fail("the checker finds " + std::string(spelling(code)));
    }
    return 0;
  }

  int births() {
    int failed = 0;
    for (const auto& tensor : session_->tensors()) {
      const auto& view = session_->memory().view(tensor.view);
      if (!is_float(view.element)) continue;
      int count = 0;
      memory_model::for_each_element(view, [&](std::int64_t, std::uint64_t address) {
        debugger::Number number{view.element, 0};
        const auto width = static_cast<std::size_t>(size_bytes(view.element));
        std::memcpy(&number.bits, interpreter::bytes_at(address), width);
        if (!is_special(number) || ++count > kMostElements) return;
        ++births_made;
        failed += nan_origin(*find_nan_origin(*engine_, {address, address + width}, number), address);
      });
    }
    return failed;
  }

  int nan_origin(const debugger::NanOrigin& nan_origin, std::uint64_t address) {
    using Origin = debugger::NanOrigin::Origin;
    if (nan_origin.origin == Origin::unknown) return fail("a number that nothing made");
    if (nan_origin.steps.empty())
      return nan_origin.origin == Origin::memory ? 0 : fail("a number without a way that was not there before");
    if (nan_origin.steps.back().address != address) return fail("the way ends elsewhere");
    for (std::size_t i = 0; i < nan_origin.steps.size(); ++i) {
      if (!is_special(nan_origin.steps[i].value)) return fail("a finite number on the way");
      if (i > 0 && nan_origin.steps[i].mark <= nan_origin.steps[i - 1].mark) return fail("not in the order of time");
    }
    if (nan_origin.origin != Origin::op) return 0;
    for (const auto& operand : nan_origin.steps.front().operands) {
      if (operand.special != 0) return fail("born of operands that are not finite");
    }
    return 0;
  }

  std::string name_;
  std::vector<std::string> words_;
  std::unique_ptr<driver::PreparedLaunch> session_;
  std::unique_ptr<Engine> engine_;
};

int Check::pairs = 0, Check::races = 0, Check::births_made = 0;

}  // namespace

int main(int count, char** argv) {
  std::filesystem::current_path(argv[1]);
  int failed = 0;
  for (int i = 2; i < count; ++i) {
    const auto launches = tests::launches_of(argv[i]);
    if (launches.empty()) continue;
    failed += Check(argv[i], launches.front()).run();
  }
  std::cout << Check::pairs << " pairs, " << Check::races << " races, " << Check::births_made << " births\n";
  const bool is_idle = Check::pairs == 0 || Check::races == 0 || Check::births_made == 0;
  return failed == 0 && !is_idle ? 0 : 1;
}
