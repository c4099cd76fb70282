#include "shrink.h"

#include <chrono>
#include <memory>
#include <optional>
#include <unordered_set>

#include "dialects/registry.h"
#include "fuzz/mutate.h"
#include "fuzz/walk.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::differential_tests {
namespace {

using ir::Module;
using Clock = std::chrono::steady_clock;

std::optional<Module> parse(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("shrunk.ttir", text), sink);
  if (module && !ir::verify(*module, sink)) module.reset();
  return module;
}

/// Ops first, then the elements that they make, then letters.
std::uint64_t cost(const Module& module) {
  constexpr std::uint64_t kOp = 1 << 20;
  std::uint64_t sum = 0;
  for (const ir::Op* op : fuzz::ops_of(module)) {
    sum += kOp;
    for (std::size_t i = 0; i < op->result_count(); ++i) {
      const ir::Type type = op->result(i)->type();
      sum += type.is_tensor() ? static_cast<std::uint64_t>(type.element_count()) : 1;
    }
  }
  return sum;
}

class Shrinker {
 public:
  Shrinker(std::string text, const std::function<bool(const std::string&)>& still_fails, const ShrinkLimits& limits)
      : best_(std::move(text)),
        still_fails_(still_fails),
        left_(limits.attempts),
        end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds))) {
    if (const auto module = parse(best_)) cost_ = cost(*module);
    tried_.insert(best_);
  }

  std::string run() {
    while (remove_each()) {
    }
    int idle = 0;
    constexpr int kPatience = 300;
    for (std::uint64_t seed = 1; idle < kPatience && has_time(); ++seed) idle = change(seed) ? 0 : idle + 1;
    return best_;
  }

 private:
  bool has_time() const { return left_ > 0 && Clock::now() < end_; }

  /// Keeps it if it is smaller and still fails.
  bool offer(Module& module) {
    const std::string changed = ir::print_module(module);
    auto again = parse(changed);
    if (!again) return false;
    ir::passes::remove_dead_code(*again);
    const std::string text = ir::print_module(*again);
    const std::uint64_t now = cost(*again);
    if (now >= cost_ || !parse(text) || !tried_.insert(text).second) return false;
    --left_;
    if (!still_fails_(text)) return false;
    best_ = text;
    cost_ = now;
    return true;
  }

  /// Every op whose results nobody needs (stores first of all), from the end. False: none could go.
  bool remove_each() {
    bool has_removed = false;
    for (std::size_t from_end = 0; has_time(); ++from_end) {
      auto module = parse(best_);
      if (!module) return false;
      const auto ops = fuzz::ops_of(*module);
      if (from_end >= ops.size()) return has_removed;
      ir::Op* op = ops[ops.size() - 1 - from_end];
      if (op->def().is_terminator || is_used(*op) || op->parent_op() == nullptr) continue;
      op->drop_all_references();
      op->erase();
      has_removed |= offer(*module);
    }
    return has_removed;
  }

  static bool is_used(const ir::Op& op) {
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (op.result(i)->has_uses()) return true;
    }
    return op.spelling() == "tt.func";
  }

  bool change(std::uint64_t seed) {
    auto module = parse(best_);
    if (!module) return false;
    fuzz::Random random(seed);
    const bool has_changed = random.one_in(4) ? fuzz::change_extent(*module, random) : fuzz::remove_op(*module, random);
    return has_changed && offer(*module);
  }

  std::string best_;
  const std::function<bool(const std::string&)>& still_fails_;
  std::uint64_t cost_ = 0;
  int left_;
  Clock::time_point end_;
  std::unordered_set<std::string> tried_;
};

}  // namespace

std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& still_fails,
                   const ShrinkLimits& limits) {
  return Shrinker(text, still_fails, limits).run();
}

std::size_t count_ops(const std::string& text) {
  const auto module = parse(text);
  return module ? fuzz::ops_of(*module).size() : 0;
}

}  // namespace lockstep::differential_tests
