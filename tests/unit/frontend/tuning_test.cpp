// @triton.autotune and @triton.heuristics, and the Python that makes their configurations.
#include <gtest/gtest.h>

#include "frontend/compile.h"

namespace lockstep::frontend {
namespace {

constexpr const char* kImports = "import itertools, math\nimport torch\nimport triton\nimport triton.language as tl\n";
constexpr const char* kKernel =
    "@triton.jit\ndef kernel(x, n, BLOCK: tl.constexpr, FLAG: tl.constexpr, other=None):\n    pass\n";

TuningRequest tuning_for(const std::string& decorators) {
  TuningRequest request;
  request.path = "kernel.py";
  request.source = kImports + decorators + kKernel;
  request.kernel = "kernel";
  request.arguments["x"].type = "*fp16";
  request.arguments["n"].type = "i32";
  return request;
}

std::string text_of(const ConstantValue& value) {
  using Kind = ConstantValue::Kind;
  if (value.kind == Kind::none) return "None";
  if (value.kind == Kind::boolean) return value.integer != 0 ? "True" : "False";
  return value.kind == Kind::integer ? std::to_string(value.integer) : value.text;
}

std::string tuned(const TuningRequest& request) {
  DiagnosticSink sink;
  const auto tuning = tune(request, sink);
  if (!tuning) return render_text(sink);
  std::string text;
  for (const auto& [name, value] : tuning->constants) text += name + "=" + text_of(value) + " ";
  if (tuning->num_warps) text += "warps=" + std::to_string(*tuning->num_warps) + " ";
  if (tuning->num_stages) text += "stages=" + std::to_string(*tuning->num_stages) + " ";
  return text;
}

std::string tuned(const std::string& decorators) { return tuned(tuning_for(decorators)); }

std::string configs(const std::string& expression, const std::string& before = "") {
  const std::string head = before + "\n@triton.autotune(configs=" + expression + ", key=['n'])\n";
  DiagnosticSink sink;
  const auto tuning = describe_tuning(tuning_for(head), sink);
  std::string text = tuning ? tuning->unknown : render_text(sink);
  for (const KernelConfig& config : tuning->configs) {
    for (const auto& [name, value] : config.values) text += name + value + ",";
    text += std::to_string(config.num_warps) + "," + std::to_string(config.num_stages) + " ";
  }
  return text;
}

TEST(Tuning, TheFirstConfigurationFillsInWhatIsNotGiven) {
  const std::string two =
      "@triton.autotune([triton.Config({'BLOCK': 64}, num_warps=2), triton.Config({'BLOCK': 128}, 8, 5)], key=[])\n";
  EXPECT_EQ(tuned(two), "BLOCK=64 warps=2 stages=3 ");
  TuningRequest request = tuning_for(two);
  request.config = 1;
  EXPECT_EQ(tuned(request), "BLOCK=128 warps=8 stages=5 ");
  request.arguments["BLOCK"].value = ConstantValue::of_integer(32);
  EXPECT_EQ(tuned(request), "warps=8 stages=5 ");
  request.config.reset();
  EXPECT_EQ(tuned(request), "");
  request.config = 2;
  EXPECT_NE(tuned(request).find("kernel has no configuration 2: there are 2, counted from 0 [LS1319]"),
            std::string::npos);
}

TEST(Tuning, ConfigurationsAreMadeByPython) {
  EXPECT_EQ(configs("[triton.Config({'BLOCK': b}, num_warps=w) for b in [32, 64] for w in (1, 2) if b > 32 or w == 1]"),
            "BLOCK32,1,3 BLOCK64,1,3 BLOCK64,2,3 ");
  EXPECT_EQ(configs("made()",
                    "def made():\n    c = []\n    for b in (1, 2):\n        c.append(triton.Config({'B': b}))\n"
                    "    return c\n"),
            "B1,4,3 B2,4,3 ");
  EXPECT_EQ(configs("C",
                    "C = []\nfor b, w in zip([1, 2], [4, 8]):\n    C.append(triton.Config(dict(B=b), num_warps=w))\n"
                    "C += [triton.Config({}, num_stages=1)]"),
            "B1,4,3 B2,8,3 4,1 ");
  EXPECT_EQ(configs("[triton.Config({'A': a, **E}, **K) for a, _ in itertools.product([1], [2])]",
                    "E = {'B': 2}\nK = {'num_warps': 1}\nE['C'] = 3"),
            "A1,B2,C3,1,3 ");
  EXPECT_EQ(configs("list(filter(keep, [triton.Config({'B': b}) for b in [16, 32, 64]]))",
                    "def keep(c):\n    return c.kwargs['B'] >= 32 and c.num_warps == 4\n"),
            "B32,4,3 B64,4,3 ");
  EXPECT_EQ(configs("[triton.Config({'B': 1}, pre_hook=lambda nargs: nargs['x'].zero_())]"), "B1,4,3 ");
  EXPECT_EQ(configs("thing.configs()", "from elsewhere import thing"),
            "a value that depends on the module 'elsewhere', which is not on the search path or lacks it");
}

TEST(Tuning, ContainersThatTwoNamesHoldAreUnknownOnceChanged) {
  EXPECT_EQ(configs("C", "C = D = [triton.Config({})]\nD.append(triton.Config({}))"),
            "a container that is changed through another name");
  EXPECT_EQ(configs("C", "C = []\nif thing:\n    C.append(triton.Config({}))\n"),
            "set under a condition that is only known when Python runs");
  EXPECT_EQ(configs("C['a']", "C = {'a': []}\nC['a'].append(triton.Config({}))"),
            "a container that is changed in a way not known");
}

TEST(Tuning, HeuristicsSeeTheArguments) {
  EXPECT_EQ(tuned("@triton.heuristics({'BLOCK': lambda args: 16, 'FLAG': lambda args: args['x'] is not None})\n"),
            "BLOCK=16 FLAG=True ");
  EXPECT_EQ(tuned("@triton.heuristics({'FLAG': lambda a: isinstance(a['x'], torch.Tensor) and a['n'] is None})\n"),
            "FLAG=False ");
  EXPECT_EQ(
      tuned("@triton.heuristics({'FLAG': lambda a: a['x'].dtype == torch.float16 and a['x'].element_size() < 4})\n"),
      "FLAG=True ");
  TuningRequest request = tuning_for(
      "@triton.heuristics(values={'BLOCK': lambda args: triton.next_power_of_2(args['n']), "
      "'FLAG': lambda args: args['n'] % args['BLOCK'] == 0 and args['x'].numel() == 6 * args['x'].stride(0),\n"
      "'num_warps': lambda args: 2 if args['BLOCK'] > 64 else 1})\n");
  request.arguments["n"].value = ConstantValue::of_integer(100);
  request.arguments["x"].shape = {2, 3};
  request.arguments["x"].strides = {1, 1};
  EXPECT_EQ(tuned(request), "BLOCK=128 FLAG=False warps=2 ");
  request.arguments["BLOCK"].value = ConstantValue::of_integer(50);
  EXPECT_EQ(tuned(request), "FLAG=True warps=1 ");
}

TEST(Tuning, TheOuterDecoratorComesFirst) {
  const std::string heuristics = "@triton.heuristics({'FLAG': lambda args: args['BLOCK'] >= 64})\n";
  const std::string autotune = "@triton.autotune(configs=[triton.Config({'BLOCK': 64})], key=[])\n";
  EXPECT_EQ(tuned(autotune + heuristics), "BLOCK=64 FLAG=True warps=4 stages=3 ");
  EXPECT_NE(tuned(heuristics + autotune).find("KeyError: 'BLOCK'"), std::string::npos);
}

TEST(Tuning, WhatALambdaCannotKnowIsNamed) {
  EXPECT_EQ(tuned("@triton.heuristics({'BLOCK': lambda args: args['n'] * 2})\n"),
            "kernel.py:5:43: error: the value that heuristics give 'BLOCK' is made of an argument that is given by its "
            "type alone [LS1319]\n"
            "   5 | @triton.heuristics({'BLOCK': lambda args: args['n'] * 2})\n"
            "     |                                           ^~~~~~~~~~~~~\n"
            "hint: give BLOCK=VALUE\n");
  // Equality with a value that is not known is not known, and no answer.
  EXPECT_NE(tuned("@triton.heuristics({'FLAG': lambda args: args['n'] == 1})\n").find("LS1319"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::frontend
