#include "driver/launch/launch_spec.h"

#include "support/gpu_model.h"

namespace lockstep::driver {

std::optional<sanitizer::CheckOptions> checks_of(const LaunchSpec& spec, std::string_view checkers,
                                                 DiagnosticSink& sink) {
  auto made = sanitizer::make_check_options(checkers, spec.memory_model, spec.triton, sink, spec.checks);
  if (!made) return std::nullopt;
  made->num_warps = spec.num_warps;
  made->num_stages = spec.num_stages;
  made->gpu = gpu_model(spec.target_gpu);
  return made;
}

}  // namespace lockstep::driver
