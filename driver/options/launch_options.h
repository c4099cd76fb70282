// LaunchOption: one option of launches in one row: its names on the command line, in DAP, Python and campaigns, its
// values, its field. Invariant: only the row, its field and the code that acts on it name an option;
// python/lockstep/option_rows.py and the schema in debugger/vscode/package.json are written from the rows
// (tests/cli/test_launch_options.py). Not here: options of a single command (cli/), the effect of an option
// (driver/launch, sanitizer).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "driver/launch/launch_spec.h"

namespace lockstep::driver {

/// Groups of options that commands take together, in the order of the help.
enum class OptionGroup : std::uint8_t {
  launch,           // which launch it is
  tolerance,        // of a comparison
  judging,          // what makes an exit code
  time,             // how long a launch may take
  checkers,         // what to look for
  baseline,         // which findings do not count
  schedules,        // orders of programs
  programs,         // which of them run
  limits,           // of the machine
  measures,         // what is measured beside the launch
  rounding,         // what the text leaves open, and asserts
  compilation,      // what a kernel is compiled for
  bounds,           // what a pointer may reach
  recorded_bounds,  // the same of a recorded launch
  process,          // of a Python process; no command has them
};

/// An enumeration of CheckOptions, by the number of a row's choice.
struct ChoiceField {
  void (*set)(LaunchSpec& spec, std::size_t choice) = nullptr;
  std::size_t (*get)(const LaunchSpec& spec) = nullptr;
};

using OptionField =
    std::variant<std::monostate, std::string LaunchSpec::*, std::vector<std::string> LaunchSpec::*,
                 std::uint64_t LaunchSpec::*, std::uint32_t LaunchSpec::*, int LaunchSpec::*, bool LaunchSpec::*,
                 double LaunchSpec::*, std::optional<double> LaunchSpec::*, std::optional<std::int64_t> LaunchSpec::*,
                 std::optional<std::size_t> LaunchSpec::*, std::uint64_t sanitizer::CheckOptions::*,
                 std::uint32_t sanitizer::CheckOptions::*, ChoiceField>;

/// What the command line checks besides the type; Python has the same limits.
enum class OptionLimit : std::uint8_t { none, range, seconds, tolerance, not_negative };

/// An option of a Python process: a field of lockstep.Options, a flag of `python -m lockstep`.
struct PythonOption {
  std::string_view type{};      // the field's annotation, or "choice": of the row's; empty: no option of the process
  std::string_view initial{};   // the field's default, as Python spells it
  std::string_view variable{};  // "LOCKSTEP_THREADS"; empty: none
  std::string_view help{};      // beside the field and in the usage of `python -m lockstep`
  bool is_flag = true;          // of `python -m lockstep`
  std::string_view value{};     // in its usage; empty: the row's
};

/// Who sets it in a campaign file.
enum class CampaignRole : std::uint8_t {
  none,      // nobody: a kernel file that asks for it is not run
  option,    // a key of [options] and of [axes]
  axis,      // a key of [axes]; `campaign_key`: its place in a case's `schedule`
  campaign,  // the campaign itself, for all of its launches
};

struct LaunchOption {
  OptionGroup group = OptionGroup::launch;
  std::string_view flags{};  // "--grid,-g"
  std::string_view name{};   // in Python and in campaigns; empty: the flag's, with _ for -
  OptionField field{};
  std::string_view value{};    // as the help shows it, "X,Y,Z"; empty: the choices, or a flag
  std::string_view choices{};  // "on|off": nothing else
  OptionLimit limit = OptionLimit::none;
  std::uint64_t least = 0, most = 0;  // of OptionLimit::range
  std::string_view help{};            // {}: what the command says there
  std::string_view excludes{};        // "--rtol --atol": flags above that may not come along
  bool is_required = false, shows_default = false;
  bool is_recorded = false;  // a capsule says it too, and decides where the command line does not
  PythonOption python{};
  std::string_view dap{};  // a key of launch requests, "numWarps"; "a|b": two that mean the same
  CampaignRole campaign = CampaignRole::none;
  std::string_view campaign_key{};

  /// "--grid".
  std::string_view flag() const { return flags.substr(0, flags.find(',')); }
  /// "num_warps".
  std::string python_name() const;
  std::vector<std::string> choice_list() const;
  std::vector<std::string> dap_keys() const;
  bool is_number() const;
  bool is_switch() const { return std::holds_alternative<bool LaunchSpec::*>(field); }
};

/// All rows, those of a group together, groups in their order.
std::span<const LaunchOption> launch_options();
/// By flag ("--as") or by Python's name ("target"); null: there is none.
const LaunchOption* find_launch_option(std::string_view flag_or_name);

/// Calls `visit` with the field of `spec` that the row sets, or with its ChoiceField; not for rows without a field.
template <typename Visitor>
void visit_field(const LaunchOption& option, LaunchSpec& spec, const Visitor& visit) {
  std::visit(
      [&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::monostate>) return;
        else if constexpr (std::is_same_v<Field, ChoiceField>) visit(field);
        else if constexpr (std::is_invocable_v<Field, LaunchSpec&>) visit(spec.*field);
        else visit(spec.checks.*field);
      },
      option.field);
}

}  // namespace lockstep::driver
