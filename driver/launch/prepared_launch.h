// One `lockstep run` from texts (or a capsule) to a launch: arguments, tensors, kernel, binding, grid. Each step
// reports an error and returns false; the steps run in the order of this header.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/arguments/arguments.h"
#include "driver/arguments/binding.h"
#include "driver/files/capsule.h"
#include "driver/launch/kernel_target.h"
#include "driver/launch/launch_spec.h"
#include "driver/launch/outputs.h"
#include "interpreter/launch/launch.h"
#include "ir/module.h"
#include "memory_model/view.h"

namespace lockstep::driver {

class PreparedLaunch {
 public:
  PreparedLaunch(LaunchSpec options, DiagnosticSink& sink) : options_(std::move(options)), sink_(sink) {}

  bool read_target();     // and --as
  bool read_arguments();  // NAME=VALUE and --max-memory
  bool read_kernel();     // list_kernels(), the whole .ttir file, or the capsule, which then decides about options()
  bool make_tensors();
  bool tune();     // .py only: @triton.autotune and @triton.heuristics set what is not given
  bool bind();     // parameters get their arguments
  bool compile();  // .py only; then --fp-fusion and --bits
  bool evaluate_grid();  // and --only
  bool check_outputs();  // --save, --print, --expect name tensors of this launch and usable files; reads the references

  /// Valid after the steps above. The caller adds stop flag, progress and the rest of the timeout.
  interpreter::LaunchRequest request();
  /// RunRequest::schedule of every request from now on.
  void follow(std::uint64_t schedule) { schedule_ = schedule; }

  /// The user's options; a capsule's launch for missing ones.
  const LaunchSpec& options() const { return options_; }
  /// For the TTIR function; not for .py.
  std::vector<TtirParameter> ttir_parameters() const;
  /// Null: no capsule.
  const Capsule* capsule() const { return capsule_ ? &*capsule_ : nullptr; }
  const std::string& kernel_name() const { return kernel_name_; }
  const TargetProfile& profile() const { return profile_; }
  friend class BitsWarnings;
  bool keeps_bits_warnings_ = false;
  std::vector<std::string> ops_without_bits_;  // spellings
  const memory_model::AddressSpace& memory() const { return memory_; }
  const std::vector<FileRequest>& saves() const { return saves_; }
  const std::vector<Expectation>& expectations() const { return expectations_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  /// One for each parameter.
  const std::vector<BoundParameter>& bound() const { return bound_; }
  /// A tensor argument by name, or null.
  const Tensor* find_tensor(const std::string& name) const;
  /// The origin of an argument's memory: "'x' is what x=randn:f32[1000] asks for"; "" for other names.
  std::string origin_of(const std::string& name) const;
  /// Bytes of all tensors; those larger than the machine's memory count as far as they are touched.
  std::uint64_t tensor_bytes() const;
  /// Whether touching all of the tensors could exhaust the machine's memory.
  bool may_run_out_of_memory() const;
  bool has_memory_limit() const { return max_memory_ != 0; }
  /// True if --max-memory stopped a step.
  bool is_over_memory_limit() const;

 private:
  void add_descriptor_numbers(const BoundParameter& bound, interpreter::LaunchRequest& request) const;
  bool names_tensor(const char* option, const std::string& name);
  void check_save(const std::string& text);
  void check_expect(const std::string& text);
  void expect_recorded(const std::string& name);
  bool bind_python();
  bool bind_ttir();
  bool set_profile();
  bool read_capsule();
  void take_capsule_options();
  bool compile_python();
  TensorLimits tensor_limits() const;

  LaunchSpec options_;
  DiagnosticSink& sink_;
  KernelTarget target_;
  TargetProfile profile_;
  std::string kernel_name_;
  std::uint64_t max_memory_ = 0, schedule_ = 0;
  std::vector<ArgumentText> arguments_;
  memory_model::AddressSpace memory_;
  std::vector<Tensor> tensors_;
  std::optional<frontend::KernelInfo> kernel_;  // .py
  std::map<std::string, ConstantValue> tuned_;
  std::optional<Capsule> capsule_;
  std::optional<ir::Module> module_;
  const ir::Op* function_ = nullptr;
  std::vector<BoundParameter> bound_;
  std::array<std::int64_t, 3> grid_{1, 1, 1};
  std::vector<std::uint64_t> only_;
  std::vector<FileRequest> saves_;
  std::vector<Expectation> expectations_;
};

/// Runs all steps in their order. False: reported.
bool prepare(PreparedLaunch& session);

/// What compile() warns of with `bits`: ops without a model.
class BitsWarnings {
 public:
  /// Before compile(): they are kept and not warned of.
  static void keep(PreparedLaunch& launch) { launch.keeps_bits_warnings_ = true; }
  /// The spellings of the ops.
  static const std::vector<std::string>& of(const PreparedLaunch& launch) { return launch.ops_without_bits_; }
};

}  // namespace lockstep::driver
