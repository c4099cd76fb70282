// libFuzzer target: any bytes as an asm string. The first line is the constraints, the rest PTX. What compiles is run
// on three lanes; the same text must give the same bits again. Findings are crashes, hangs and results that differ.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/ptx/parser.h"
#include "interpreter/ptx/statements.h"
#include "support/check.h"

namespace {

using namespace lockstep;
using namespace lockstep::interpreter;

constexpr int kLanes = 3;

std::vector<std::uint64_t> run_once(const ptx::Program& program, const ptx::Constraints& constraints) {
  std::vector<std::uint64_t> memory(std::size_t{program.register_count} * ptx::kStrip);
  ptx::Environment environment;
  environment.program_number = 7;
  ptx::State state{reinterpret_cast<ptx::Lanes*>(memory.data()), kLanes, &environment};
  constexpr std::uint64_t kPatterns[kLanes] = {0x7fc00001ff80c0d3, 0x8000000080008000, 0x3f8000003c003c01};
  for (int lane = 0; lane < kLanes; ++lane) {
    for (const ptx::Immediate& immediate : program.immediates) state.registers[immediate.index][lane] = immediate.bits;
    for (std::size_t i = 0; i < constraints.list.size(); ++i) {
      const int width = constraints.list[i].width;
      const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
      state.registers[program.operands[i]][lane] = (kPatterns[lane] >> (5 * i % 32)) & mask;
    }
  }
  ptx::run(program, state);
  return memory;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const ptx::Constraints constraints = ptx::parse_constraints(text.substr(0, line));
  if (!constraints.problem.empty() || line == std::string_view::npos) return 0;
  const std::string_view assembly = text.substr(line + 1);
  const ptx::Statements statements = ptx::split_statements(assembly, constraints);
  LOCKSTEP_CHECK(statements.offset <= assembly.size(), "a statement's problem lies outside of its text");
  for (const ptx::Statement& statement : statements.list) {
    for (const std::string& name : statement.mentioned)
      LOCKSTEP_CHECK(statements.widths.contains(name), "a statement mentions a register that there is not");
  }
  const ptx::Compiled compiled = ptx::compile(assembly, constraints);
  if (!compiled.problem.empty()) {
    LOCKSTEP_CHECK(compiled.offset <= assembly.size(), "a problem lies outside of its text");
    LOCKSTEP_CHECK(!ptx::place_of(assembly, compiled.offset).empty(), "a problem has no place");
    return 0;
  }
  LOCKSTEP_CHECK(run_once(compiled.program, constraints) == run_once(compiled.program, constraints),
                 "two runs of one program differ");
  return 0;
}
