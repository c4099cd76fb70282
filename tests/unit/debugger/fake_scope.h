// FakeScope: a scope made by hand: variables by name, arguments on memory of its own, at two ages.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "debugger/expression/scope.h"

namespace lockstep::debugger {

class FakeScope : public Scope {
 public:
  static constexpr std::uint64_t kBase = 0x10000;

  template <typename T>
  void tile(const std::string& name, ScalarKind kind, std::vector<std::int64_t> shape, const std::vector<T>& elements,
            std::int32_t provenance = -1) {
    const std::string bytes(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
    variables.insert_or_assign(name, Value(decode_tensor(kind, std::move(shape), bytes, provenance)));
  }
  /// One after the other in memory, row-major.
  template <typename T>
  void buffer(const std::string& name, ScalarKind kind, std::vector<std::int64_t> shape,
              const std::vector<T>& elements) {
    MemoryWindow window;
    window.name = name;
    window.kind = kind;
    window.base = kBase + memory.size();
    window.strides.resize(shape.size());
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      window.strides[d] = stride;
      stride *= shape[d];
    }
    window.shape = std::move(shape);
    window.view = static_cast<std::int32_t>(arguments.size());
    memory.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
    before.resize(memory.size(), '\x01');
    arguments.insert_or_assign(name, window);
  }

  std::optional<Found> find(std::string_view name) const override {
    const auto at = variables.find(std::string(name));
    if (at != variables.end()) return Found(at->second);
    if (name == "later") return Found(Unexpected{std::string("later has no value yet")});
    const auto window = argument(name);
    return window ? std::optional(Found(Value(*window))) : std::nullopt;
  }
  std::optional<MemoryWindow> argument(std::string_view name) const override {
    const auto at = arguments.find(std::string(name));
    return at == arguments.end() ? std::nullopt : std::optional(at->second);
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, value] : variables) all.push_back(name);
    for (const auto& [name, value] : arguments) all.push_back(name);
    return all;
  }
  bool has_variable(std::string_view name) const override {
    return variables.contains(std::string(name)) || arguments.contains(std::string(name));
  }
  std::optional<int> program_axis(std::string_view name) const override {
    return name == "pid_m" ? std::optional(1) : std::nullopt;
  }
  std::optional<std::array<std::int64_t, 3>> program_id() const override { return program; }
  std::array<std::int64_t, 3> grid() const override { return {8, 4, 2}; }
  std::optional<std::int64_t> iteration(std::string_view loop) const override {
    return loop.empty() || loop == "k" ? std::optional<std::int64_t>(7) : std::nullopt;
  }
  bool read(std::uint64_t address, std::size_t bytes, Age age, char* out) const override {
    if (address < kBase || address + bytes > kBase + memory.size()) return false;
    std::memcpy(out, (age == Age::now ? memory : before).data() + (address - kBase), bytes);
    return true;
  }
  PointerPlace place_of(std::uint64_t address, std::int32_t) const override {
    for (const auto& [name, window] : arguments) {
      const std::int64_t size = size_bytes(window.kind), end = window.count() * size;
      const auto offset = static_cast<std::int64_t>(address - window.base);
      if (address < window.base || offset >= end) continue;
      return {name, window.shape, index_of(offset / size, window.shape), offset, true};
    }
    return {};
  }
  Found reference(std::string_view name) const override {
    if (name != "c") return Unexpected{std::string("the reference has no '") + std::string(name) + "'"};
    return Value(Tensor::of(2.5));
  }

  std::map<std::string, Value> variables;
  std::map<std::string, MemoryWindow> arguments;
  std::string memory, before;
  std::optional<std::array<std::int64_t, 3>> program = std::array<std::int64_t, 3>{3, 1, 1};
};

/// What the tests look at: a tile `acc` of f32[2,3], `mask`, `ptrs` into x, scalars n and row; x[4,8] of i32, out
/// f32[6].
inline void fill(FakeScope& scope) {
  scope.tile<float>("acc", ScalarKind::f32, {2, 3}, {1, -2, 3.5F, 4, 5, -0.25F});
  scope.tile<std::uint8_t>("mask", ScalarKind::i1, {2, 3}, {1, 0, 1, 1, 1, 0});
  scope.tile<std::int32_t>("n", ScalarKind::i32, {}, {781});
  scope.tile<std::int32_t>("offs", ScalarKind::i32, {4}, {0, 1, 2, 3});
  scope.tile<std::int32_t>("pid_m", ScalarKind::i32, {}, {1});
  std::vector<std::int32_t> x(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * 10);
  scope.buffer("x", ScalarKind::i32, {4, 8}, x);
  scope.buffer<float>("out", ScalarKind::f32, {6}, {0, 1, 2, 3, 4, 5});
  scope.tile<std::uint64_t>("ptrs", ScalarKind::pointer, {3},
                            {FakeScope::kBase + 4, FakeScope::kBase + 32, FakeScope::kBase + 124});
}

}  // namespace lockstep::debugger
