#include "driver/launch/kernel_target.h"

#include <algorithm>
#include <utility>

#include "dialects/registry.h"
#include "ir/text/parser.h"
#include "ir/verify/verifier.h"

namespace lockstep::driver {
namespace {

bool ends_with(const std::string& text, std::string_view ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// The position in `names` of the wanted kernel. nullopt: `status` has the reason.
std::optional<std::size_t> choose(const KernelTarget& target, const std::vector<std::string>& names, Status& status) {
  if (target.kernel.empty() && names.size() == 1) return 0;
  const auto found = std::find(names.begin(), names.end(), target.kernel);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (std::size_t i = 0; i < names.size() && i < 20; ++i) all += (i > 0 ? ", " : "") + names[i];
  if (names.size() > 20) all += ", ...";
  status.code = "LS2201";
  if (names.empty()) {
    status.message = target.path + " has no kernel";
    status.hint = "a kernel is a @triton.jit function, or a public tt.func";
  } else {
    status.message = target.kernel.empty() ? target.path + " has " + std::to_string(names.size()) + " kernels: " + all
                                           : target.path + " has no kernel '" + target.kernel + "', it has: " + all;
    status.hint = "write " + target.path + "::" + names.front();
  }
  return std::nullopt;
}

}  // namespace

Expected<KernelTarget, Status> parse_target(const std::string& text) {
  KernelTarget target;
  const std::size_t colons = text.rfind("::");
  target.path = text.substr(0, colons);
  if (colons != std::string::npos) target.kernel = text.substr(colons + 2);
  if (ends_with(target.path, ".py")) {
    target.kind = KernelTarget::Kind::python;
  } else if (ends_with(target.path, ".ttir") || ends_with(target.path, ".ttgir") || ends_with(target.path, ".mlir")) {
    target.kind = KernelTarget::Kind::ttir;
  } else if (ends_with(target.path, ".capsule")) {
    target.kind = KernelTarget::Kind::capsule;
  } else {
    return Unexpected{Status{"LS2202", "'" + target.path + "' is neither a .py nor a .ttir file",
                             "write FILE.py::KERNEL or FILE.ttir"}};
  }
  return target;
}

std::optional<frontend::KernelInfo> choose_kernel(const KernelTarget& target, DiagnosticSink& sink) {
  const auto kernels = frontend::list_kernels(target.path, sink);
  if (!kernels) return std::nullopt;
  std::vector<std::string> names;
  names.reserve(kernels->size());
  for (const frontend::KernelInfo& kernel : *kernels) names.push_back(kernel.name);
  Status status;
  if (const auto index = choose(target, names, status)) return (*kernels)[*index];
  report_status(sink, status);
  return std::nullopt;
}

std::optional<ir::Module> load_ttir(const std::string& path, DiagnosticSink& sink) {
  const auto file = SourceFile::read(path);
  if (!file) {
    report_status(sink, file.error());
    return std::nullopt;
  }
  return parse_ttir(*file, sink);
}

std::optional<ir::Module> parse_ttir(const SourceFilePtr& file, DiagnosticSink& sink) {
  std::optional<ir::Module> module = ir::parse_module(dialects::registry(), file, sink);
  if (!module || !ir::verify(*module, sink)) return std::nullopt;
  return module;
}

const ir::Op* choose_function(const KernelTarget& target, const ir::Module& module, DiagnosticSink& sink) {
  const std::vector<ir::Op*> kernels = module.kernels();
  std::vector<std::string> names;
  names.reserve(kernels.size());
  for (const ir::Op* kernel : kernels) names.emplace_back(ir::symbol_name(*kernel));
  Status status;
  if (const auto index = choose(target, names, status)) return kernels[*index];
  report_status(sink, status);
  return nullptr;
}

}  // namespace lockstep::driver
