// Times launches of one kernel, one for each line read: bench/compare.py sends `run` and reads the seconds, `save PATH`
// (of the argument called out) or `save NAME PATH` for a result, `report` for what the last launch counted. What is
// timed is PreparedKernel::launch with its bounds checks: compiling, planning and making the arguments are done before.
//   lockstep_launch_bench FILE.py::KERNEL --sig x=*fp32,n=i32 --attr x=16 --grid X,Y,Z --threads N NAME=VALUE...
//   lockstep_launch_bench FILE.ttir[::NAME] --sig ...   the parameters in the kernel's order, by any names
// --plan-too: planning within the clock; --reset NAME,...: those tensors get their first contents back before a launch,
// outside the clock; --tuning TEXT: as LOCKSTEP_TUNING; --storage: pointers reach whole storages, as from Python.
// Not an installed program and not a stable interface: arguments are trusted more than the lockstep command does.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "driver/arguments/arguments.h"
#include "driver/files/npy.h"
#include "frontend/compile.h"
#include "interpreter/launch/prepared.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"

namespace {

using lockstep::DiagnosticSink;

struct Words {
  std::string kernel, sig, attr, grid = "1", reset, tuning;
  unsigned threads = 0;
  bool plans_too = false, reaches_storage = false;
  std::vector<lockstep::driver::ArgumentText> arguments;
};

[[noreturn]] void stop(const std::string& message) {
  std::cerr << message << "\n";
  std::exit(2);
}

void stop_if_wrong(const DiagnosticSink& sink) {
  if (sink.has_errors()) {
    stop(lockstep::render_text(sink));
  }
}

std::map<std::string, std::string> split_pairs(const std::string& text) {
  std::map<std::string, std::string> pairs;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equal = part.find('=');
    pairs[part.substr(0, equal)] = equal == std::string::npos ? "" : part.substr(equal + 1);
  }
  return pairs;
}

Words read_words(int argc, char** argv) {
  Words words;
  DiagnosticSink sink;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) {
        stop(word + " needs a value");
      }
      return argv[++i];
    };
    if (word == "--sig") {
      words.sig = value();
    } else if (word == "--attr") {
      words.attr = value();
    } else if (word == "--grid") {
      words.grid = value();
    } else if (word == "--threads") {
      words.threads = static_cast<unsigned>(std::stoul(value()));
    } else if (word == "--reset") {
      words.reset = value();
    } else if (word == "--tuning") {
      words.tuning = value();
    } else if (word == "--plan-too") {
      words.plans_too = true;
    } else if (word == "--storage") {
      words.reaches_storage = true;
    } else if (word.find('=') == std::string::npos) {
      words.kernel = word;
    } else if (auto argument = lockstep::driver::parse_argument(word, sink)) {
      words.arguments.push_back(std::move(*argument));
    }
  }
  stop_if_wrong(sink);
  return words;
}

lockstep::ConstantValue constant_of(const lockstep::driver::ScalarValue& scalar) {
  using Kind = lockstep::driver::ScalarValue::Kind;
  switch (scalar.kind) {
    case Kind::boolean: return lockstep::ConstantValue::of_bool(scalar.integer != 0);
    case Kind::integer: return lockstep::ConstantValue::of_integer(scalar.integer);
    case Kind::floating: return lockstep::ConstantValue::of_float(scalar.floating);
    case Kind::name: {
      lockstep::ConstantValue value;
      value.kind = lockstep::ConstantValue::Kind::string;
      value.text = scalar.text;
      return value;
    }
    case Kind::none: break;
  }
  return {};
}

lockstep::ir::Module parse(const std::string& path) {
  DiagnosticSink sink;
  const auto source = lockstep::SourceFile::read(path);
  if (!source) {
    stop("cannot read " + path);
  }
  auto module = lockstep::ir::parse_module(lockstep::dialects::registry(), *source, sink);
  if (module) {
    lockstep::ir::verify(*module, sink);
  }
  stop_if_wrong(sink);
  return std::move(*module);
}

lockstep::ir::Module compile(const Words& words) {
  const std::size_t colons = words.kernel.find("::");
  if (words.kernel.substr(0, colons).ends_with(".ttir")) {
    return parse(words.kernel.substr(0, colons));
  }
  if (colons == std::string::npos) {
    stop("the kernel is FILE.py::NAME or FILE.ttir");
  }
  const auto types = split_pairs(words.sig);
  const auto divisible = split_pairs(words.attr);
  lockstep::frontend::CompileRequest request;
  request.path = words.kernel.substr(0, colons);
  request.kernel = words.kernel.substr(colons + 2);
  for (const auto& [name, type] : types) {
    request.parameters[name].type = type;
    request.parameters[name].divisibility = divisible.contains(name) ? 16 : 0;
  }
  for (const auto& argument : words.arguments) {
    if (!types.contains(argument.name)) {
      request.parameters[argument.name].constant = constant_of(std::get<lockstep::driver::ScalarValue>(argument.value));
    }
  }
  DiagnosticSink sink;
  auto module = lockstep::frontend::compile_kernel(lockstep::dialects::registry(), request, lockstep::frontend::Stage::ttir, sink);
  stop_if_wrong(sink);
  return std::move(*module);
}

std::uint64_t bits_of(const lockstep::driver::ScalarValue& scalar, const std::string& type) {
  const bool is_integer = scalar.kind != lockstep::driver::ScalarValue::Kind::floating;
  if (type == "fp32") {
    return std::bit_cast<std::uint32_t>(
        static_cast<float>(is_integer ? static_cast<double>(scalar.integer) : scalar.floating));
  }
  const auto bits = static_cast<std::uint64_t>(scalar.integer);
  return type == "i32" ? bits & 0xFFFFFFFFu : bits;
}

// The arguments in the order of the kernel's parameters that are not constants.
std::vector<lockstep::interpreter::Argument> bind_arguments(const Words& words,
                                                            const std::vector<lockstep::driver::Tensor>& tensors) {
  const auto types = split_pairs(words.sig);
  std::vector<lockstep::interpreter::Argument> bound;
  std::istringstream parts(words.sig);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::string name = part.substr(0, part.find('='));
    lockstep::interpreter::Argument argument;
    for (const auto& tensor : tensors) {
      if (tensor.name == name) {
        argument.kind = lockstep::interpreter::Argument::Kind::pointer;
        argument.view = tensor.view;
      }
    }
    for (const auto& text : words.arguments) {
      if (const auto* scalar = std::get_if<lockstep::driver::ScalarValue>(&text.value);
          scalar != nullptr && text.name == name) {
        argument.bits = bits_of(*scalar, types.at(name));
      }
    }
    bound.push_back(argument);
  }
  return bound;
}

const lockstep::ir::Op* choose(const lockstep::ir::Module& module, const Words& words) {
  const std::size_t colons = words.kernel.find("::");
  for (const lockstep::ir::Op* kernel : module.kernels()) {
    if (!words.kernel.substr(0, colons).ends_with(".ttir") || colons == std::string::npos ||
        lockstep::ir::symbol_name(*kernel) == words.kernel.substr(colons + 2)) {
      return kernel;
    }
  }
  stop("there is no such kernel");
}

class Bench {
 public:
  explicit Bench(const Words& words) : words_(words), module_(compile(words)) {
    DiagnosticSink sink;
    auto tensors = lockstep::driver::make_tensors(words.arguments, 1, std::uint64_t{64} << 30, memory_, sink);
    const auto grid = lockstep::driver::evaluate_grid(words.grid, {}, sink);
    stop_if_wrong(sink);
    tensors_ = std::move(*tensors);
    std::copy(grid->begin(), grid->end(), request_.grid.begin());
    request_.arguments = bind_arguments(words, tensors_);
    request_.memory = &memory_;
    request_.threads = words.threads;
    if (words.reaches_storage) {
      request_.reach = lockstep::interpreter::Reach::storage;
    }
    kernel_ = prepare();
    for (const auto& [name, ignored] : split_pairs(words.reset)) {
      const auto& view = view_of(name);
      const auto* begin = reinterpret_cast<const char*>(view.extent.begin);
      first_contents_.emplace_back(&view, std::vector<char>(begin, begin + view.extent.bytes()));
    }
  }

  /// Seconds.
  double run() {
    for (const auto& [view, bytes] : first_contents_) {
      std::memcpy(reinterpret_cast<void*>(view->extent.begin), bytes.data(), bytes.size());
    }
    DiagnosticSink sink;
    const auto start = std::chrono::steady_clock::now();
    if (words_.plans_too) {
      kernel_ = prepare();
    }
    auto report = kernel_->launch(request_, sink);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    stop_if_wrong(sink);
    if (!report->findings.findings().empty()) {
      stop(lockstep::render_text(report->findings.findings().front()));
    }
    report_ = std::move(*report);
    return seconds.count();
  }

  void save(const std::string& name, const std::string& path) const {
    const auto& view = view_of(name);
    lockstep::driver::Array array;
    array.element = view.element;
    array.shape = view.shape;
    array.data.resize(view.extent.bytes());
    std::memcpy(array.data.data(), reinterpret_cast<const void*>(view.extent.begin), view.extent.bytes());
    if (!lockstep::driver::write_npy(path, array)) {
      stop("cannot write " + path);
    }
  }

  /// What the last launch counted, one line.
  std::string report() const {
    std::ostringstream text;
    text << "programs " << report_.programs_run << " threads " << report_.threads << " seconds " << report_.seconds
         << " read " << report_.bytes_read << " written " << report_.bytes_written << " scratch "
         << report_.scratch_bytes;
    return text.str();
  }

 private:
  std::unique_ptr<const lockstep::interpreter::PreparedKernel> prepare() const {
    const auto tuning = lockstep::interpreter::parse_tuning(words_.tuning);
    if (!tuning) {
      stop("--tuning is name=number,...");
    }
    DiagnosticSink sink;
    auto kernel = lockstep::interpreter::PreparedKernel::make(
        module_, *choose(module_, words_), {}, sink,
        words_.tuning.empty() ? lockstep::interpreter::default_tuning() : *tuning);
    stop_if_wrong(sink);
    return kernel;
  }

  const lockstep::memory_model::View& view_of(const std::string& name) const {
    for (const auto& tensor : tensors_) {
      if (tensor.name == name) {
        return memory_.view(tensor.view);
      }
    }
    stop("no argument is called " + name);
  }

  const Words& words_;
  lockstep::ir::Module module_;
  lockstep::memory_model::AddressSpace memory_;
  std::vector<lockstep::driver::Tensor> tensors_;
  std::vector<std::pair<const lockstep::memory_model::View*, std::vector<char>>> first_contents_;
  std::unique_ptr<const lockstep::interpreter::PreparedKernel> kernel_;
  lockstep::interpreter::RunRequest request_;
  lockstep::interpreter::LaunchReport report_;
};

}  // namespace

int main(int argc, char** argv) {
  const Words words = read_words(argc, argv);
  Bench bench(words);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream parts(line);
    std::string verb, first, second;
    parts >> verb >> first >> second;
    if (verb == "save") {
      bench.save(second.empty() ? "out" : first, second.empty() ? first : second);
      std::cout << "saved" << std::endl;
    } else if (verb == "report") {
      std::cout << bench.report() << std::endl;
    } else {
      std::cout << bench.run() << std::endl;
    }
  }
}
