// The PTX subset: what is accepted and refused, and what instructions give, with numbers worked out by hand from the
// PTX ISA's text.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/parser.h"
#include "interpreter/ptx/special.h"

namespace lockstep::interpreter::ptx {
namespace {

using Bits = std::uint64_t;

Compiled compiled(const std::string& assembly, const std::string& constraints) {
  const Constraints read = parse_constraints(constraints);
  EXPECT_EQ(read.problem, "") << constraints;
  return compile(assembly, read);
}

/// Registers of all operands after one lane ran with these inputs (values of $0, $1, ...).
std::vector<Bits> ran(const std::string& assembly, const std::string& constraints, const std::vector<Bits>& values) {
  const Compiled made = compiled(assembly, constraints);
  EXPECT_EQ(made.problem, "") << assembly;
  if (!made.problem.empty()) return std::vector<Bits>(16);
  std::vector<Bits> memory(std::size_t{made.program.register_count} * kStrip);
  Environment environment;
  environment.program_id = {3, 4, 5};
  environment.program_number = 135;
  State state{reinterpret_cast<Lanes*>(memory.data()), 1, &environment};
  for (const Immediate& immediate : made.program.immediates) state.registers[immediate.index][0] = immediate.bits;
  for (std::size_t i = 0; i < values.size(); ++i) state.registers[made.program.operands[i]][0] = values[i];
  run(made.program, state);
  std::vector<Bits> result;
  for (const std::uint16_t index : made.program.operands) result.push_back(state.registers[index][0]);
  return result;
}

/// $0 of an instruction with one output and inputs of the same class.
Bits one(const std::string& instruction, const std::string& letter, const std::vector<Bits>& inputs,
         const std::string& out = "") {
  std::string constraints = "=" + (out.empty() ? letter : out);
  std::vector<Bits> values{0};
  for (const Bits input : inputs) {
    constraints += "," + letter;
    values.push_back(input);
  }
  return ran(instruction, constraints, values)[0];
}

Bits f(float value) { return std::bit_cast<std::uint32_t>(value); }
Bits d(double value) { return std::bit_cast<Bits>(value); }

TEST(Ptx, TheNanOfF64IsTheFirstOperandsElseTheNegativeDefault) {
  constexpr Bits kSecond = 0xfff8000000000002, kThird = 0x7ff8000000000003, kInfinity = 0x7ff0000000000000;
  EXPECT_EQ(one("add.f64 $0, $1, $2;", "d", {kSecond, kThird}), kSecond);
  EXPECT_EQ(one("mul.f64 $0, $1, $2;", "d", {kThird, kSecond}), kThird);
  EXPECT_EQ(one("add.f64 $0, $1, $2;", "d", {kSecond, kInfinity | 1}), kSecond);
  EXPECT_EQ(one("sub.f64 $0, $1, $2;", "d", {kInfinity, kInfinity}), 0xfff8000000000000u);
  EXPECT_EQ(one("fma.rn.f64 $0, $1, $2, $3;", "d", {d(1), kThird, kSecond}), kThird);
  EXPECT_EQ(one("sqrt.rn.f64 $0, $1;", "d", {d(-1)}), 0xfff8000000000000u);
}

TEST(Ptx, IntegerArithmeticWraps) {
  EXPECT_EQ(one("add.s32 $0, $1, $2;", "r", {0x7fffffff, 1}), 0x80000000u);
  EXPECT_EQ(one("add.sat.s32 $0, $1, $2;", "r", {0x7fffffff, 1}), 0x7fffffffu);
  EXPECT_EQ(one("sub.u16 $0, $1, 2;", "h", {1}), 0xffffu);
  EXPECT_EQ(one("mul.hi.u32 $0, $1, $2;", "r", {0xffffffff, 0xffffffff}), 0xfffffffeu);
  EXPECT_EQ(one("mul.hi.s64 $0, $1, $2;", "l", {~Bits{0}, 5}), ~Bits{0});
  EXPECT_EQ(one("mul.wide.s32 $0, $1, $2;", "r", {0xffffffff, 7}, "l"), static_cast<Bits>(-7));
  EXPECT_EQ(one("mad.lo.u32 $0, $1, 2, 0x00800080;", "r", {0x3f003f00}), 0x7e807e80u);
  EXPECT_EQ(one("div.s32 $0, $1, $2;", "r", {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(one("rem.u32 $0, $1, 0;", "r", {17}), 17u);
  EXPECT_EQ(one("abs.s16 $0, $1;", "h", {0x8000}), 0x8000u);
  EXPECT_EQ(one("sad.s32 $0, $1, $2, 5;", "r", {3, 0xfffffffe}), 10u);
  EXPECT_EQ(one("mul24.lo.s32 $0, $1, $2;", "r", {0x00ffffff, 3}), 0xfffffffdu);
  EXPECT_EQ(one("dp4a.s32.u32 $0, $1, $2, 1;", "r", {0xff020301, 0x02030405}), 1u + 5 + 12 + 6 - 2);
  EXPECT_EQ(one("dp2a.lo.s32.s32 $0, $1, $2, 0;", "r", {0x0002fffe, 0x00000503}), static_cast<std::uint32_t>(10 - 6));
  EXPECT_EQ(one("min.s16x2 $0, $1, $2;", "r", {0x0001ffff, 0x00000000}), 0x0000ffffu);
}

TEST(Ptx, CarryPassesBetweenInstructions) {
  const auto result = ran("add.cc.u32 $0, $2, $3; addc.u32 $1, $4, $5;", "=r,=r,r,r,r,r", {0, 0, 0xffffffff, 1, 7, 8});
  EXPECT_EQ(result[0], 0u);
  EXPECT_EQ(result[1], 16u);
  EXPECT_EQ(ran("sub.cc.u32 $0, $2, 1; subc.u32 $1, $2, 0;", "=r,=r,r", {0, 0, 0})[1], 0xffffffffu);
}

TEST(Ptx, ShiftsClampAtTheWidth) {
  EXPECT_EQ(one("shl.b32 $0, $1, 32;", "r", {1}), 0u);
  EXPECT_EQ(one("shl.b32 $0, $1, $2;", "r", {1, 31}), 0x80000000u);
  EXPECT_EQ(one("shr.s32 $0, $1, $2;", "r", {0x80000000, 99}), 0xffffffffu);
  EXPECT_EQ(one("shr.u32 $0, $1, $2;", "r", {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(one("shf.l.wrap.b32 $0, $1, $2, 33;", "r", {0x80000001, 0x00000002}), 0x00000005u);
  EXPECT_EQ(one("shf.r.clamp.b32 $0, $1, $2, 40;", "r", {0x80000001, 0x00000002}), 0x00000002u);
}

TEST(Ptx, BitFields) {
  EXPECT_EQ(one("lop3.b32 $0, $1, $2, $3, 0xea;", "r", {0xf0, 0xcc, 0xaa}), (0xf0u & 0xcc) | 0xaa);
  EXPECT_EQ(one("prmt.b32 $0, $1, $2, 0x7531;", "r", {0x44332211, 0x88776655}), 0x88664422u);
  EXPECT_EQ(one("prmt.b32 $0, $1, 0, 0xba98;", "r", {0x80017fff}), 0xff0000ffu);
  EXPECT_EQ(one("prmt.b32.f4e $0, $1, $2, 1;", "r", {0x44332211, 0x88776655}), 0x55443322u);
  EXPECT_EQ(one("bfe.s32 $0, $1, 4, 4;", "r", {0x80}), 0xfffffff8u);
  EXPECT_EQ(one("bfe.u32 $0, $1, 28, 8;", "r", {0xf1234567}), 0xfu);
  EXPECT_EQ(one("bfe.s32 $0, $1, 28, 8;", "r", {0xf1234567}), 0xffffffffu);
  EXPECT_EQ(one("bfi.b32 $0, $1, $2, 8, 4;", "r", {0xff, 0}), 0xf00u);
  EXPECT_EQ(one("bfind.u32 $0, $1;", "r", {0}), 0xffffffffu);
  EXPECT_EQ(one("bfind.shiftamt.s32 $0, $1;", "r", {0xffffff00}), 24u);
  EXPECT_EQ(one("brev.b32 $0, $1;", "r", {1}), 0x80000000u);
  EXPECT_EQ(one("clz.b64 $0, $1;", "l", {1}, "r"), 63u);
  EXPECT_EQ(one("popc.b32 $0, $1;", "r", {0xffffffff}), 32u);
  EXPECT_EQ(one("bmsk.clamp.b32 $0, $1, 8;", "r", {28}), 0xf0000000u);
  EXPECT_EQ(one("cnot.b32 $0, $1;", "r", {0}), 1u);
}

TEST(Ptx, FloatRoundingAndFlush) {
  EXPECT_EQ(one("add.rz.f32 $0, $1, $2;", "f", {f(1), f(0x1.8p-24f)}), f(1));
  EXPECT_EQ(one("add.f32 $0, $1, $2;", "f", {f(1), f(0x1.8p-24f)}), f(0x1.000002p0f));
  EXPECT_EQ(one("add.rp.f64 $0, $1, $2;", "d", {d(1), d(0x1p-80)}), d(0x1.0000000000001p0));
  EXPECT_EQ(one("mul.ftz.f32 $0, $1, $2;", "f", {f(0x1p-126f), f(-0.5f)}), 0x80000000u);
  EXPECT_EQ(one("add.sat.f32 $0, $1, $2;", "f", {f(2), f(3)}), f(1));
  EXPECT_EQ(one("add.sat.f32 $0, $1, $2;", "f", {0x7fc00000, f(3)}), 0u);
  EXPECT_EQ(one("add.f32 $0, $1, $2;", "f", {0x7fc12345, f(3)}), 0x7fffffffu);
  EXPECT_EQ(one("min.f32 $0, $1, $2;", "f", {0x7fc00000, f(3)}), f(3));
  EXPECT_EQ(one("min.NaN.f32 $0, $1, $2;", "f", {0x7fc00000, f(3)}), 0x7fffffffu);
  EXPECT_EQ(one("max.f32 $0, $1, $2;", "f", {0x80000000, 0}), 0u);
  EXPECT_EQ(one("min.xorsign.abs.f32 $0, $1, $2;", "f", {f(-3), f(2)}), f(-2));
  EXPECT_EQ(one("max.f32 $0, $1, $2, $3;", "f", {f(1), 0x7fc00000, f(3)}), f(3));
  EXPECT_EQ(one("rcp.approx.ftz.f32 $0, $1;", "f", {f(4)}), f(0.25f));
  EXPECT_EQ(one("div.approx.f32 $0, $1, $2;", "f", {f(0x1p127f), f(0x1.8p126f)}), 0u);
  EXPECT_EQ(one("fma.rn.f32 $0, $1, $2, $3;", "f", {f(0x1.001p0f), f(0x1.001p0f), f(-1)}), f(0x1.0008p-11f));
  EXPECT_EQ(one("copysign.f32 $0, $1, $2;", "f", {f(-1), f(3)}), f(-3));
  EXPECT_EQ(one("ex2.approx.f32 $0, $1;", "f", {f(3)}), f(8));
}

TEST(Ptx, SmallFloats) {
  EXPECT_EQ(one("add.f16x2 $0, $1, $2;", "r", {0x3c003c00, 0x40003c00}), 0x42004000u);
  EXPECT_EQ(one("mul.bf16 $0, $1, $2;", "h", {0x3fc0, 0x4000}), 0x4040u);
  EXPECT_EQ(one("fma.rn.f16 $0, $1, $2, $3;", "h", {0x3c20, 0x3c20, 0xbc00}), 0x2c10u);
  // The sum lies just above the middle of two bf16 numbers, by less than an f64 can tell.
  EXPECT_EQ(one("fma.rn.bf16 $0, $1, $2, $3;", "h", {0x3f80, 0x3f80, 0x0001}), 0x3f80u);
  EXPECT_EQ(one("fma.rn.bf16 $0, $1, $2, $3;", "h", {0x3f81, 0x3f9d, 0x0001}),
            one("fma.rn.bf16 $0, $1, $2, $3;", "h", {0x3f81, 0x3f9d, 0x2000}));
  EXPECT_EQ(one("fma.rn.relu.f16x2 $0, $1, $2, $3;", "r", {0x3c00bc00, 0x3c003c00, 0}), 0x3c000000u);
  EXPECT_EQ(one("neg.bf16x2 $0, $1;", "r", {0x80007fff}), 0x0000ffffu);
  EXPECT_EQ(one("max.f16x2 $0, $1, $2;", "r", {0x7e003c00, 0x3c004000}), 0x3c004000u);
}

TEST(Ptx, Conversions) {
  EXPECT_EQ(one("cvt.rzi.s32.f32 $0, $1;", "f", {f(-1.9f)}, "r"), 0xffffffffu);
  EXPECT_EQ(one("cvt.rni.s32.f32 $0, $1;", "f", {f(2.5f)}, "r"), 2u);
  EXPECT_EQ(one("cvt.rzi.u32.f32 $0, $1;", "f", {f(-3)}, "r"), 0u);
  EXPECT_EQ(one("cvt.rzi.s32.f32 $0, $1;", "f", {f(1e20f)}, "r"), 0x7fffffffu);
  EXPECT_EQ(one("cvt.rzi.s32.f32 $0, $1;", "f", {0x7fc00000}, "r"), 0u);
  EXPECT_EQ(one("cvt.rzi.s64.f32 $0, $1;", "f", {0x7fc00000}, "l"), Bits{1} << 63);
  EXPECT_EQ(one("cvt.s32.s8 $0, $1;", "r", {0x180}), 0xffffff80u);
  EXPECT_EQ(one("cvt.sat.s8.s32 $0, $1;", "r", {1000}), 127u);
  EXPECT_EQ(one("cvt.sat.u8.s32 $0, $1;", "r", {0xffffffff}), 0u);
  EXPECT_EQ(one("cvt.rn.f32.u64 $0, $1;", "l", {0x8000008000000001}, "f"), f(0x1.000002p63f));
  EXPECT_EQ(one("cvt.rna.tf32.f32 $0, $1;", "r", {0x3f801000}), 0x3f802000u);
  EXPECT_EQ(one("cvt.rz.bf16.f32 $0, $1;", "f", {0x3f80ffff}, "h"), 0x3f80u);
  EXPECT_EQ(one("cvt.rn.f16x2.f32 $0, $1, $2;", "f", {f(2), f(1)}, "r"), 0x40003c00u);
  EXPECT_EQ(one("cvt.rn.relu.bf16x2.f32 $0, $1, $2;", "f", {f(-2), f(1)}, "r"), 0x00003f80u);
  EXPECT_EQ(one("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", "f", {f(1000), f(-1)}, "h"), 0x7eb8u);
  EXPECT_EQ(one("cvt.rn.satfinite.e5m2x2.f16x2 $0, $1;", "r", {0x7e003c00}, "h"), 0x7f3cu);
  EXPECT_EQ(one("cvt.rn.f16x2.e4m3x2 $0, $1;", "h", {0x38b8}, "r"), 0x3800b800u + 0x04000400u);
  EXPECT_EQ(one("cvt.rp.satfinite.ue8m0x2.f32 $0, 0.0, $1;", "r", {f(3)}, "h"), 0x0081u);
  EXPECT_EQ(one("cvt.pack.sat.u8.s32.b32 $0, $1, $2, $3;", "r", {300, 0xffffffff, 0x1234}), 0x1234ff00u);
  EXPECT_EQ(one("cvt.rmi.f32.f32 $0, $1;", "f", {f(-0.5f)}), f(-1));
  EXPECT_EQ(one("cvt.sat.f32.f32 $0, $1;", "f", {f(-0.5f)}), 0u);
  EXPECT_EQ(
      ran("{ .reg .b8 a, b, c, d; mov.b32 {a, b, c, d}, $1; cvt.rn.f16x2.e2m1x2 $0, b; }", "=r,r", {0, 0x7900})[0],
      0x4600b800u);
}

TEST(Ptx, PredicatesAndGuards) {
  const std::string softplus = "{ .reg .pred p; setp.gt.f32 p, $1, 20.; @p mov.f32 $0, $1; @!p mul.f32 $0, $1, 0.5; }";
  EXPECT_EQ(ran(softplus, "=r,r", {0, f(30)})[0], f(30));
  EXPECT_EQ(ran(softplus, "=r,r", {0, f(10)})[0], f(5));
  const std::string both =
      "{ .reg .pred p, q; setp.lt.f16x2 p|q, $2, $3; selp.b32 $0, 1, 2, p; selp.b32 $1, 1, 2, q; }";
  const auto picked = ran(both, "=r,=r,r,r", {0, 0, 0x3c004000, 0x40003c00});
  EXPECT_EQ(picked[0], 2u);
  EXPECT_EQ(picked[1], 1u);
  EXPECT_EQ(one("set.ltu.u32.f32 $0, $1, $2;", "r", {0x7fc00000, f(1)}), 0xffffffffu);
  EXPECT_EQ(one("slct.s32.s32 $0, $1, $2, $3;", "r", {1, 2, 0x80000000}), 2u);
  EXPECT_EQ(ran("{.reg .pred p, q; setp.eq.s32 q, $1, 1; setp.ne.and.s32 p, $1, 0, !q; selp.u32 $0, 7, 8, p;}", "=r,r",
                {0, 2})[0],
            7u);
  EXPECT_EQ(ran("{.reg .pred p; testp.subnormal.f32 p, $1; selp.b32 $0, 1, 0, p;}", "=r,f", {0, 1})[0], 1u);
}

TEST(Ptx, VectorsMovesAndScopes) {
  EXPECT_EQ(ran("mov.b64 $0, {$1, $2};", "=l,r,r", {0, 1, 2})[0], (Bits{2} << 32) | 1);
  EXPECT_EQ(ran("mov.b64 {$0, $1}, $2;", "=r,=r,l", {0, 0, (Bits{2} << 32) | 1})[1], 2u);
  EXPECT_EQ(ran("{.reg .b16 lo; mov.b32 {lo, _}, $1; mov.b32 $0, {lo, lo};}", "=r,r", {0, 0x12345678})[0], 0x56785678u);
  EXPECT_EQ(ran(".reg .b32 t<2>; mov.b32 t0, 1; { .reg .b32 t0; mov.b32 t0, 9; } mov.b32 $0, t0;", "=r", {0})[0], 1u);
  EXPECT_EQ(ran("add.u32 $0, $0, 1; // $9\n /* x */", "=r,0", {41, 41})[0], 42u);
  EXPECT_EQ(ran(".reg .b32 %$$x; mov.b32 %$$x, 0x10; mov.b32 $0, %$$x;", "=r", {0})[0], 16u);
  EXPECT_EQ(ran("mov.f32 $0, 0f3F800000;", "=f", {0})[0], f(1));
  EXPECT_EQ(ran("mov.b32 $0, -1;", "=r", {0})[0], 0xffffffffu);
}

TEST(Ptx, SpecialRegistersAreDeterministic) {
  EXPECT_EQ(ran("mov.u32 $0, %smid;", "=r", {0})[0], 135u % kMultiprocessors);
  EXPECT_EQ(ran("mov.u32 $0, %ctaid.y;", "=r", {0})[0], 4u);
  const auto twice = ran("mov.u64 $0, %globaltimer; mov.u64 $1, %clock64;", "=l,=l", {0, 0});
  EXPECT_EQ(twice[1] - twice[0], kClockStep);
  EXPECT_EQ(ran("griddepcontrol.wait; // dummy $0", "=r", {0})[0], 0u);
}

TEST(Ptx, WordsOfElements) {
  EXPECT_EQ(one("vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;", "r", {0x01020304, 0x04030201, 100}), 100u + 3 + 1 + 1 + 3);
  EXPECT_EQ(one("vadd4.u32.u32.u32.sat $0, $1, $2, $3;", "r", {0xff010203, 0x01010101, 0}), 0xff020304u);
  EXPECT_EQ(one("vset4.u32.u32.gt $0, $1, $2, $3;", "r", {0x05000700, 0x04010600, 0}), 0x01000100u);
}

struct Refusal {
  const char* assembly;
  const char* problem;  // part of the message
  bool is_unsupported;
  std::size_t offset;
};

TEST(Ptx, RefusesByNameAndPlace) {
  const std::vector<Refusal> refusals{
      {"add.s32 $0, $1, 1; shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "'shfl.sync.bfly.b32'", true, 19},
      {"v_mov_b32_e32 $0, $1", "'v_mov_b32_e32'", true, 0},
      {"ld.global.u32 $0, [$1];", "'ld.global.u32'", true, 0},
      {"LOOP: add.s32 $0, $1, 1;", "label 'LOOP'", true, 0},
      {"mov.u32 $0, %tid.x;", "'%tid.x'", true, 12},
      {"mul.s32 $0, $1, 3;", "'mul.s32'", true, 0},
      {"add.s32 $0, $1", "expected ','", false, 14},
      {"add.s32 $0, $1, 2", "expected ';'", false, 17},
      {"add.s32 $0, x, 1;", "'x' is not declared", false, 12},
      {"add.s32 $0, $7, 1;", "'$7' is not an operand", false, 12},
      {"add.s64 $0, $1, 1;", "32 bits", false, 8},
      {"add.f32 $0, $1, 1;", "floating-point", false, 16},
      {"{ add.s32 $0, $1, 1;", "not closed", false, 20},
      {"add.s32 $0, $1, 1; }", "without '{'", false, 19},
      {".reg .b32 a, a;", "declared twice", false, 13},
      {".shared .b32 a;", "'.shared'", true, 0},
      {"add.s32.rn $0, $1, $1;", "'add.s32.rn'", true, 0},
      {"mov.b32 $0, (1 + 2);", "constant expression", true, 12},
      {"@q add.s32 $0, $1, 1;", "'q' is not declared", false, 1},
      {"mov.b32 {$0, $0}, {$1, $1};", "", false, 9},
      {"\x01\xff", "expected an instruction", false, 0},
      {"$", "expected an instruction", false, 0},
      {".reg .b32 a<4000000000>;", "registers", true, 12},
      {"mov.b16 $0, 70000;", "bits", false, 8},
  };
  for (const Refusal& refusal : refusals) {
    const Compiled made = compiled(refusal.assembly, "=r,r");
    EXPECT_NE(made.problem, "") << refusal.assembly;
    EXPECT_NE(made.problem.find(refusal.problem), std::string::npos) << refusal.assembly << " -> " << made.problem;
    EXPECT_EQ(made.is_unsupported, refusal.is_unsupported) << refusal.assembly;
    EXPECT_EQ(made.offset, refusal.offset) << refusal.assembly;
  }
}

TEST(Ptx, ConstraintsAreRead) {
  EXPECT_EQ(parse_constraints("=r, r,  ~{memory}").list.size(), 2u);
  EXPECT_EQ(parse_constraints("=&l,d,0").list[2].width, 64);
  EXPECT_NE(parse_constraints("r,=r").problem, "");
  EXPECT_NE(parse_constraints("=r,5").problem, "");
  EXPECT_TRUE(parse_constraints("=v,v").is_unsupported);
  EXPECT_NE(parse_constraints("=r,").problem, "");
}

TEST(Ptx, PlacesCountFromOne) {
  EXPECT_EQ(place_of("abc", 2), "column 3");
  EXPECT_EQ(place_of("ab\ncd", 4), "line 2, column 2");
}

TEST(Ptx, EveryRowIsComplete) {
  for (const Row& row : rows()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_NE(row.operands.find(':'), std::string_view::npos) << row.name;
    EXPECT_NE(row.select, nullptr) << row.name;
    const std::size_t colon = row.operands.find(':');
    EXPECT_LE(colon, 4u) << row.name;
    EXPECT_LE(row.operands.size() - colon, 6u) << row.name;
  }
}

}  // namespace
}  // namespace lockstep::interpreter::ptx
