// Result<T>: a value or an error, with the names of std::expected (C++23), which libstdc++ 12 lacks under -std=c++20.
// Invariant: exactly one of the two is present. Never throws; reading the wrong side is a defect of Lockstep
// (LOCKSTEP_CHECK).
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "support/check.h"

namespace lockstep {

template <typename E>
struct Unexpected {
  E error;
};
template <typename E>
Unexpected(E) -> Unexpected<E>;

template <typename T, typename E>
class Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}                    // NOLINT
  Expected(Unexpected<E> error) : state_(std::in_place_index<1>, std::move(error.error)) {}  // NOLINT

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & {
    LOCKSTEP_CHECK(has_value(), "value() of an error");
    return std::get<0>(state_);
  }
  const T& value() const& {
    LOCKSTEP_CHECK(has_value(), "value() of an error");
    return std::get<0>(state_);
  }
  T&& value() && {
    LOCKSTEP_CHECK(has_value(), "value() of an error");
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const E& error() const {
    LOCKSTEP_CHECK(!has_value(), "error() of a value");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, E> state_;
};

/// Success, which holds nothing, or an error: `return {};` is success.
template <typename E>
class Expected<void, E> {
 public:
  Expected() = default;
  Expected(Unexpected<E> error) : error_(std::move(error.error)) {}  // NOLINT

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const E& error() const {
    LOCKSTEP_CHECK(!has_value(), "error() of a success");
    return *error_;
  }

 private:
  std::optional<E> error_;
};

}  // namespace lockstep
