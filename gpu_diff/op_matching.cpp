#include "gpu_diff/op_matching.h"

#include <algorithm>
#include <string>

#include "backend_cuda/emit/emit_module.h"

namespace lockstep::gpu_diff {
namespace {

using Ops = std::vector<const ir::Op*>;

constexpr std::size_t kMostPairs = 16'000'000;  // of the table that matches two texts

/// What two matching ops have in common: names and types of their results.
std::string key_of(const ir::Op& op) {
  std::string key;
  for (std::size_t i = 0; i < op.result_count(); ++i)
    key += op.result(i)->name() + ":" + op.result(i)->type().to_string() + ";";
  return op.result_count() == 0 ? std::string(op.spelling()) : key;
}

/// Between passes, names and layouts change and places in the source stay. A changed op is at the place of what it was.
std::string key_of_place(const ir::Op& op) {
  const Location place = op.location().is_unknown() ? op.location() : op.location().innermost_file();
  if (place.is_unknown()) return key_of(op);
  std::string key = place->text + ":" + std::to_string(place->line) + ":" + std::to_string(place->column) + ";";
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const ir::Type type = op.result(i)->type();
    key += type.element().to_string();
    for (const std::int64_t extent : type.shape()) key += "x" + std::to_string(extent);
    key += ";";
  }
  return op.result_count() == 0 ? key + std::string(op.spelling()) : key;
}

/// The longest common subsequence, as pairs of places.
std::vector<std::pair<std::size_t, std::size_t>> matched(const std::vector<std::string>& a,
                                                         const std::vector<std::string>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> best((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      best[i * width + j] = a[i] == b[j] ? best[(i + 1) * width + j + 1] + 1
                                         : std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
    } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

std::vector<std::string> keys_of(const Ops& ops, std::string (*key)(const ir::Op&)) {
  std::vector<std::string> keys;
  for (const ir::Op* op : ops) keys.push_back(key(*op));
  return keys;
}

}  // namespace

std::unique_ptr<const OpMatching> OpMatching::make(const ir::Op& function, const ir::Op* changed) {
  if (function.parent_op() == nullptr || (changed != nullptr && changed->parent_op() == nullptr)) return nullptr;
  auto made = std::make_unique<OpMatching>();
  made->module_.emplace(backend_cuda::without_calls(function));
  made->function_ = made->module_->find_function(ir::symbol_name(function));
  if (made->function_ == nullptr) return nullptr;
  made->original_ = backend_cuda::ops_in_order(*made->function_);
  if (changed == nullptr) {
    made->changed_function_ = made->function_;
    made->changed_ = made->original_;
    for (std::uint32_t i = 0; i < made->original_.size(); ++i) made->numbers_[made->original_[i]] = i;
    return made;
  }
  made->changed_module_.emplace(backend_cuda::without_calls(*changed));
  made->changed_function_ = made->changed_module_->find_function(ir::symbol_name(*changed));
  if (made->changed_function_ == nullptr) return nullptr;
  made->changed_ = backend_cuda::ops_in_order(*made->changed_function_);
  if (made->original_.size() * made->changed_.size() > kMostPairs) return nullptr;
  auto pairs = matched(keys_of(made->original_, key_of), keys_of(made->changed_, key_of));
  auto by_place = matched(keys_of(made->original_, key_of_place), keys_of(made->changed_, key_of_place));
  if (by_place.size() > pairs.size()) pairs = std::move(by_place);
  for (const auto& [i, j] : pairs) made->numbers_[made->original_[i]] = static_cast<std::uint32_t>(j);
  return pairs.empty() ? nullptr : std::move(made);
}

std::optional<std::uint32_t> OpMatching::changed_number(const ir::Op& op) const {
  const auto found = numbers_.find(&op);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace lockstep::gpu_diff
