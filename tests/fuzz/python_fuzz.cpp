// Fuzzes the whole frontend: any bytes as a .py file give IR that verifies, or diagnostics that can be rendered.
// A first line `# sig: *fp32 i32 =64 ...` says, in the order of the parameters, their types or (=) constant values;
// parameters beyond it are *fp32, constexpr parameters 16. The file is real (in shared memory), because imports are
// followed from it.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "frontend/compile.h"
#include "python_syntax/parser.h"
#include "support/check.h"

namespace {

constexpr std::size_t kMaxKernels = 3;

const std::string& scratch_path() {
  static const std::string path = [] {
    std::string folder = "/dev/shm/lockstep-fuzz-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
      std::abort();
    }
    return folder + "/input.py";
  }();
  return path;
}

std::vector<std::string> signature_of(const std::string& text) {
  std::vector<std::string> words;
  if (text.rfind("# sig: ", 0) == 0) {
    std::istringstream line(text.substr(7, text.find('\n') == std::string::npos ? text.size() : text.find('\n') - 7));
    for (std::string word; words.size() < 64 && line >> word;) {
      words.push_back(word);
    }
  }
  return words;
}

lockstep::ConstantValue constant_of(const std::string& text) {
  using lockstep::ConstantValue;
  if (text == "none") {
    return ConstantValue::of_none();
  }
  if (text == "true" || text == "false") {
    return ConstantValue::of_bool(text == "true");
  }
  return text.find('.') == std::string::npos ? ConstantValue::of_integer(std::strtoll(text.c_str(), nullptr, 0))
                                             : ConstantValue::of_float(std::strtod(text.c_str(), nullptr));
}

void compile(const lockstep::frontend::KernelInfo& kernel, const std::vector<std::string>& signature) {
  lockstep::frontend::CompileRequest request;
  request.path = scratch_path();
  request.kernel = kernel.name;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    auto& specialisation = request.parameters[kernel.parameters[i].name];
    const std::string word = i < signature.size() ? signature[i] : kernel.parameters[i].is_constexpr ? "=16" : "*fp32";
    if (word.rfind('=', 0) == 0) {
      specialisation.constant = constant_of(word.substr(1));
    } else {
      specialisation.type = word;
    }
  }
  lockstep::DiagnosticSink sink;
  const auto module = lockstep::frontend::compile_kernel(lockstep::dialects::registry(), request, lockstep::frontend::Stage::ttir, sink);
  LOCKSTEP_CHECK(module.has_value() || sink.has_errors(), "no module and no reason");
  (void)lockstep::render_text(sink);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  {
    lockstep::DiagnosticSink sink;
    const auto file = std::make_shared<const lockstep::SourceFile>("input.py", text);
    (void)lockstep::python_syntax::parse_python(file, sink);
    (void)lockstep::render_text(sink);
  }
  std::ofstream(scratch_path(), std::ios::binary) << text;
  lockstep::DiagnosticSink sink;
  const auto kernels = lockstep::frontend::list_kernels(scratch_path(), sink);
  LOCKSTEP_CHECK(kernels.has_value() || sink.has_errors(), "no kernels and no reason");
  for (std::size_t i = 0; kernels && i < kernels->size() && i < kMaxKernels; ++i) {
    compile((*kernels)[i], signature_of(text));
  }
  return 0;
}
