#include "sanitizer/triage/mismatch.h"

#include <algorithm>
#include <cmath>

#include "interpreter/scheduler/execution_mode.h"
#include "memory_model/describe.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/numeric/exact_math.h"
#include "sanitizer/numeric/precision.h"
#include "sanitizer/triage/error_origin.h"
#include "sanitizer/triage/repair.h"
#include "sanitizer/undef/undef_probe.h"

namespace lockstep::sanitizer {

using memory_model::View;

namespace {

constexpr std::size_t kMaxOthers = 3;  // further repairs that a finding names

/// The address of a row-major element number.
std::uint64_t address_of_element(const View& view, std::int64_t number) {
  std::int64_t offset = 0;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += number % view.shape[d] * view.strides[d];
    number /= view.shape[d];
  }
  return view.base + static_cast<std::uint64_t>(offset * size_bytes(view.element));
}

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

  Finding rounding_finding() const {
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
    add_store(finding);
    finding.hint = origin_.cancelled_bits > 0
                       ? "take the difference of smaller numbers, so that what is left keeps its digits"
                   : origin_.is_tf32  ? "input_precision=\"ieee\" keeps all digits of the operands"
                   : origin_.is_small ? "keep this value in f32 until it is stored"
                                      : "compute this in f64, or so that smaller numbers do";
    return finding;
  }

  Finding repair_finding(const RepairSearch& search) const {
    const Repair& repair = search.repairs.front();
    Finding finding = named(launch_finding(repair.is_axis ? FindingCode::LS802 : FindingCode::LS608, "", repair.op, view_.name));
    finding.message = head() + "; all outputs match " + repair.text;
    if (!repair.diff.empty()) finding.notes.push_back({"fits these numbers:\n" + indented(repair.diff), {}});
    if (!repair.cause.empty()) finding.notes.push_back({repair.cause, {}});
    finding.notes.push_back({digits_text(), {}});
    for (std::size_t i = 1; i < search.repairs.size() && i <= kMaxOthers; ++i)
      finding.notes.push_back(other_note(search.repairs[i]));
    add_store(finding);
    finding.hint = std::string("verified: with only this change, every compared element matches; it fits these ") +
                   "numbers, and there is no reference for others";
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

  /// The note shows its line, so it needs no place.
  static FindingNote other_note(const Repair& repair) {
    const std::string further =
        !repair.is_as_first    ? ""
        : *repair.is_as_first ? " (on two further inputs it leaves what the first change leaves)"
                              : " (on two further inputs it leaves other results than the first change: one is wrong)";
    const std::string text = "or " + repair.text + ", fits these numbers, too" + further;
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

  std::string digits_text() const {
    const std::string name(spelling(view_.element));
    const std::string count =
        std::to_string(outside_.elements) + " of " + std::to_string(outside_.compared) + " elements differ";
    if (!origin_.exact || origin_.is_partial) return count;
    return count + ", not by rounding: in f64 this one is " + digits(*origin_.exact);
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
  std::vector<Mismatch> open;
  std::vector<Expectation> judged;  // what a change of arithmetic can meet
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
      findings.push_back(mismatch.rounding_finding());
    } else {
      open.push_back(std::move(mismatch));
      judged.push_back(expectation);
    }
  }
  if (!open.empty()) {
    const RepairSearch search = search_repairs(context, before, judged, lanes);
    result.put_back();
    for (const Mismatch& mismatch : open)
      findings.push_back(search.repairs.empty() ? mismatch.plain_finding(search) : mismatch.repair_finding(search));
  }
  return findings;
}

}  // namespace lockstep::sanitizer
