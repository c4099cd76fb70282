// Runs kernels given as TTIR text on small tensors: Harness holds the memory, run() launches, values() reads back. For
// tests of the interpreter only. Tensors are named a0, a1, ... in the order of the kernel's pointer arguments unless
// named.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/launch/prepared.h"
#include "ir/text/parser.h"
#include "support/float_formats.h"

namespace lockstep::interpreter {

template <typename T>
ScalarKind kind_of();
template <>
inline ScalarKind kind_of<float>() {
  return ScalarKind::f32;
}
template <>
inline ScalarKind kind_of<double>() {
  return ScalarKind::f64;
}
template <>
inline ScalarKind kind_of<std::int8_t>() {
  return ScalarKind::i8;
}
template <>
inline ScalarKind kind_of<std::uint16_t>() {
  return ScalarKind::f16;
}
template <>
inline ScalarKind kind_of<std::int32_t>() {
  return ScalarKind::i32;
}
template <>
inline ScalarKind kind_of<std::int64_t>() {
  return ScalarKind::i64;
}

class Harness {
 public:
  explicit Harness(const std::string& text) {
    const auto file = std::make_shared<SourceFile>("kernel.ttir", text);
    module_ = ir::parse_module(dialects::registry(), file, sink_);
    if (!module_) ADD_FAILURE() << render_text(sink_);
  }

  /// A tensor argument with these elements.
  template <typename T>
  std::size_t tensor(const std::vector<T>& data, ScalarKind kind = kind_of<T>()) {
    const std::string name = "a" + std::to_string(views_.size());
    const auto storage = memory_.allocate(name, data.size() * sizeof(T));
    const auto view = memory_.add_view(*storage, name, kind, 0, {static_cast<std::int64_t>(data.size())}, {1});
    std::memcpy(reinterpret_cast<void*>(memory_.view(*view).base), data.data(), data.size() * sizeof(T));
    return add(*view);
  }
  /// A window on the storage of tensor `base`.
  std::size_t window(std::size_t base, std::int64_t offset, std::vector<std::int64_t> shape,
                     std::vector<std::int64_t> strides) {
    const auto& view = memory_.view(views_[base]);
    const auto made = memory_.add_view(view.storage, "a" + std::to_string(views_.size()), view.element, offset,
                                       std::move(shape), std::move(strides));
    return add(*made);
  }
  /// A tensor that is no argument.
  template <typename T>
  std::size_t spare(const std::vector<T>& data, ScalarKind kind = kind_of<T>()) {
    const std::size_t made = tensor(data, kind);
    arguments_.pop_back();
    return made;
  }
  /// A descriptor of a window on tensor `base`.
  void descriptor(std::size_t base, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                  bool pads_nan = false) {
    const std::size_t made = window(base, 0, std::move(shape), std::move(strides));
    arguments_.back().kind = Argument::Kind::descriptor;
    arguments_.back().view = views_[made];
    arguments_.back().pads_nan = pads_nan;
  }
  std::uint64_t address(std::size_t tensor) const { return memory_.view(views_[tensor]).base; }
  /// Writes 64 bits into a tensor of i64.
  void poke(std::size_t tensor, std::size_t index, std::uint64_t bits) {
    std::memcpy(reinterpret_cast<char*>(address(tensor)) + 8 * index, &bits, sizeof bits);
  }
  void scalar(std::uint64_t bits) { arguments_.push_back({Argument::Kind::scalar, bits, {}}); }
  void scalar_f32(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    scalar(bits);
  }

  LaunchReport run(std::array<std::int64_t, 3> grid = {1, 1, 1}, unsigned threads = 2) {
    DiagnosticSink sink;
    if (kernel_ == nullptr) kernel_ = PreparedKernel::make(*module_, *module_->kernels().at(0), {}, sink, tuning);
    auto report = kernel_ == nullptr ? std::nullopt : kernel_->launch(request(grid, threads), sink);
    diagnostics = render_text(sink);
    was_unsupported = sink.only_unsupported();
    EXPECT_TRUE(report.has_value() || expects_refusal) << diagnostics;
    EXPECT_TRUE(memory_.red_zones_intact());
    return report ? std::move(*report) : LaunchReport{};
  }
  RunRequest request(std::array<std::int64_t, 3> grid, unsigned threads) {
    RunRequest request = options;
    request.grid = grid;
    request.arguments = arguments_;
    request.memory = &memory_;
    request.threads = threads;
    request.limits = limits;
    request.stop = stop;
    if (!request.print) request.print = [this](const std::string& line) { printed += line; };
    return request;
  }
  std::size_t tensors() const { return views_.size(); }
  /// A tensor argument by its view in memory().
  void argument(memory_model::ViewId view) { add(view); }
  /// After run().
  const PreparedKernel& prepared() const { return *kernel_; }
  const ir::Module& module() const { return *module_; }
  memory_model::AddressSpace& memory() { return memory_; }
  void set_scalar(std::size_t argument, std::uint64_t bits) { arguments_.at(argument).bits = bits; }
  template <typename T>
  std::vector<T> values(std::size_t tensor) const {
    const auto& view = memory_.view(views_[tensor]);
    std::vector<T> out(view.extent.bytes() / sizeof(T));
    std::memcpy(out.data(), reinterpret_cast<const void*>(view.extent.begin), out.size() * sizeof(T));
    return out;
  }

  Tuning tuning = default_tuning();  // of the plan; read by the first run
  Limits limits;
  RunRequest options;  // reach, rollback and callbacks of the next run
  const std::atomic<bool>* stop = nullptr;
  std::string printed, diagnostics;
  bool expects_refusal = false, was_unsupported = false;

 private:
  std::size_t add(memory_model::ViewId view) {
    views_.push_back(view);
    arguments_.push_back({Argument::Kind::pointer, 0, view});
    return views_.size() - 1;
  }

  DiagnosticSink sink_;
  std::optional<ir::Module> module_;
  std::unique_ptr<const PreparedKernel> kernel_;
  memory_model::AddressSpace memory_;
  std::vector<memory_model::ViewId> views_;
  std::vector<Argument> arguments_;
};

inline std::vector<float> iota_f32(std::size_t n, float start = 0) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = start + static_cast<float>(i);
  return out;
}

/// A module with one kernel.
inline std::string kernel(const std::string& parameters, const std::string& body) {
  return "module {\n  tt.func public @k(" + parameters + ") attributes {noinline = false} {\n" + body +
         "    tt.return\n  }\n}\n";
}

}  // namespace lockstep::interpreter
