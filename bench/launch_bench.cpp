// Times interpreter::launch on one kernel, one launch for each line read: bench/compare.py sends `run` and reads the
// seconds, and `save PATH` for the output. What is timed is a whole launch with planning and bounds checks, as a caller
// of the library pays it; compiling the source and making the arguments is done before.
//   lockstep_launch_bench FILE.py::KERNEL --sig x=*fp32,n=i32 --attr x=16 --grid X,Y,Z --threads N NAME=VALUE...
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

#include "frontend/compile.h"
#include "host/arguments.h"
#include "host/npy.h"
#include "interpreter/launch.h"

namespace {

using lockstep::DiagnosticSink;

struct Words {
  std::string kernel, sig, attr, grid = "1";
  unsigned threads = 0;
  std::vector<lockstep::host::ArgumentText> arguments;
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
    } else if (word.find('=') == std::string::npos) {
      words.kernel = word;
    } else if (auto argument = lockstep::host::parse_argument(word, sink)) {
      words.arguments.push_back(std::move(*argument));
    }
  }
  stop_if_wrong(sink);
  return words;
}

lockstep::frontend::ConstantValue constant_of(const lockstep::host::ScalarValue& scalar) {
  using Kind = lockstep::host::ScalarValue::Kind;
  switch (scalar.kind) {
    case Kind::boolean: return lockstep::frontend::ConstantValue::of_bool(scalar.integer != 0);
    case Kind::integer: return lockstep::frontend::ConstantValue::of_integer(scalar.integer);
    case Kind::floating: return lockstep::frontend::ConstantValue::of_float(scalar.floating);
    case Kind::name: {
      lockstep::frontend::ConstantValue value;
      value.kind = lockstep::frontend::ConstantValue::Kind::string;
      value.text = scalar.text;
      return value;
    }
    case Kind::none: break;
  }
  return {};
}

lockstep::ir::Module compile(const Words& words) {
  const std::size_t colons = words.kernel.find("::");
  if (colons == std::string::npos) {
    stop("the kernel is FILE.py::NAME");
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
      request.parameters[argument.name].constant = constant_of(std::get<lockstep::host::ScalarValue>(argument.value));
    }
  }
  DiagnosticSink sink;
  auto module = lockstep::frontend::compile_kernel(request, lockstep::frontend::Stage::ttir, sink);
  stop_if_wrong(sink);
  return std::move(*module);
}

std::uint64_t bits_of(const lockstep::host::ScalarValue& scalar, const std::string& type) {
  const bool is_integer = scalar.kind != lockstep::host::ScalarValue::Kind::floating;
  if (type == "fp32") {
    return std::bit_cast<std::uint32_t>(
        static_cast<float>(is_integer ? static_cast<double>(scalar.integer) : scalar.floating));
  }
  const auto bits = static_cast<std::uint64_t>(scalar.integer);
  return type == "i32" ? bits & 0xFFFFFFFFu : bits;
}

// The arguments in the order of the kernel's parameters that are not constants.
std::vector<lockstep::interpreter::Argument> bind(const Words& words,
                                                  const std::vector<lockstep::host::Tensor>& tensors) {
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
      if (const auto* scalar = std::get_if<lockstep::host::ScalarValue>(&text.value);
          scalar != nullptr && text.name == name) {
        argument.bits = bits_of(*scalar, types.at(name));
      }
    }
    bound.push_back(argument);
  }
  return bound;
}

void save(const lockstep::memory_model::AddressSpace& memory, const std::vector<lockstep::host::Tensor>& tensors,
          const std::string& path) {
  for (const auto& tensor : tensors) {
    if (tensor.name != "out") {
      continue;
    }
    const auto& out = memory.view(tensor.view);
    lockstep::host::Array array;
    array.element = out.element;
    array.shape = out.shape;
    array.data.resize(out.extent.bytes());
    std::memcpy(array.data.data(), reinterpret_cast<const void*>(out.extent.begin), out.extent.bytes());
    if (!lockstep::host::write_npy(path, array)) {
      stop("cannot write " + path);
    }
    return;
  }
  stop("no argument is called out");
}

}  // namespace

int main(int argc, char** argv) {
  const Words words = read_words(argc, argv);
  const lockstep::ir::Module module = compile(words);
  lockstep::memory_model::AddressSpace memory;
  DiagnosticSink sink;
  const auto tensors = lockstep::host::make_tensors(words.arguments, 1, std::uint64_t{8} << 30, memory, sink);
  const auto grid = lockstep::host::evaluate_grid(words.grid, {}, sink);
  stop_if_wrong(sink);
  lockstep::interpreter::LaunchRequest request;
  request.module = &module;
  request.function = module.kernels().front();
  std::copy(grid->begin(), grid->end(), request.grid.begin());
  request.arguments = bind(words, *tensors);
  request.memory = &memory;
  request.threads = words.threads;
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.rfind("save ", 0) == 0) {
      save(memory, *tensors, line.substr(5));
      std::cout << "saved" << std::endl;
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto report = lockstep::interpreter::launch(request, sink);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    stop_if_wrong(sink);
    if (!report->findings.findings().empty()) {
      stop(lockstep::render_text(report->findings.findings().front()));
    }
    std::cout << seconds.count() << std::endl;
  }
}
