#include "sanitizer/triage/repair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "findings/places.h"
#include "interpreter/launch/prepared.h"
#include "ir/op_registry.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "sanitizer/triage/error_origin.h"
#include "sanitizer/triage/exact_launch.h"
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
// Changes that leave some distance, judged in f64 where they take nearly all of it away. Such a launch has one thread.
constexpr double kNear = 16;
constexpr std::size_t kMaxExact = 8;
constexpr std::uint64_t kMaxLanesInF64 = 20'000'000;
constexpr double kMostOfIt = 0.5;  // what one op rounds, of what is left
// Of a launch with a change, which may never end.
constexpr double kMaxSeconds = 10;
constexpr std::uint64_t kMaxSteps = 10'000'000;

/// A kernel with a change.
struct Changed {
  ir::Module module;
  const ir::Op* function = nullptr;
};

/// Of an output from what is expected; infinity: something is no number where one is expected, or the other way round.
double farness(const Outside& outside) {
  if (outside.elements == 0) return 0;
  const double apart = std::fabs(outside.got - outside.expected);
  return std::isfinite(apart) ? std::max(outside.largest, apart) : std::numeric_limits<double>::infinity();
}

class Search {
 public:
  Search(const LaunchContext& context, const StorageBytes& before, const std::vector<Expectation>& expectations)
      : context_(context),
        request_(context.request),
        before_(before),
        expectations_(expectations),
        module_(copy_of(context.module)) {
    ir::Op& function = *module_.find_function(ir::symbol_name(context.function));
    places_ = unshare(module_, function, context.function);
    text_ = std::make_shared<const SourceFile>("kernel.ttir", ir::print_module(module_, {true, false}));
    for (const Outside& outside : compared()) farness_.push_back(farness(outside));
    request_.rollback = false;
    request_.instrumentation_state = nullptr;
    request_.touches = interpreter::AccessTracking::none;
    request_.profiling = {};
    request_.limits = {kMaxSeconds, context.request.limits.max_memory_bytes, kMaxSteps};
    request_.progress = nullptr;
    request_.print = [](const std::string&) {};
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
    exact_left_ = cost <= kMaxLanesInF64 ? kMaxExact : 0;
    RepairSearch made;
    made.possible = edits.size();
    const std::size_t limit =
        std::min<std::size_t>({edits.size(), kMaxTried, static_cast<std::size_t>(kMaxLanes / cost)});
    int last_rank = std::numeric_limits<int>::max();
    for (; made.tried < limit && made.repairs.size() < kMaxRepairs && endless_ < kMaxEndless; ++made.tried) {
      const Edit& edit = edits[made.tried];
      if (edit.rank > last_rank) break;
      if (auto repair = repair_by(edit)) {
        if (made.repairs.empty()) last_rank = edit.rank + kAsPlausible;
        repair->is_axis = edit.is_axis;
        repair->op = places_[kernel.number(*edit.op)];
        repair->text = edit.text;
        repair->diff = diff_of(edit);
        repair->cause = edit.cause;
        made.repairs.push_back(std::move(*repair));
        found_.push_back(edit);
      }
      if (context_.request.stop != nullptr && context_.request.stop->load()) break;
    }
    drop_inexact(made.repairs);
    if (!made.repairs.empty() && made.repairs.front().left) find_cause(*made.repairs.front().left);
    compare_on_further_inputs(made.repairs);
    return made;
  }

 private:
  /// What is within the tolerance by luck is far from what is right but for rounding; and what meets the expectations
  /// as it runs needs no f64.
  void drop_inexact(std::vector<Repair>& repairs) {
    double least = std::numeric_limits<double>::infinity();
    const bool is_met = std::any_of(repairs.begin(), repairs.end(), [](const Repair& one) { return !one.left; });
    for (const Repair& repair : repairs) {
      if (!is_met || !repair.left) least = std::min(least, repair.distance);
    }
    for (std::size_t i = repairs.size(); i-- > 0;) {
      const bool is_again = std::any_of(repairs.begin(), repairs.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const Repair& one) { return is_alike(one, repairs[i]); });
      const bool is_as_exact = repairs[i].distance <= kAsExact * least && !(is_met && repairs[i].left);
      if (is_as_exact && !is_again) continue;
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

  std::vector<Outside> compared() const {
    std::vector<Outside> outside;
    for (const Expectation& one : expectations_) outside.push_back(one.compare());
    return outside;
  }
  /// The largest distance of all; nullopt: some expectation is not met.
  static std::optional<double> distance_of(const std::vector<Outside>& outside) {
    double distance = 0;
    for (const Outside& one : outside) {
      if (one.elements != 0) return std::nullopt;
      distance = std::max(distance, one.largest);
    }
    return distance;
  }

  /// The judgement alone; nullopt: it is no repair.
  std::optional<Repair> repair_by(const Edit& edit) {
    before_.put_back();
    const auto changed = change(edit);
    if (!changed || !launched(*changed)) return std::nullopt;
    Repair repair;
    std::vector<Outside> outside = compared();
    if (const auto distance = distance_of(outside)) {
      repair.distance = *distance;
      return repair;
    }
    if (exact_left_ == 0 || !is_near(outside)) return std::nullopt;
    --exact_left_;
    before_.put_back();
    const LaunchContext context = context_of(*changed);
    if (!ExactLaunch(context).run(expectations_)) return std::nullopt;
    const auto distance = distance_of(compared());
    if (!distance) return std::nullopt;
    repair.distance = *distance;
    repair.left = RoundingLeft{std::move(outside), ""};
    return repair;
  }

  bool is_near(const std::vector<Outside>& outside) const {
    for (std::size_t i = 0; i < outside.size(); ++i) {
      const double now = farness(outside[i]);
      if (!std::isfinite(now) || now > farness_[i] / kNear) return false;
    }
    return true;
  }

  /// Where what the first repair leaves is rounded.
  void find_cause(RoundingLeft& left) {
    const auto worst = std::max_element(left.outside.begin(), left.outside.end(),
                                        [](const Outside& a, const Outside& b) { return farness(a) < farness(b); });
    const auto& view = context_.request.memory->view(
        expectations_[static_cast<std::size_t>(worst - left.outside.begin())].view);
    const auto changed = change(found_.front());
    const LaunchContext context = context_of(*changed);
    const auto origin = ErrorOrigin(context, before_, address_of_element(view, worst->worst)).trace(worst->got);
    if (!origin || !origin->birth || !origin->share || *origin->share < kMostOfIt) return;
    left.cause = ", " + std::to_string(std::lround(100 * *origin->share)) + " % of that in " +
                 user_line(origin->birth->location) +
                 (origin->is_tf32 ? " (a dot in tf32)" : origin->is_small ? " (a format below f32)" : "");
  }

  /// nullopt: it makes no kernel.
  std::optional<Changed> change(const Edit& edit) const {
    Changed changed{read(module_.context().ops(), text_), nullptr};
    ir::Op* function = changed.module.find_function(ir::symbol_name(context_.function));
    changed.function = function;
    Numbered copy(*function);
    edit.make({copy, changed.module.context()});
    DiagnosticSink sink;
    if (!ir::verify(changed.module, sink)) return std::nullopt;
    return changed;
  }
  LaunchContext context_of(const Changed& changed) const {
    return {changed.module, *changed.function, request_, context_.profile, context_.options, context_.effects};
  }

  bool launched(const Edit& edit) {
    const auto changed = change(edit);
    return changed && launched(*changed);
  }
  /// From memory as it is; false: it does not complete without an error.
  bool launched(const Changed& changed) {
    DiagnosticSink sink;
    const auto kernel = interpreter::PreparedKernel::make(changed.module, *changed.function, context_.profile, sink);
    if (kernel == nullptr) return false;
    const auto report = kernel->launch(request_, sink);
    const bool is_sound = report && report->outcome == interpreter::Outcome::completed;
    if (!is_sound) ++endless_;
    return is_sound && !report->findings.has(Tier::error);
  }

  const LaunchContext& context_;
  interpreter::RunRequest request_;  // of launches with a change
  const StorageBytes& before_;
  const std::vector<Expectation>& expectations_;
  std::vector<double> farness_;        // by expectation, of what the launch left
  ir::Module module_;                  // the kernel with nothing shared
  std::vector<const ir::Op*> places_;  // by op of module_: in the kernel itself
  SourceFilePtr text_;
  std::vector<Edit> found_;  // of the repairs
  std::size_t endless_ = 0;  // launches that did not complete
  std::size_t exact_left_ = 0;
};

}  // namespace

RepairSearch search_repairs(const LaunchContext& context, const StorageBytes& before,
                            const std::vector<Expectation>& expectations, std::uint64_t lanes) {
  return Search(context, before, expectations).run(lanes);
}

}  // namespace lockstep::sanitizer
