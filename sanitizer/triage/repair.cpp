#include "sanitizer/triage/repair.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "findings/places.h"
#include "interpreter/launch/prepared.h"
#include "ir/op_registry.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "sanitizer/triage/repair_edits.h"
#include "sanitizer/undef/further_inputs.h"
#include "support/check.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::size_t kMaxTried = 4000, kMaxRepairs = 8;
constexpr std::uint64_t kMaxLanes = 10'000'000'000;   // of all launches that are tried
constexpr std::uint64_t kLanesOfALaunch = 1'000'000;  // what the smallest of them costs

constexpr int kOfALibrary = 3;   // added to the rank of an edit there
constexpr int kAsPlausible = 2;  // what is so much farther fetched is not named beside a repair
constexpr double kAsExact = 16;  // times the distance of the most exact repair
constexpr std::size_t kMaxEndless = 16;
constexpr std::uint64_t kFurtherInputs = 2;
// For a launch with a change, which may never end.
constexpr double kMaxSeconds = 10;
constexpr std::uint64_t kMaxSteps = 10'000'000;

class Search {
 public:
  Search(const LaunchContext& context, const StorageBytes& before, const std::vector<Expectation>& expectations)
      : context_(context), before_(before), expectations_(expectations), module_(copy_of(context.module)) {
    ir::Op& function = *module_.find_function(ir::symbol_name(context.function));
    places_ = unshare(module_, function, context.function);
    text_ = std::make_shared<const SourceFile>("kernel.ttir", ir::print_module(module_, {true, false}));
  }

  RepairSearch run(std::uint64_t lanes) {
    const KernelText kernel(*module_.find_function(ir::symbol_name(context_.function)));
    std::vector<Edit> edits = mask_edits(kernel);
    for (auto* more : {axis_edits, arithmetic_edits, operand_edits}) {
      std::vector<Edit> found = more(kernel);
      std::move(found.begin(), found.end(), std::back_inserter(edits));
    }
    for (Edit& edit : edits) {
      if (user_frame(edit.op->location()).library != nullptr) edit.rank += kOfALibrary;
    }
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.rank < b.rank; });
    const auto& grid = context_.request.grid;
    const auto programs = static_cast<std::uint64_t>(grid[0] * grid[1] * grid[2]);
    const std::uint64_t cost = std::max(lanes * programs, kLanesOfALaunch);
    RepairSearch made;
    made.possible = edits.size();
    const std::size_t limit =
        std::min<std::size_t>({edits.size(), kMaxTried, static_cast<std::size_t>(kMaxLanes / cost)});
    int last_rank = std::numeric_limits<int>::max();
    for (; made.tried < limit && made.repairs.size() < kMaxRepairs && endless_ < kMaxEndless; ++made.tried) {
      const Edit& edit = edits[made.tried];
      if (edit.rank > last_rank) break;
      if (const auto left = distance_with(edit)) {
        if (made.repairs.empty()) last_rank = edit.rank + kAsPlausible;
        made.repairs.push_back(
            {edit.is_axis, places_[kernel.number(*edit.op)], edit.text, *left, diff_of(edit), edit.cause});
        found_.push_back(edit);
      }
      if (context_.request.stop != nullptr && context_.request.stop->load()) break;
    }
    drop_inexact(made.repairs);
    compare_on_further_inputs(made.repairs);
    return made;
  }

 private:
  /// A repair within the tolerance by luck is far from one that is right up to rounding.
  void drop_inexact(std::vector<Repair>& repairs) {
    double least = std::numeric_limits<double>::infinity();
    for (const Repair& repair : repairs) least = std::min(least, repair.distance);
    for (std::size_t i = repairs.size(); i-- > 0;) {
      const bool is_again = std::any_of(repairs.begin(), repairs.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const Repair& one) { return is_alike(one, repairs[i]); });
      if (repairs[i].distance <= kAsExact * least && !is_again) continue;
      repairs.erase(repairs.begin() + static_cast<std::ptrdiff_t>(i));
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  /// On the same line, with the same text.
  static bool is_alike(const Repair& one, const Repair& other) {
    return one.op->location() == other.op->location() &&
           (one.text == other.text || (!one.diff.empty() && one.diff == other.diff));
  }

  static std::string diff_of(const Edit& edit) {
    const SourceCache sources;
    const auto place = edit.rewrite ? source_place(edit.op->location()) : std::nullopt;
    const auto change = place ? edit.rewrite(place->source(), place->at) : std::nullopt;
    return change ? diff_text(place->source(), *change) : std::string();
  }

  /// The right result there is unknown: the search can only compare the repairs with each other.
  void compare_on_further_inputs(std::vector<Repair>& repairs) {
    if (repairs.size() < 2) return;
    before_.put_back();
    FurtherInputs inputs(context_, expectations_);
    if (!inputs.is_possible()) return;
    for (std::uint64_t number = 1; number <= kFurtherInputs; ++number) {
      std::optional<FurtherInputs::Results> first;
      for (std::size_t i = 0; i < repairs.size(); ++i) {
        inputs.set(number);
        auto results = launched(found_[i]) ? std::optional(inputs.results()) : std::nullopt;
        if (i == 0) first = std::move(results);
        if (i == 0 || !first) continue;
        const bool is_same = results && FurtherInputs::are_alike(*first, *results);
        repairs[i].is_as_first = repairs[i].is_as_first.value_or(true) && is_same;
      }
    }
    inputs.put_back();
  }

  static ir::Module read(const ir::OpRegistry& ops, const SourceFilePtr& file) {
    DiagnosticSink sink;
    auto module = ir::parse_module(ops, file, sink);
    LOCKSTEP_CHECK(module.has_value(), "a kernel that was printed cannot be read again");
    return std::move(*module);
  }
  static ir::Module copy_of(const ir::Module& module) {
    return read(module.context().ops(), std::make_shared<const SourceFile>("kernel.ttir", ir::print_module(module, {true, false})));
  }

  /// The largest remaining distance; nullopt: some expectation is not met.
  std::optional<double> distance_with(const Edit& edit) {
    before_.put_back();
    if (!launched(edit)) return std::nullopt;
    double distance = 0;
    for (const Expectation& one : expectations_) {
      const Outside outside = one.compare();
      if (outside.elements != 0) return std::nullopt;
      distance = std::max(distance, outside.largest);
    }
    return distance;
  }

  /// From memory as it is; false: the change gives no valid kernel, or none that completes without an error.
  bool launched(const Edit& edit) {
    const ir::Module module = read(module_.context().ops(), text_);
    ir::Op* function = module.find_function(ir::symbol_name(context_.function));
    Numbered copy(*function);
    edit.make({copy, module.context()});
    DiagnosticSink sink;
    if (!ir::verify(module, sink)) return false;
    const auto kernel = interpreter::PreparedKernel::make(module, *function, context_.profile, sink);
    return kernel != nullptr && launched(*kernel);
  }

  bool launched(const interpreter::PreparedKernel& kernel) {
    interpreter::RunRequest request = context_.request;
    request.rollback = false;
    request.instrumentation_state = nullptr;
    request.touches = interpreter::AccessTracking::none;
    request.profiling = {};
    request.limits = {kMaxSeconds, context_.request.limits.max_memory_bytes, kMaxSteps};
    request.progress = nullptr;
    request.print = [](const std::string&) {};
    DiagnosticSink sink;
    const auto report = kernel.launch(request, sink);
    const bool is_sound = report && report->outcome == interpreter::Outcome::completed;
    if (!is_sound) ++endless_;
    return is_sound && !report->findings.has(Tier::error);
  }

  const LaunchContext& context_;
  const StorageBytes& before_;
  const std::vector<Expectation>& expectations_;
  ir::Module module_;                  // the kernel with nothing shared
  std::vector<const ir::Op*> places_;  // by op of module_: in the kernel itself
  SourceFilePtr text_;
  std::vector<Edit> found_;  // of the repairs
  std::size_t endless_ = 0;  // launches that did not complete
};

}  // namespace

RepairSearch search_repairs(const LaunchContext& context, const StorageBytes& before,
                            const std::vector<Expectation>& expectations, std::uint64_t lanes) {
  return Search(context, before, expectations).run(lanes);
}

}  // namespace lockstep::sanitizer
