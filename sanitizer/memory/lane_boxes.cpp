#include "sanitizer/memory/lane_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "interpreter/access/access_log.h"

namespace lockstep::sanitizer {

using interpreter::AddressBox;
using interpreter::LoggedRange;
using interpreter::TouchKind;

namespace {

/// Beyond this number lanes are compared one by one: each new box is compared with all.
constexpr std::size_t kMostBoxes = 256;

struct Varying {
  std::int64_t shape = 0, stride = 0;
};

/// Dimensions with several lanes, by ascending distance of their lanes.
std::vector<Varying> varying_dimensions(const AddressBox& box) {
  std::vector<Varying> made;
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.shape[d] > 1) made.push_back({box.shape[d], std::abs(box.stride[d])});
  }
  std::sort(made.begin(), made.end(), [](const Varying& a, const Varying& b) { return a.stride < b.stride; });
  return made;
}

/// No two lanes share a byte.
bool is_injective(const AddressBox& box, int bytes) {
  std::int64_t reach = bytes;
  for (const Varying& one : varying_dimensions(box)) {
    if (one.stride < reach) return false;
    reach += one.stride * (one.shape - 1);
  }
  return true;
}

/// The box as rows of adjacent bytes; `rows` is 0 if it is not one.
LoggedRange rows_of(const AddressBox& box, int bytes, std::uint32_t chunk) {
  LoggedRange made{box.begin, box.end, chunk, true};
  made.run = static_cast<std::uint64_t>(bytes);
  bool has_rows = false;
  for (const Varying& one : varying_dimensions(box)) {
    const auto stride = static_cast<std::uint64_t>(one.stride), count = static_cast<std::uint64_t>(one.shape);
    if (!has_rows && stride == made.run) {
      made.run *= count;
    } else if (!has_rows && count <= UINT32_MAX) {
      made.rows = static_cast<std::uint32_t>(count);
      made.stride = stride;
      has_rows = true;
    } else {
      made.rows = 0;
      return made;
    }
  }
  return made;
}

bool is_same_box(const LaneBox& a, const LaneBox& b) {
  if (a.bytes != b.bytes || a.shape != b.shape || a.box.origin != b.box.origin || a.box.rank != b.box.rank)
    return false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(a.box.rank); ++d) {
    if (a.box.low[d] != b.box.low[d] || a.box.shape[d] != b.box.shape[d]) return false;
    if (a.box.shape[d] > 1 && a.box.stride[d] != b.box.stride[d]) return false;
  }
  return !a.op->is_everyones && !b.op->is_everyones;
}

bool share_a_byte(const LaneBox& a, const LaneBox& b) {
  if (a.box.end <= b.box.begin || b.box.end <= a.box.begin) return false;
  const LoggedRange first = rows_of(a.box, a.bytes, 0), second = rows_of(b.box, b.bytes, 1);
  if (first.rows == 0 || second.rows == 0) return true;
  std::vector<LoggedRange> both{first, second};
  return interpreter::chunks_overlap(both);
}

bool is_load(const LaneBox& one) { return one.op->kind == TouchKind::load; }
bool is_atomic(const LaneBox& one) { return one.op->kind == TouchKind::atomic; }

/// Whatever order their lanes come in.
bool are_harmless(const LaneBox& before, const LaneBox& now) {
  if ((is_load(before) && is_load(now)) || (is_atomic(before) && is_atomic(now))) return true;
  if (!share_a_byte(before, now)) return true;
  return is_same_box(before, now) && !is_atomic(before) && !is_atomic(now) && now.op->pipelined_in == nullptr;
}

}  // namespace

bool LaneBoxes::add(std::uint32_t number, const LaneAccess& op, interpreter::AccessLanes& lanes) {
  const AddressBox* box = lanes.box();
  if (box == nullptr || boxes_.size() >= kMostBoxes) return false;
  if (lanes.shape().size() != static_cast<std::size_t>(box->rank)) return false;
  LaneBox made{number, &op, *box, lanes.shape(), lanes.bytes()};
  if (op.kind == TouchKind::store && !is_injective(*box, made.bytes)) return false;
  const bool is_fine =
      std::all_of(boxes_.begin(), boxes_.end(), [&](const LaneBox& one) { return are_harmless(one, made); });
  if (is_fine) boxes_.push_back(std::move(made));
  return is_fine;
}

}  // namespace lockstep::sanitizer
