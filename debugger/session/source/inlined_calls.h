// Functions that the compiler inlined. MLIR keeps neither their names nor their arguments, but the sources do: the text
// of the call names the function and each argument, in the caller's words. Invariant: texts that do not fit each other
// give no parameters, never wrong ones. Not here: values (EngineScope evaluates the words).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "debugger/engine/stops.h"
#include "debugger/session/listing.h"
#include "debugger/session/source/python_source.h"
#include "debugger/session/source/source_values.h"

namespace lockstep::debugger {

struct PassedParameter {
  std::string name;
  std::string words;        // an expression of the calling frame, or of its default
  bool is_default = false;  // it was not passed
  bool operator==(const PassedParameter&) const = default;
};

/// A parameter, and the place of its argument's expression in the call.
struct MatchedParameter {
  PassedParameter passed;
  SourceSpan span;  // empty: not passed
};

/// The arguments of a call to the function defined there. Empty where they do not fit.
std::vector<MatchedParameter> match_parameters(const PythonSource& caller, const python_syntax::ast::Call& call,
                                               const PythonSource& callee,
                                               const python_syntax::ast::FunctionDef& definition);

/// The calls of one kernel, each read once.
class InlinedCalls {
 public:
  InlinedCalls(const DebugKernel& kernel, const Listing& listing);
  ~InlinedCalls();
  InlinedCalls(const InlinedCalls&) = delete;
  InlinedCalls& operator=(const InlinedCalls&) = delete;
  /// Of the function around the line `inside`, which `call` calls.
  const std::vector<PassedParameter>& parameters(const Place& inside, const Place& call) const;
  /// The value that the function of frame `level` at a point reads for parameter `number`, if the IR has one for the
  /// argument's expression alone; null: it has none, or no argument was passed.
  const ir::Value* argument(const Point& point, std::size_t level, std::size_t number) const;
  /// Values whose names in the IR are wrong (SourceValues).
  std::vector<const ir::Value*> offsets() const;
  std::vector<Definitions::Renaming> renamings() const;
  /// Names from assignments to several names (SourceValues).
  std::vector<std::pair<const ir::Value*, Definitions::Result>> unpacked();
  /// The name of the function around a line; empty: the source is missing.
  const std::string& function_around(const Place& place) const;
  /// Where calls of a function begin, and the frame that each opens.
  std::vector<Breakpoint::At> entries(std::string_view function) const;
  std::vector<std::string> functions() const;

 private:
  struct Passed {
    std::vector<PassedParameter> parameters;
    std::vector<SourceSpan> spans;  // of MatchedParameter, of each
  };
  const Passed& passed(const Place& inside, const Place& call) const;
  const PythonSource::Function* definition(const Place& inside) const;
  template <typename Visit>
  void for_each_entry(Visit&& visit) const;

  using Line = std::pair<const std::string*, std::uint64_t>;
  const DebugKernel& kernel_;
  const Listing& listing_;
  mutable std::map<std::pair<Line, Line>, Passed> passed_;
  std::unique_ptr<SourceValues> values_;
};

}  // namespace lockstep::debugger
