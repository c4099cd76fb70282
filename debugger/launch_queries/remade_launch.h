// RemadeLaunch: questions about a debugged launch as a whole (session/launch_queries.h), for code that can run it
// again: comparison with references, search for the op that made an element wrong, costs. Except for `diff`, each
// answer comes from another run of the original launch. It keeps results that cost a launch. Not here: the source of
// references, legal bounds on a GPU, moving, texts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "debugger/session/launch_queries.h"
#include "driver/arguments/arguments.h"
#include "driver/files/manifest.h"
#include "enclosure/enclosure.h"
#include "enclosure/tolerance.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/launch.h"
#include "sanitizer/core/check_options.h"
#include "sanitizer/lint/launch_cost.h"
#include "sanitizer/triage/error_origin.h"
#include "support/diagnostics/diagnostic.h"
#include "support/diagnostics/status.h"

namespace lockstep::debugger {

class RemadeLaunch : public LaunchQueries {
 public:
  Expected<DiffReport, Problem> diff(const DiffRequest& request) override;
  Expected<Culprit, Problem> bisect(const BisectRequest& request) override;
  Expected<Report, Problem> lint() override;
  Expected<LaunchCost, Problem> cost(std::string_view gpu) override;
  /// Refused: it takes the kernel's text and words, which a launch from Python lacks.
  Expected<Json, Problem> prove(const std::vector<std::string>&) override {
    return Unexpected{Problem{"a launch from Python is not proved here", "lockstep.prove(kernel, ...) or `lockstep prove`"}};
  }

 protected:
  using Done = Expected<void, Problem>;

  /// The parts that debugging does not change.
  struct Launch {
    interpreter::LaunchRequest request;  // its memory is what is debugged
    std::string kernel_name;
    std::vector<driver::Tensor> tensors;  // of request.memory
    std::string gpu;                    // whose rates count if nobody names one; empty: what the profile suggests
    std::string advice;                 // how to give it a reference: "give --expect NAME=@FILE"
  };
  explicit RemadeLaunch(Launch launch);

  /// The reference for a tensor of the launch.
  struct Reference {
    std::size_t tensor = 0;                         // of Launch::tensors
    std::string title;                              // "what a GPU left"
    std::string bytes;                              // C order
    bool is_recorded = false;                       // by this very launch
    std::optional<enclosure::Tolerance> tolerance{};  // of what is expected at the end of the launch; nullopt: nothing is
  };
  /// Within its type's tolerance.
  Reference expectation(std::size_t tensor, std::string title, std::string bytes) const;
  struct References {
    std::string remark;
    std::vector<Reference> tensors;
    bool are_recorded = false;  // of a launch like this one: legal or not
  };
  /// Which recorded values are legal results.
  class Verdicts {
   public:
    virtual ~Verdicts() = default;
    /// Describes a tensor's recorded elements. False: the kernel does not write it.
    virtual bool tell(std::size_t tensor, TensorDifference& to) const = 0;
    /// The recorded element farthest outside of the legal bounds; nullopt: none.
    virtual std::optional<std::int64_t> worst_outside(std::size_t tensor) const = 0;
    virtual const enclosure::TensorEnclosure& legal(std::size_t tensor) const = 0;
  };

  /// Calls `act` with the original launch, not begun, on memory with the same view ids; that memory is thrown away.
  /// request.stop is stop_.
  using Act = std::function<Done(const interpreter::LaunchRequest& request)>;
  virtual Done once_more(const Act& act) = 0;
  /// The launch's own.
  virtual Expected<References, Problem> references() const = 0;
  /// Whether a recorded launch had the same kernel text and arguments; nullopt: unknown.
  virtual std::optional<bool> is_like(const driver::Manifest& other) const;
  /// Verdicts of recorded references. Null: not available here.
  virtual Expected<std::shared_ptr<const Verdicts>, Problem> verdicts(const References& references, bool are_own);
  virtual Expected<sanitizer::CheckOptions, Problem> lint_options() const = 0;
  /// Asks a GPU's own values which op made an element leave its bounds. `element`: C order. False: no GPU.
  virtual Expected<bool, Problem> ask_gpu(std::size_t tensor, std::int64_t element, const enclosure::Interval& bounds,
                                          const interpreter::LaunchRequest& launch, Culprit& culprit) const;

  const Launch& launch() const { return launch_; }
  const driver::Tensor* find_tensor(std::string_view name) const;
  /// A tensor of the debugged launch.
  const memory_model::View& view_of(std::size_t tensor) const {
    return launch_.request.memory->view(launch_.tensors[tensor].view);
  }

 private:
  struct Suspect;
  class Search;
  sanitizer::LaunchContext context_of(const interpreter::LaunchRequest& request,
                                     const sanitizer::CheckOptions& options) const {
    return {*request.module, *request.function, request, request.profile, options, effects_};
  }
  // launch_diff.cpp
  Expected<References, Problem> references_of(const std::string& path) const;
  Expected<TensorDifference, Problem> compare_now(const Reference& reference, const DiffRequest& request) const;

  const Launch launch_;
  const interpreter::MemoryEffects effects_;
  std::unique_ptr<const sanitizer::LaunchCost> cost_;
  std::optional<Report> lints_;
};

/// The first error of a sink, as an answer for a person.
Problem problem_of(const DiagnosticSink& sink);
Problem problem_of(const Status& status);

/// The message for a launch that Ctrl-C stopped, or that does not end.
Problem unfinished_problem(const interpreter::LaunchRequest& request);

}  // namespace lockstep::debugger
