#include "sanitizer/lint/lint_roofline.h"

#include <algorithm>
#include <cstdio>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {


namespace {

constexpr std::int64_t kTf32 = 0;  // inputPrecision of tt.dot

std::string scaled(double value, const char* unit) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (value >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %s%s", value, kPrefixes[prefix], unit);
  return text;
}

std::string seconds_text(double seconds) {
  char text[48];
  const bool is_short = seconds < 1e-3;
  std::snprintf(text, sizeof text, is_short ? "%.3g microseconds" : "%.3g milliseconds",
                seconds * (is_short ? 1e6 : 1e3));
  return text;
}

}  // namespace

double Flops::seconds(const GpuModel& model) const {
  return plain / model.f32 + tf32 / model.tensor_tf32 + f16 / model.tensor_f16 + small / model.tensor_8bit;
}

Flops& Flops::operator+=(const Flops& other) {
  plain += other.plain;
  tf32 += other.tf32;
  f16 += other.f16;
  small += other.small;
  return *this;
}

LintRoofline::LintRoofline(const LaunchContext& context) {
  for (const auto& entry : context.request.memory->lookup_table()) {
    const std::uint64_t begin = entry.extent.begin / kSectorBytes, end = entry.extent.end / kSectorBytes + 1;
    storages_.push_back({begin, end, std::vector<bool>(end - begin), 0});
  }
}

void LintRoofline::count_access(const std::vector<ByteRun>& runs) {
  sectors_ += sectors_of(runs);
  for (const ByteRun& run : runs) {
    bytes_ += run.end - run.begin;
    const std::uint64_t first = run.begin / kSectorBytes, end = (run.end + kSectorBytes - 1) / kSectorBytes;
    const auto at = std::find_if(storages_.begin(), storages_.end(),
                                 [&](const Touched& one) { return one.begin <= first && end <= one.end; });
    if (at == storages_.end()) continue;
    for (std::uint64_t sector = first; sector < end; ++sector) {
      if (at->sectors[sector - at->begin]) continue;
      at->sectors[sector - at->begin] = true;
      ++at->count;
    }
  }
}

bool is_arithmetic(const ir::Op& op) {
  return op.def().flops != 0 && op.result_count() != 0 && op.result(0)->type().element().is_float();
}

Flops flops_of(Execution& run) {
  const ir::Op& op = run.op();
  const bool folds = ir::folds_lines(op);
  const auto elements = static_cast<double>(run.count(folds ? *op.operand(0) : *op.result(0)));
  Flops made;
  if (!ir::is_matrix_product(op)) {
    made.plain = elements * op.def().flops;
    return made;
  }
  const double flops = 2 * elements * static_cast<double>(run.shape(*op.operand(0)).back());
  const ScalarKind kind = run.kind(*op.operand(0));
  if (size_bytes(kind) == 1) {
    made.small = flops;
  } else if (size_bytes(kind) == 2) {
    made.f16 = flops;
  } else if (kind == ScalarKind::f32 && op.integer_attribute("inputPrecision", 2) == kTf32) {
    made.tf32 = flops;
  } else {
    made.plain = flops;
  }
  return made;
}

std::string LintRoofline::text(const GpuModel& model) const {
  double moved = 0;
  for (const Touched& one : storages_) moved += static_cast<double>(one.count * kSectorBytes);
  const double flops = flops_.all();
  const double memory = moved / model.bytes_per_second, arithmetic = flops_.seconds(model);
  const double used =
      sectors_ == 0 ? 100 : 100.0 * static_cast<double>(bytes_) / static_cast<double>(sectors_ * kSectorBytes);
  char share[16], intensity[24];
  std::snprintf(share, sizeof share, "%.0f%%", used);
  std::snprintf(intensity, sizeof intensity, "%.3g", moved > 0 ? flops / moved : 0.0);
  return "on " + std::string(model.name) + ": " + scaled(moved, "B") + " must move (" +
         scaled(static_cast<double>(sectors_ * kSectorBytes), "B") + " asked for in sectors, " + share +
         " of them used), " + scaled(flops, "FLOP") +
         (flops > flops_.plain ? ", " + scaled(flops - flops_.plain, "FLOP") + " of them by tensor cores" : "") + ": " +
         intensity + " FLOP/B, bound by " + (memory >= arithmetic ? "memory" : "arithmetic") + ", no faster than " +
         seconds_text(std::max(memory, arithmetic));
}

}  // namespace lockstep::sanitizer
