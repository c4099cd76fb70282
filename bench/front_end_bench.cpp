// Times the front end on the text of a file, in this process: source text to raw IR, and to TTIR after the passes.
// Prints the median and the tenth and ninetieth percentile of N compiles in milliseconds of processor time.
//   lockstep_front_end_bench FILE.py [N]     the file's comments `# sig:` and `# constants:` say what `kernel` gets
// Not an installed program and not a stable interface.
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "frontend/compile.h"

namespace {

namespace frontend = lockstep::frontend;

ConstantValue constant_of(const std::string& text) {
  if (text == "True" || text == "False") return ConstantValue::of_bool(text == "True");
  if (text.find('.') != std::string::npos) return ConstantValue::of_float(std::strtod(text.c_str(), nullptr));
  return ConstantValue::of_integer(std::strtoll(text.c_str(), nullptr, 10));
}

frontend::CompileRequest read_request(const std::string& path) {
  frontend::CompileRequest request;
  request.path = path;
  request.kernel = "kernel";
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const bool is_types = line.starts_with("# sig: ");
    if (!is_types && !line.starts_with("# constants: ")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) {
      const std::size_t equal = word.find('=');
      frontend::ParameterSpecialisation& parameter = request.parameters[word.substr(0, equal)];
      if (is_types)
        parameter.type = word.substr(equal + 1);
      else
        parameter.constant = constant_of(word.substr(equal + 1));
    }
  }
  return request;
}

/// Of this thread, which does all the work: what other processes do does not count.
double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

bool time_stage(const frontend::CompileRequest& request, frontend::Stage stage, std::string_view name, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    lockstep::DiagnosticSink sink;
    const double begin = cpu_milliseconds();
    const auto module = frontend::compile_kernel(dialects::registry(), request, stage, sink);
    times.push_back(cpu_milliseconds() - begin);
    if (!module) {
      std::cerr << lockstep::render_text(sink);
      return false;
    }
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[static_cast<std::size_t>(part * static_cast<double>(count - 1))]; };
  std::cout << name << ": median " << at(0.5) << " ms, 10 % " << at(0.1) << ", 90 % " << at(0.9) << " (" << count
            << " compiles)\n";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: lockstep_front_end_bench FILE.py [COUNT]\n";
    return 2;
  }
  const int count = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 200;
  const frontend::CompileRequest request = read_request(argv[1]);
  const bool fine = time_stage(request, frontend::Stage::raw, "raw IR", count) &&
                    time_stage(request, frontend::Stage::ttir, "TTIR", count);
  return fine ? 0 : 1;
}
