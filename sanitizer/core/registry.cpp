// The list of checkers, and the values of --check.
#include <algorithm>
#include <iterator>

#include "sanitizer/core/checkers.h"
#include "sanitizer/core/value_checkers.h"
#include "sanitizer/memory/row_ends.h"
#include "sanitizer/triage/mismatch.h"

namespace lockstep::sanitizer {

namespace {

template <typename Made>
std::unique_ptr<Checker> make() {
  return std::make_unique<Made>();
}

Diagnostic unknown_checker(std::string_view name) {
  Diagnostic diagnostic;
  diagnostic.code = "LS1911";
  diagnostic.message = "there is no checker '" + std::string(name) + "'";
  std::string names;
  for (const CheckerRow& row : checker_rows()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  diagnostic.hint = "all, none, default, auto, quick, or of: " + names + "; -NAME removes one";
  return diagnostic;
}

std::optional<ChosenCheckers> chosen_by(std::string_view name) {
  const auto& rows = checker_rows();
  if (name == "all") return ChosenCheckers{all_checkers(), 0};
  if (name == "none") return ChosenCheckers{};
  if (name == "quick") return ChosenCheckers{quick_checkers(), 0};
  if (name == "default" || name == "auto")
    return ChosenCheckers{all_checkers() | quick_checkers(), all_checkers() & ~quick_checkers()};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name) return ChosenCheckers{1u << i, 0};
  }
  return std::nullopt;
}

}  // namespace

const std::vector<CheckerRow>& checker_rows() {
  static const std::vector<CheckerRow> rows{
      {"definedness", "undefined lanes and memory that no program wrote (LS201, LS202, LS205, LS206, LS208)", true,
       make<DefinednessChecker>},
      {"coverage", "elements of empty outputs that no program wrote (LS203, LS204)", true, make<CoverageChecker>},
      {"tiles", "the same for filled outputs, and tiles that two programs wrote while others stayed unwritten (LS803)",
       false, make<TilesChecker>},
      {"rows", "tiles that run over a row's end into the next row (LS113)", true, make<RowChecker>},
      {"aliasing", "arguments that overlap, of which one is written (LS110)", false, make<AliasingChecker>},
      {"idempotence", "kernels that store over what they read (LS801)", false, make<IdempotenceChecker>},
      {"races", "accesses of different programs that nothing orders (LS301 to LS311)", false, make<RaceChecker>},
      {"lanes", "lanes of one program that meet without a barrier (LS308, LS401 to LS407)", false, make<LaneChecker>},
      {"overflow", "integers that wrap and become addresses or decide masks (LS501, LS509)", true,
       make<OverflowChecker>},
      {"division", "integer divisions and shifts without a result (LS503, LS504, LS505)", true, make<DivisionChecker>},
      {"conversions", "floats that no integer of the type holds (LS505)", false, make<ConversionChecker>},
      {"wrapping", "integers that wrap, or divide otherwise than in Python, and are stored (LS502, LS506, LS507)",
       false, make<WrappingChecker>},
      {"hints", "promises to the compiler that do not hold (LS701 to LS704)", false, make<HintChecker>},
      {"floats", "NaN and infinities that appear and reach memory (LS601 to LS603)", false, make<FloatChecker>},
      {"precision", "digits that are lost silently: small sums, tf32, implicit casts, cancellation (LS604 to LS607)",
       false, make<PrecisionChecker>},
      {"cancellation",
       "stored numbers that lost their digits to a difference, tracked in f64 (LS607; not among `all`)", false,
       make<CancellationChecker>, true},
      {"expectation", "the op that made a result differ from --expect (LS608, LS802)", true,
       make<ExpectationChecker>},
      {"lints", "what costs time on a GPU (LSP01 to LSP11; not among `all`)", false, make<LintChecker>, true},
  };
  return rows;
}

std::uint32_t quick_checkers() {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < checker_rows().size(); ++i) {
    if (checker_rows()[i].is_default) bits |= 1u << i;
  }
  return bits;
}

std::uint32_t all_checkers() {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < checker_rows().size(); ++i) {
    if (!checker_rows()[i].is_lint) bits |= 1u << i;
  }
  return bits;
}

std::string checker_names(std::uint32_t checkers) {
  std::string names;
  for (std::size_t i = 0; i < checker_rows().size(); ++i) {
    if ((checkers >> i & 1) != 0) names += (names.empty() ? "" : ", ") + std::string(checker_rows()[i].name);
  }
  return names;
}

std::optional<ChosenCheckers> parse_checkers(std::string_view text, DiagnosticSink& sink) {
  std::uint32_t always = 0, cheap = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    const bool takes_out = word.starts_with('-');
    if (takes_out) word.remove_prefix(1);
    const auto chosen = chosen_by(word);
    if (!chosen) {
      sink.report(unknown_checker(word));
      return std::nullopt;
    }
    const std::uint32_t named = chosen->checkers & ~chosen->when_cheap;
    always = takes_out ? always & ~chosen->checkers : always | named;
    cheap = takes_out ? cheap & ~chosen->checkers : cheap | chosen->when_cheap;
    if (comma == std::string_view::npos) return ChosenCheckers{always | cheap, cheap & ~always};
    text.remove_prefix(comma + 1);
  }
}

std::optional<CheckOptions> make_check_options(std::string_view checkers, std::string_view memory_model,
                                               std::string_view triton, DiagnosticSink& sink,
                                               const CheckOptions& asked) {
  constexpr std::string_view kModels[] = {"sequential", "tile", "strict"};
  constexpr std::string_view kVersions[] = {"3.4", "3.5", "3.6", "3.7", "3.8", "3.9"};
  const auto chosen = parse_checkers(checkers, sink);
  const auto* model = std::find(std::begin(kModels), std::end(kModels), memory_model);
  const auto* version = std::find(std::begin(kVersions), std::end(kVersions), triton);
  if (!chosen) return std::nullopt;
  if (model == std::end(kModels) || version == std::end(kVersions)) {
    Diagnostic diagnostic;
    diagnostic.code = "LS1912";
    const bool is_model = model == std::end(kModels);
    diagnostic.message = is_model ? "there is no memory model '" + std::string(memory_model) + "'"
                                  : "there is no profile of Triton '" + std::string(triton) + "'";
    diagnostic.hint = is_model ? "sequential, tile or strict" : "3.4, 3.5, 3.6, 3.7, 3.8 or 3.9";
    sink.report(std::move(diagnostic));
    return std::nullopt;
  }
  CheckOptions made = asked;
  made.checkers = chosen->checkers;
  made.when_cheap = chosen->when_cheap;
  made.memory_model = static_cast<MemoryModel>(model - std::begin(kModels));
  made.triton_minor = triton.back() - '0';
  add_implied_checkers(made);
  return made;
}

}  // namespace lockstep::sanitizer
