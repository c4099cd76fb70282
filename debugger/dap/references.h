// References: the numbers under which a client asks for frames and for what is in a variable, valid until the launch
// moves on. An old number is not reused soon, so that a late question gets an error and not a wrong answer. Bounded.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "debugger/expression/value.h"

namespace lockstep::debugger::dap {

struct FrameReference {
  enum class Kind : std::uint8_t {
    standing,  // of the program that stands: its variables can be seen
    loop,      // the same, shown as the line of a loop around it
    waiting,   // of another program: of it only its place and the launch's arguments can be seen
    ended,     // the launch has ended: only memory is left
    outer,     // of the program that made the launch: nothing but its line
  } kind = Kind::standing;
  std::uint64_t program = 0;
  std::size_t level = 0;
};

struct Container {
  enum class Kind : std::uint8_t {
    tiles,
    masks,
    pointers,
    arguments,
    loops,
    launch,
    model,
    program,
    value,
    layout  // of a tile: where its elements are on the GPU
  } kind = Kind::value;
  std::size_t level = 0;
  Value value;                // of value
  std::string expression;     // of value: what a person would write for it; empty: nothing. Of layout: the tile
  std::uint64_t program = 0;  // of program
  std::vector<std::int64_t> index = {};  // of layout: the dimensions that are chosen
};

class References {
 public:
  static constexpr std::size_t kMost = 200'000;

  /// The numbers given out so far are no longer valid.
  void clear();
  /// 0: there are too many already.
  std::int64_t add(FrameReference frame);
  std::int64_t add(Container container);
  /// Null: no such number.
  const FrameReference* frame(std::int64_t number) const;
  const Container* container(std::int64_t number) const;

 private:
  std::int64_t first_frame_ = 1, first_container_ = 1;
  std::deque<FrameReference> frames_;
  std::deque<Container> containers_;
};

}  // namespace lockstep::debugger::dap
