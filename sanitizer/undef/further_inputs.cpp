#include "sanitizer/undef/further_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "interpreter/scheduler/execution_mode.h"
#include "sanitizer/undef/undef_probe.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

namespace {

constexpr double kApart = 1e-3;  // of the largest element

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

FurtherInputs::FurtherInputs(const LaunchContext& context, const std::vector<Expectation>& expectations)
    : context_(context), expectations_(expectations) {
  const memory_model::AddressSpace& memory = *context.request.memory;
  std::vector<memory_model::StorageId> storages;
  std::uint64_t bytes = 0;
  const auto add = [&](memory_model::StorageId id) {
    if (std::find(storages.begin(), storages.end(), id) != storages.end()) return;
    storages.push_back(id);
    bytes += memory.storage(id).extent.bytes();
  };
  for (const memory_model::StorageId id : interpreter::written_storages(context.request, context.effects)) add(id);
  const std::size_t written = storages.size();
  for (const interpreter::Argument& argument : context.request.arguments) {
    if (argument.kind == interpreter::Argument::Kind::scalar) continue;
    const memory_model::View& view = memory.view(argument.view);
    const auto end = storages.begin() + static_cast<std::ptrdiff_t>(written);
    if (!is_float(view.element) || std::find(storages.begin(), end, view.storage) != end) continue;
    add(view.storage);
    inputs_.push_back(argument.view);
  }
  if (!inputs_.empty() && bytes <= UndefProbe::kMaxBytes) kept_ = std::make_unique<StorageBytes>(memory, storages);
}

void FurtherInputs::put_back() const { kept_->put_back(); }

void FurtherInputs::set(std::uint64_t number) {
  put_back();
  std::uint64_t drawn = mixed(number);
  for (const memory_model::ViewId id : inputs_) {
    const memory_model::View& view = context_.request.memory->view(id);
    const memory_model::Extent& extent = context_.request.memory->storage(view.storage).extent;
    const auto size = static_cast<std::size_t>(size_bytes(view.element));
    const std::size_t first = (view.base - extent.begin) % size, count = (extent.bytes() - first) / size;
    char* to = interpreter::bytes_at(extent.begin) + first;
    const char* from = kept_->at(extent.begin) + first;
    for (std::size_t i = 0; i < count; ++i) {
      drawn = mixed(drawn);
      std::memcpy(to + i * size, from + drawn % count * size, size);
    }
  }
}

FurtherInputs::Results FurtherInputs::results() const {
  Results made;
  for (const Expectation& one : expectations_) {
    const memory_model::View& view = context_.request.memory->view(one.view);
    const auto size = static_cast<std::size_t>(size_bytes(view.element));
    std::vector<double>& numbers = made.emplace_back();
    for (std::int64_t i = 0; i < view.element_count(); ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, interpreter::bytes_at(address_of_element(view, i)), size);
      numbers.push_back(is_float(view.element) ? decode_float(view.element, bits)
                                               : static_cast<double>(interpreter::sign_extend(view.element, bits)));
    }
  }
  return made;
}

bool FurtherInputs::are_alike(const Results& a, const Results& b) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    double largest = 0;
    for (const double one : a[r]) largest = std::isfinite(one) ? std::max(largest, std::fabs(one)) : largest;
    for (std::size_t i = 0; i < a[r].size(); ++i) {
      const double x = a[r][i], y = b[r][i];
      const bool is_same = x == y || (std::isnan(x) && std::isnan(y));
      if (!is_same && !(std::fabs(x - y) <= kApart * largest)) return false;
    }
  }
  return true;
}

}  // namespace lockstep::sanitizer
