#include "sanitizer/triage/mismatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "interpreter/scheduler/execution_mode.h"
#include "memory_model/describe.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/numeric/exact_math.h"
#include "sanitizer/numeric/precision.h"
#include "sanitizer/triage/error_origin.h"
#include "sanitizer/triage/exact_launch.h"
#include "sanitizer/triage/repair.h"
#include "sanitizer/undef/undef_probe.h"

namespace lockstep::sanitizer {

using memory_model::View;

namespace {

constexpr std::size_t kMaxOthers = 3;                // further repairs that a finding names
constexpr std::uint64_t kMaxExactLanes = 2'000'000;  // of a launch that is made in f64 to count what rounding explains

/// Units in the last place that two ways to compute the same may lie apart and nobody asks why.
double last_bits(ScalarKind kind) { return kind == ScalarKind::f32 || kind == ScalarKind::f64 ? 4 : 0.5; }

class Mismatch {
 public:
  Mismatch(const LaunchContext& context, const StorageBytes& before, const Expectation& expectation,
           const Outside& outside)
      : context_(context),
        before_(before),
        view_(context.request.memory->view(expectation.view)),
        outside_(outside),
        address_(address_of_element(view_, outside.worst)) {}

  /// The element in f64.
  void look_at_digits() {
    auto traced = ErrorOrigin(context_, before_, address_).trace(outside_.got);
    is_traced_ = traced.has_value();
    if (traced) origin_ = std::move(*traced);
  }
  std::uint64_t lanes() const { return origin_.lanes; }
  bool is_rounding() const {
    return origin_.exact && origin_.birth && explains(*origin_.exact, outside_.got, outside_.expected);
  }
  /// As two right ways to compute it may differ. The reference is rounded, too: in f64 it need not match.
  bool is_in_last_bits() const {
    const bool is_number = std::isfinite(outside_.got) && std::isfinite(outside_.expected) && is_float(view_.element);
    return is_number && origin_.exact && std::isfinite(*origin_.exact) &&
           std::max(ulps_between(view_.element, outside_.got, *origin_.exact),
                    ulps_between(view_.element, outside_.expected, *origin_.exact)) <= last_bits(view_.element);
  }

  Finding last_bits_finding() const {
    Finding finding = named(origin_.store ? *origin_.store : launch_finding(FindingCode::LS608, "", nullptr, view_.name));
    finding.message = head() + ", " + digits(*origin_.exact) + " in f64: the last bits of " +
                      std::string(spelling(view_.element)) + ", by rounding alone";
    finding.notes.push_back({count_text() + covering_text(outside_), {}});
    finding.hint = "a reference is rounded, too: compare with a tolerance";
    return finding;
  }

  /// `is_all`: in f64 every compared element of it matches.
  Finding rounding_finding(bool is_all) const {
    Finding finding = named(*origin_.birth);
    finding.message = head() + ", " + digits(*origin_.exact) + " in f64: ";
    if (origin_.cancelled_bits > 0) {
      finding.message += std::to_string(origin_.cancelled_bits) + " bits cancel in ";
    } else {
      finding.message += "digits are lost in ";
    }
    finding.message += origin_.birth->message;
    if (origin_.share)
      finding.notes.push_back({"rounding of this op alone makes " + percent(*origin_.share) + " of the distance", {}});
    if (is_all) {
      const std::string covering = origin_.is_tf32 ? covering_text(outside_) : "";  // others are better mended
      finding.notes.push_back({count_text() + ", by rounding alone: in f64 all match" + covering, {}});
    }
    add_store(finding);
    finding.hint = origin_.cancelled_bits > 0
                       ? "take the difference of smaller numbers, so that what is left keeps its digits"
                   : origin_.is_tf32  ? "input_precision=\"ieee\" keeps all digits of the operands"
                   : origin_.is_small ? "keep this value in f32 until it is stored"
                                      : "compute this in f64, or so that smaller numbers do";
    return finding;
  }

  /// `number`: of its expectation in the search.
  Finding repair_finding(const RepairSearch& search, std::size_t number) const {
    const Repair& repair = search.repairs.front();
    Finding finding = named(launch_finding(repair.is_axis ? FindingCode::LS802 : FindingCode::LS608, "", repair.op, view_.name));
    finding.message = head() + "; all outputs match" + (repair.left ? " but for rounding " : " ") + repair.text;
    if (!repair.diff.empty()) finding.notes.push_back({"fits these numbers:\n" + indented(repair.diff), {}});
    if (!repair.cause.empty()) finding.notes.push_back({repair.cause, {}});
    finding.notes.push_back({digits_text(), {}});
    if (repair.left) finding.notes.push_back({left_text(*repair.left, number), {}});
    for (std::size_t i = 1; i < search.repairs.size() && i <= kMaxOthers; ++i)
      finding.notes.push_back(other_note(search.repairs[i]));
    add_store(finding);
    finding.hint = std::string("verified: with only this change") + (repair.left ? " and in f64" : "") +
                   ", every compared element matches; it fits these numbers, and there is no reference for others";
    return finding;
  }

  Finding plain_finding(const RepairSearch& search) const {
    Finding finding = named(origin_.store ? *origin_.store : launch_finding(FindingCode::LS608, "", nullptr, view_.name));
    const bool is_unstored = is_traced_ && !origin_.store;
    finding.message = head() + "; " + (is_unstored ? "no program stores it, and " : "") + search_text(search);
    finding.notes.push_back({digits_text(), {}});
    return finding;
  }

 private:
  std::string head() const {
    return memory_model::element_text(view_.completed(), address_) + " is " + digits(outside_.got) + " where " +
           digits(outside_.expected) + " is expected";
  }
  static std::string indented(const std::string& diff) {
    std::string text = "  ";
    for (const char c : diff) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return text;
  }

  /// What the first change leaves here.
  static std::string left_text(const RoundingLeft& left, std::size_t number) {
    const Outside& outside = left.outside[number];
    if (outside.elements == 0) return "with this change every element of it matches, without f64, too";
    return "with this change " + std::to_string(outside.elements) + " elements still differ, by rounding alone" +
           left.cause + covering_text(outside);
  }
  static std::string covering_text(const Outside& outside) {
    if (!(outside.largest > 0)) return "";  // no two numbers differ: one is none
    return "; the largest distance is " + short_text(outside.largest) + ", which atol=" +
           short_text(at_least(outside.largest)) + " covers";
  }
  /// The next number of one digit.
  static double at_least(double distance) {
    const double unit = std::pow(10.0, std::floor(std::log10(distance)));
    return std::ceil(distance / unit) * unit;
  }
  static std::string short_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
  }

  /// Where its line is shown there is no need of a place.
  static FindingNote other_note(const Repair& repair) {
    const std::string further =
        !repair.is_as_first    ? ""
        : *repair.is_as_first ? " (on two other inputs both changes give the same results)"
                              : " (on two other inputs the two changes give different results: one is wrong)";
    const std::string text = "or " + repair.text + ", which also fits these numbers" + further;
    const LocationNode* user = user_frame(repair.op->location()).user;
    if (repair.diff.empty()) return {text, user != nullptr ? Location(user) : repair.op->location()};
    return {text + ":\n" + indented(repair.diff), {}};
  }

  static std::string search_text(const RepairSearch& search) {
    if (search.possible == 0) return "nothing in the kernel has a single change to try";
    if (search.tried == 0) return "the launch is too long to try changes of the kernel on";
    const std::string of = search.tried < search.possible ? " (of " + std::to_string(search.possible) + ")" : "";
    return "none of " + std::to_string(search.tried) + of + " single changes of the kernel makes all outputs match";
  }
  static std::string percent(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

  std::string count_text() const {
    return std::to_string(outside_.elements) + " of " + std::to_string(outside_.compared) + " elements differ";
  }
  std::string digits_text() const {
    if (!origin_.exact || origin_.is_partial) return count_text();
    return count_text() + ", not by rounding: in f64 this one is " + digits(*origin_.exact);
  }

  Finding named(Finding finding) const {
    const UserFrame frame = user_frame(finding.location);
    if (frame.user != nullptr) finding.location = Location(frame.user);
    finding.argument = view_.name;
    finding.element = outside_.worst;
    finding.programs = origin_.store ? 1 : 0;
    if (origin_.store) finding.program = origin_.store->program;
    return finding;
  }

  void add_store(Finding& finding) const {
    if (origin_.store) finding.notes.push_back({"stored here by program " + program_text(), origin_.store->location});
  }
  std::string program_text() const {
    const ProgramId& id = origin_.store->program;
    return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
  }

  const LaunchContext& context_;
  const StorageBytes& before_;
  const View& view_;
  Outside outside_;
  std::uint64_t address_ = 0;
  Origin origin_;
  bool is_traced_ = false;
};

}  // namespace

namespace {

/// Every expectation of the launch as f64 makes it; empty: it would take too long, or does not complete.
std::vector<Outside> compared_in_f64(const LaunchContext& context, const StorageBytes& before,
                                     const std::vector<Expectation>& expectations, std::uint64_t lanes) {
  const auto& grid = context.request.grid;
  const auto programs = static_cast<std::uint64_t>(grid[0] * grid[1] * grid[2]);
  std::vector<Outside> made;
  if (lanes * programs > kMaxExactLanes) return made;
  before.put_back();
  if (!ExactLaunch(context).run(expectations)) return made;
  for (const Expectation& one : expectations) made.push_back(one.compare());
  return made;
}

}  // namespace

bool explains(double exact, double got, double expected) {
  const double far = std::fabs(exact - expected), apart = std::fabs(got - expected);
  if (std::isnan(expected)) return std::isnan(exact);
  if (!std::isfinite(apart)) return far <= 0x1p-6 * std::fabs(expected) || exact == expected;
  return far <= apart / 4;
}

std::unique_ptr<StorageBytes> keep_for_mismatch(const LaunchContext& context) {
  const auto storages = interpreter::written_storages(context.request, context.effects);
  std::uint64_t bytes = 0;
  for (const memory_model::StorageId id : storages) bytes += context.request.memory->storage(id).extent.bytes();
  const std::uint64_t given = context.request.limits.max_memory_bytes;
  if (bytes == 0 || bytes > UndefProbe::kMaxBytes || (given != 0 && 2 * bytes > given)) return nullptr;
  return std::make_unique<StorageBytes>(*context.request.memory, storages);
}

std::vector<Finding> locate_mismatch(const LaunchContext& context, const StorageBytes& before,
                                     const std::vector<Expectation>& expectations) {
  std::vector<Finding> findings;
  std::vector<std::pair<Mismatch, std::size_t>> open;  // with its number in `judged`
  std::vector<Expectation> judged;                     // what a change of arithmetic can meet
  std::optional<std::vector<Outside>> in_f64;
  const StorageBytes result(*context.request.memory, before.storages());
  std::uint64_t lanes = 0;
  for (const Expectation& expectation : expectations) {
    const Outside outside = expectation.compare();
    if (outside.elements == 0) {
      judged.push_back(expectation);
      continue;
    }
    Mismatch mismatch(context, before, expectation, outside);
    mismatch.look_at_digits();
    result.put_back();
    lanes = std::max(lanes, mismatch.lanes());
    if (mismatch.is_rounding()) {
      if (!in_f64) in_f64 = compared_in_f64(context, before, expectations, mismatch.lanes());
      result.put_back();
      const auto number = static_cast<std::size_t>(&expectation - expectations.data());
      findings.push_back(mismatch.rounding_finding(!in_f64->empty() && (*in_f64)[number].elements == 0));
    } else {
      open.emplace_back(std::move(mismatch), judged.size());
      judged.push_back(expectation);
    }
  }
  if (!open.empty()) {
    const RepairSearch search = search_repairs(context, before, judged, lanes);
    result.put_back();
    for (const auto& [mismatch, number] : open) {
      findings.push_back(!search.repairs.empty()      ? mismatch.repair_finding(search, number)
                         : mismatch.is_in_last_bits() ? mismatch.last_bits_finding()
                                                      : mismatch.plain_finding(search));
    }
  }
  return findings;
}

}  // namespace lockstep::sanitizer
