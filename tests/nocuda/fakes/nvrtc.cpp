// A libnvrtc for tests: "compiles" anything to a line that says what it was asked for. FAKE_NVRTC_VERSION (13.0) is its
// version, FAKE_NVRTC_LOG a file that gets a line for every compilation, FAKE_NVRTC what goes wrong.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "backend_cuda/device/declarations.h"

namespace {

using namespace lockstep::backend_cuda::cuda;

struct Unit {
  std::string name, code, log;
};
Unit& unit_of(Program program) { return *reinterpret_cast<Unit*>(program); }
std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}
Result give(const std::string& text, char* to) { return std::memcpy(to, text.data(), text.size()), kSuccess; }

}  // namespace

extern "C" {

Result nvrtcVersion(int* major, int* minor) {
  if (variable("FAKE_NVRTC", "") == "mute") return 1;
  return std::sscanf(variable("FAKE_NVRTC_VERSION", "13.0").c_str(), "%d.%d", major, minor) == 2 ? kSuccess : 1;
}
const char* nvrtcGetErrorString(Result) { return "NVRTC_ERROR_COMPILATION"; }
Result nvrtcCreateProgram(Program* program, const char*, const char* name, int, const char* const*,
                          const char* const*) {
  *program = reinterpret_cast<Program>(new Unit{name, "", ""});
  return kSuccess;
}
Result nvrtcCompileProgram(Program program, int count, const char* const* options) {
  Unit& unit = unit_of(program);
  unit.code =
      "\x7f"
      "ELF made by a fake " +
      variable("FAKE_NVRTC_VERSION", "13.0") + " of " + unit.name;
  for (int i = 0; i < count; ++i) unit.code += std::string(" ") + options[i];
  if (std::FILE* log = std::fopen(variable("FAKE_NVRTC_LOG", "/dev/null").c_str(), "a")) {
    std::fprintf(log, "%s\n", unit.name.c_str());
    std::fclose(log);
  }
  if (variable("FAKE_NVRTC", "") == "empty") unit.code.clear();
  if (variable("FAKE_NVRTC", "") != "refuse") return kSuccess;
  unit.log = unit.name + "(1): error: the fake does not like it";
  return 6;
}
Result nvrtcDestroyProgram(Program* program) { return delete &unit_of(*program), kSuccess; }
Result nvrtcGetProgramLogSize(Program program, std::size_t* size) {
  return *size = unit_of(program).log.size() + 1, kSuccess;
}
Result nvrtcGetProgramLog(Program program, char* text) { return give(unit_of(program).log + '\0', text); }
Result nvrtcGetCUBINSize(Program program, std::size_t* size) { return *size = unit_of(program).code.size(), kSuccess; }
Result nvrtcGetCUBIN(Program program, char* text) { return give(unit_of(program).code, text); }
Result nvrtcGetPTXSize(Program program, std::size_t* size) {
  return *size = unit_of(program).code.size() + 1, kSuccess;
}
Result nvrtcGetPTX(Program program, char* text) { return give(unit_of(program).code + '\0', text); }

}  // extern "C"
