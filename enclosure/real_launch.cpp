#include "enclosure/real_launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "enclosure/enclosure.h"
#include "enclosure/shadow/shadow_memory.h"
#include "interpreter/access/storage_copy.h"
#include "interpreter/batching/effects.h"
#include "interpreter/scheduler/execution_mode.h"
#include "memory_model/elements.h"

namespace lockstep::enclosure {

using interpreter::LaunchRequest;

RealMemory::RealMemory() : shadows_(std::make_unique<ShadowMemory>()) { shadows_->note_writers(); }
RealMemory::~RealMemory() = default;

void RealMemory::clear() {
  *shadows_ = ShadowMemory();
  shadows_->note_writers();
  own_integers.clear();
}

std::optional<Interval> RealMemory::at(std::uint64_t address, ScalarKind kind) const {
  Interval found;
  if (!shadows_->is_unchanged(address, kind) || !shadows_->read(address, kind, found)) return std::nullopt;
  return found;
}

namespace {

constexpr std::size_t kWorst = 3;

double middle_of(const Interval& value) {
  if (value.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  return value.low == value.high ? value.low : value.low / 2 + value.high / 2;
}

std::vector<std::int64_t> real_index_of(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = element % std::max<std::int64_t>(shape[d], 1);
    element /= std::max<std::int64_t>(shape[d], 1);
  }
  return index;
}

/// NaN in both is no difference; in one, an infinite one.
RealDifference real_difference_of(ScalarKind kind, double stored, const Interval& real) {
  RealDifference made;
  made.stored = stored;
  made.real = real;
  const double middle = middle_of(real);
  if (stored == middle || (std::isnan(stored) && std::isnan(middle))) return made;
  made.absolute = std::fabs(stored - middle);
  if (!std::isfinite(made.absolute)) {
    made.absolute = made.relative = made.ulp = kInfinite;
    return made;
  }
  made.relative = middle != 0 ? made.absolute / std::fabs(middle) : kInfinite;
  made.ulp = made.absolute / ulp_at(format_of(kind), middle);
  return made;
}

/// The farthest stay, in order.
void offer_worst(std::vector<RealDifference>& worst, RealDifference&& candidate) {
  if (candidate.ulp == 0 || (worst.size() == kWorst && worst.back().ulp >= candidate.ulp)) return;
  const auto place = std::find_if(worst.begin(), worst.end(),
                                  [&](const RealDifference& one) { return one.ulp < candidate.ulp; });
  worst.insert(place, std::move(candidate));
  if (worst.size() > kWorst) worst.pop_back();
}

RealTensor real_tensor_of(const TensorEnclosure& enclosure, const memory_model::View& view) {
  RealTensor made;
  made.name = enclosure.name;
  made.kind = enclosure.kind;
  for_each_element(view, [&](std::int64_t i, std::uint64_t address) {
    const auto at = static_cast<std::size_t>(i);
    const Interval& real = enclosure.elements[at];
    const ir::Op* writer = enclosure.writers[at];
    if (writer == nullptr && !real.is_unbounded()) return;
    ++made.elements;
    if (real.is_unbounded()) {
      ++made.unknown;
      return;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(size_bytes(view.element)));
    const Interval stored = read_element(view.element, bits);
    RealDifference one = real_difference_of(made.kind, stored.is_nan() ? middle_of(stored) : stored.low, real);
    made.max_absolute = std::max(made.max_absolute, one.absolute);
    made.max_relative = std::max(made.max_relative, one.relative);
    made.max_ulp = std::max(made.max_ulp, one.ulp);
    if (real.is_finite()) {
      const double half = real.high / 2 - real.low / 2;
      made.max_open = std::max(made.max_open, half / ulp_at(format_of(made.kind), middle_of(real)));
    }
    one.index = real_index_of(i, enclosure.shape);
    if (writer != nullptr) one.place = writer->location().file_text();
    offer_worst(made.worst, std::move(one));
  });
  for (const ir::Op* op : enclosure.models) made.own_integers.push_back(op_text(*op));
  return made;
}

RealReport real_report_of(const Enclosure& enclosure, const LaunchRequest& request, const RealMemory& memory) {
  RealReport report;
  report.is_complete = enclosure.report.outcome == interpreter::Outcome::completed;
  for (const UnboundedCause& cause : enclosure.causes) {
    report.unknown.push_back(cause.text());
    report.is_complete = report.is_complete && !cause.lost_memory;
  }
  for (const TensorEnclosure& one : enclosure.tensors) {
    if (!one.is_written || !is_float(one.kind)) continue;
    RealTensor tensor = real_tensor_of(one, request.memory->view(one.view));
    tensor.own_integers.insert(tensor.own_integers.end(), memory.own_integers.begin(), memory.own_integers.end());
    if (tensor.elements != 0) report.tensors.push_back(std::move(tensor));
  }
  return report;
}

}  // namespace

std::optional<RealReport> run_real(const LaunchRequest& request, RealMemory& memory, DiagnosticSink& sink) {
  const interpreter::MemoryEffects effects = interpreter::effects_of(*request.module, *request.function);
  interpreter::MemoryBudget budget;
  interpreter::StorageCopy before(budget);
  if (!before.take(*request.memory, interpreter::written_storages(request, effects))) return std::nullopt;
  LaunchRequest beside = request;
  beside.profiling = {};
  beside.progress = nullptr;
  beside.rollback = false;
  beside.touches = interpreter::AccessTracking::none;
  beside.print = [](const std::string&) {};
  memory.shadows().drop_changed(*request.memory);
  EnclosureOptions options;
  options.real = &memory.shadows();
  const auto enclosure = enclose(beside, sink, options);
  std::optional<RealReport> report;
  if (enclosure) {
    report = real_report_of(*enclosure, request, memory);
    memory.shadows().keep_bits(*request.memory);
    for (const RealTensor& one : report->tensors) {
      for (const std::string& text : one.own_integers) {
        const auto& known = memory.own_integers;
        if (std::find(known.begin(), known.end(), text) == known.end()) memory.own_integers.push_back(text);
      }
    }
  }
  if (!report || !report->is_complete) memory.clear();
  before.restore();
  return report;
}

}  // namespace lockstep::enclosure
