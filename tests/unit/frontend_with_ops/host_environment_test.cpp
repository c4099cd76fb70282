// What modules ask about the machine, and the plain Python they run while they are imported. Expected texts are
// CPython's.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "dialects/registry.h"
#include "frontend/compile.h"

namespace lockstep::frontend {
namespace {

/// What `kernel` prints with tl.static_print when it is compiled for `target`; the diagnostics if it is refused.
std::string printed_by(const std::string& text, const std::string& target = "sm_90") {
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("lockstep_host_environment_" + std::to_string(getpid()) + ".py");
  std::ofstream(path) << "import functools, importlib, operator, os, platform, sys\nimport torch\nimport triton\n"
                         "import triton.language as tl\nfrom packaging import version as pv\n"
                      << text;
  std::string printed;
  CompileRequest request;
  request.path = path.string();
  request.kernel = "kernel";
  request.target = target;
  request.parameters["x"].type = "*fp32";
  request.print = [&](std::string_view part) { printed += part; };
  DiagnosticSink sink;
  const bool fine = compile_kernel(dialects::registry(), request, Stage::raw, sink).has_value();
  return fine ? printed : render_text(sink);
}

std::string value_of(const std::string& expression, const std::string& before = "",
                     const std::string& target = "sm_90") {
  return printed_by(
      before + "\nVALUE = tl.constexpr(" + expression + ")\n@triton.jit\ndef kernel(x):\n    tl.static_print(VALUE)\n",
      target);
}

TEST(HostEnvironment, ModulesSeeTheGpuThatIsCompiledFor) {
  EXPECT_EQ(value_of("torch.cuda.get_device_capability()[0]", "", "sm_80"), "8\n");
  EXPECT_EQ(value_of("torch.cuda.get_device_capability(0)[0] in (10, 12)", "", "sm_100"), "True\n");
  EXPECT_EQ(value_of("torch.cuda.get_device_capability() >= (9, 0)"), "True\n");
  EXPECT_EQ(value_of("'NVIDIA H' in torch.cuda.get_device_name(0)"), "True\n");
  EXPECT_EQ(value_of("triton.runtime.driver.active.get_current_target().backend"), "cuda\n");
  EXPECT_EQ(value_of("triton.runtime.driver.active.get_current_target().arch", "", "sm_89"), "89\n");
  EXPECT_EQ(value_of("torch.version.hip is None"), "True\n");
  EXPECT_EQ(value_of("hasattr(torch, 'npu')"), "False\n");
  EXPECT_EQ(value_of("torch.xpu.is_available()"), "False\n");
  EXPECT_EQ(value_of("sys.version_info >= (3, 11)"), "True\n");
}

TEST(HostEnvironment, LimitsOfTorchTypesAreKnown) {
  EXPECT_EQ(value_of("torch.iinfo(torch.int8).max + torch.iinfo(torch.uint8).min"), "127\n");
  EXPECT_EQ(value_of("torch.iinfo(torch.int64).min"), "-9223372036854775808\n");
  EXPECT_EQ(value_of("torch.finfo(torch.float16).max"), "65504.0\n");
  EXPECT_EQ(value_of("torch.finfo(torch.bfloat16).min"), "-3.3895313892515355e+38\n");
  EXPECT_EQ(value_of("torch.finfo(torch.float32).eps"), "1.1920928955078125e-07\n");
}

TEST(HostEnvironment, GlobalsThatFunctionsRebindAreUnknown) {
  const std::string text =
      "state = None\ndef set_state(v):\n    global state\n    state = v\ndef get_state():\n    return "
      "state\nset_state(3)\n";
  EXPECT_NE(value_of("get_state()", text).find("LS1303"), std::string::npos);
  EXPECT_NE(value_of("state", text).find("LS1303"), std::string::npos);
}

TEST(HostEnvironment, NoneIsAFunctionThatIsNotThere) {
  const std::string text =
      "if asked_of_the_machine():\n    @triton.jit\n    def f(v):\n        tl.static_print('there')\n"
      "else:\n    f = None\n@triton.jit\ndef kernel(x):\n    f(1)\n";
  EXPECT_EQ(printed_by(text), "there\n");
  EXPECT_EQ(value_of("has_triton()", "from torch.utils._triton import has_triton"), "True\n");
}

TEST(HostEnvironment, WhatIsNotSupportedYetIsNamed) {
  const std::string use = "@triton.jit\ndef kernel(x):\n    f(tl.load(x))\n";
  EXPECT_NE(printed_by("@tl.core.extern\ndef f(x, _semantic=None):\n    pass\n" + use).find("LS1315"),
            std::string::npos);
  const std::string aggregate = "@tl.core._aggregate\nclass f(Base):\n    a: tl.tensor\n";
  EXPECT_NE(printed_by(aggregate + use).find("LS1315"), std::string::npos);
}

TEST(HostEnvironment, ShimsFallBackToTheKnownModule) {
  const std::string text =
      "try:\n    shim = find_backend('extra')\nexcept ImportError:\n    try:\n        shim = "
      "triton.language.extra.libdevice\n"
      "    except AttributeError:\n        shim = triton.language.math\n"
      "f = shim.rsqrt\n@triton.jit\ndef kernel(x):\n    tl.static_print(f(tl.load(x)))\n";
  EXPECT_EQ(printed_by(text), "fp32[]\n");
}

TEST(HostEnvironment, ConstexprDecoratesFunctions) {
  EXPECT_EQ(printed_by("@tl.constexpr\ndef plain(o):\n    return o.value if isinstance(o, tl.constexpr) else o\n"
                       "@tl.constexpr\ndef wide(bits: tl.constexpr, sign):\n    bits = plain(bits)\n"
                       "    return tl.core.get_int_dtype(bits * 2, sign)\n"
                       "@triton.jit\ndef kernel(x):\n    t = wide(x.dtype.element_ty.primitive_bitwidth, False)\n"
                       "    tl.static_print(t)\n"),
            "uint64\n");
}

TEST(HostEnvironment, ChoosesTheFunctionThatTheGpuNeeds) {
  const std::string text =
      "IS_NEW = torch.cuda.get_device_capability()[0] >= 9\n"
      "if IS_NEW:\n    @triton.jit\n    def f(v):\n        tl.static_print('new')\n"
      "else:\n    @triton.jit\n    def f(v):\n        tl.static_print('old')\n"
      "@triton.jit\ndef kernel(x):\n    f(1)\n";
  EXPECT_EQ(printed_by(text, "sm_90"), "new\n");
  EXPECT_EQ(printed_by(text, "sm_80"), "old\n");
}

TEST(HostEnvironment, VersionsCompareByTheirNumbers) {
  EXPECT_EQ(value_of("pv.parse(triton.__version__) >= pv.parse('3.6')"), "True\n");
  EXPECT_EQ(value_of("pv.Version('2.10.0') > pv.Version('2.9.1')"), "True\n");
  EXPECT_EQ(value_of("pv.Version('3.0.0') == pv.Version('3')"), "True\n");
  EXPECT_EQ(value_of("compare('triton', operator.ge, '3.0.0')",
                     "def compare(package, op, target):\n    try:\n        found = importlib.import_module(package)\n"
                     "    except ImportError:\n        return False\n"
                     "    return op(pv.Version(found.__version__), pv.Version(target))\n"),
            "True\n");
  EXPECT_NE(value_of("pv.Version('3.0rc1') > pv.Version('2')").find("LS1303"), std::string::npos);
}

TEST(HostEnvironment, PlainFunctionsRunAtModuleLevel) {
  EXPECT_EQ(value_of("text(3)",
                     "def text(n):\n    out = ''\n    for i in range(n):\n"
                     "        out += 'mov ${to}, ${of};'.format(to=i, of=i + n) + '\\n'\n"
                     "    return ' '.join(out.split('\\n'))\n"),
            "mov $0, $3; mov $1, $4; mov $2, $5; \n");
  EXPECT_EQ(value_of("','.join('=r' for i in range(2)) + ',' + ','.join([str(i) for i in range(5) if i % 2])"),
            "=r,=r,1,3\n");
  EXPECT_EQ(value_of("twice(4)", "@functools.lru_cache(maxsize=1)\ndef twice(n):\n    return n * 2\n"), "8\n");
  EXPECT_EQ(value_of("found()",
                     "def found():\n    try:\n        from no_such_module import answer\n        return answer()\n"
                     "    except Exception:\n        return 'none'\n"),
            "none\n");
  EXPECT_NE(value_of("made()", "@decorated\ndef made():\n    return 1\n").find("LS1303"), std::string::npos);
  EXPECT_NE(value_of("endless()", "def endless():\n    while True:\n        pass\n").find("LS1303"), std::string::npos);
  EXPECT_NE(value_of("again(1)", "def again(n):\n    return again(n + 1)\n").find("LS1303"), std::string::npos);
}

TEST(HostEnvironment, StringMethodsAreThoseOfPython) {
  EXPECT_NE(value_of("'{}-{1}'.format(1, 2)").find("LS1303"), std::string::npos);
  EXPECT_EQ(value_of("'{0}-{1}-{{x}}'.format(1, 2)"), "1-2-{x}\n");
  EXPECT_EQ(value_of("' a b  c '.split()[2] + 'a,b'.split(',')[1] + ' x '.strip() + 'xxy'.lstrip('x')"), "cbxy\n");
  EXPECT_EQ(value_of("'sm_90a'.startswith(('sm_', 'gfx')) and 'aB'.upper() == 'AB' and 'aB'.lower() == 'ab'"),
            "True\n");
  EXPECT_EQ(value_of("'aXbX'.replace('X', '--')"), "a--b--\n");
  EXPECT_NE(value_of("'{:>8}'.format(1)").find("LS1303"), std::string::npos);
  EXPECT_NE(value_of("'{'.format(1)").find("LS1303"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::frontend
