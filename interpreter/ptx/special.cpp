#include "interpreter/ptx/special.h"

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using Bits = std::uint64_t;

template <auto fn>
void fill(State& s, const Instruction& i) {
  const Bits value = fn(*s.environment);
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = value;
}

Bits tick(Environment& e) { return e.clock += kClockStep; }
constexpr Bits low(Bits v) { return v & 0xffffffff; }

template <std::size_t d>
constexpr auto kProgram = [](Environment& e) -> Bits { return low(e.program_id[d]); };
template <std::size_t d>
constexpr auto kGrid = [](Environment& e) -> Bits { return low(e.grid[d]); };
constexpr auto kLowTick = [](Environment& e) -> Bits { return low(tick(e)); };
constexpr auto kHighTick = [](Environment& e) -> Bits { return tick(e) >> 32; };
constexpr auto kZero = [](Environment&) -> Bits { return 0; };

constexpr std::array kSpecial{
    SpecialRegister{"%ctaid.x", 32, fill<kProgram<0>>},
    SpecialRegister{"%ctaid.y", 32, fill<kProgram<1>>},
    SpecialRegister{"%ctaid.z", 32, fill<kProgram<2>>},
    SpecialRegister{"%nctaid.x", 32, fill<kGrid<0>>},
    SpecialRegister{"%nctaid.y", 32, fill<kGrid<1>>},
    SpecialRegister{"%nctaid.z", 32, fill<kGrid<2>>},
    SpecialRegister{"%smid", 32, fill<[](Environment& e) -> Bits { return e.program_number % kMultiprocessors; }>},
    SpecialRegister{"%nsmid", 32, fill<[](Environment&) -> Bits { return kMultiprocessors; }>},
    SpecialRegister{"%gridid", 64, fill<kZero>},
    SpecialRegister{"%clock", 32, fill<kLowTick>},
    SpecialRegister{"%clock_hi", 32, fill<kHighTick>},
    SpecialRegister{"%clock64", 64, fill<tick>},
    SpecialRegister{"%globaltimer", 64, fill<tick>},
    SpecialRegister{"%globaltimer_lo", 32, fill<kLowTick>},
    SpecialRegister{"%globaltimer_hi", 32, fill<kHighTick>},
};

}  // namespace

const SpecialRegister* find_special(std::string_view name) {
  for (const SpecialRegister& row : kSpecial) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void move(State& s, const Instruction& i) {
  const Bits* from = s.registers[i.from[0]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = from[k];
}

void negate(State& s, const Instruction& i) {
  const Bits* from = s.registers[i.from[0]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = (from[k] & 1) ^ 1;
}

void blend(State& s, const Instruction& i) {
  const Bits *guard = s.registers[i.from[0]], *value = s.registers[i.from[1]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) to[k] = ((guard[k] ^ i.detail) & 1) != 0 ? value[k] : to[k];
}

void join(State& s, const Instruction& i) {
  const unsigned count = i.detail & 0xff, width = i.detail >> 8;
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) {
    Bits word = 0;
    for (unsigned e = 0; e < count; ++e) word |= s.registers[i.from[e]][k] << e * width;
    to[k] = word;
  }
}

void split(State& s, const Instruction& i) {
  const unsigned count = i.detail & 0xff, width = i.detail >> 8;
  const Bits* from = s.registers[i.from[0]];
  for (int k = 0; k < s.lanes; ++k) {
    const Bits word = from[k];
    for (unsigned e = 0; e < count; ++e) s.registers[i.to[e]][k] = word >> e * width & mask_of(static_cast<int>(width));
  }
}

Choice select_mov(const Form&) { return {move}; }
Choice select_nothing(const Form&) {
  return {[](State&, const Instruction&) {}};
}

void run(const Program& program, State& state) {
  int rounding = FE_TONEAREST;
  const int before = std::fegetround();
  for (const Instruction& instruction : program.instructions) {
    if (instruction.rounding != rounding) {
      rounding = instruction.rounding;
      std::fesetround(rounding);
    }
    instruction.run(state, instruction);
  }
  std::fesetround(before);
}

}  // namespace lockstep::interpreter::ptx
