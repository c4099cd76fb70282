// random_kernel: what fuzz/ samples from the ops' rows, for campaigns.
#include <string>

#include "dialects/registry.h"
#include "fuzz/sampler.h"
#include "python/native/bindings.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

constexpr std::size_t kMostOps = 64;

std::string random_kernel(std::uint64_t seed, std::size_t ops) {
  if (ops == 0 || ops > kMostOps) throw py::value_error("a random kernel has 1 to 64 ops");
  const py::gil_scoped_release released;
  fuzz::Random random(seed);
  return fuzz::sample_launchable(dialects::registry(), random, ops);
}

}  // namespace

void add_random_kernels(py::module_& module) {
  module.def("random_kernel", random_kernel, py::arg("seed"), py::arg("ops"));
  module.attr("RANDOM_KERNEL_ELEMENTS") = fuzz::kPartElements;
}

}  // namespace lockstep::python
