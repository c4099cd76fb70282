// A bisection's answer for people and for programs.
#include <algorithm>

#include "gpu_diff/bisect.h"
#include "gpu_diff/report.h"
#include "support/json.h"

namespace lockstep::gpu_diff {
namespace {

constexpr std::size_t kShown = 8;  // unobserved ops

std::string id_text(const std::array<std::int64_t, 3>& id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
}

std::string bounds_text(const enclosure::Interval& bounds) {
  if (bounds.is_unbounded()) return "anything";
  if (bounds.is_nan()) return "NaN";
  return number_text(bounds.low) + " to " + number_text(bounds.high);
}

std::string operand_text(const OperandThere& one) {
  if (one.is_address) return "    " + one.name + ": an address\n";
  if (!one.cpu) return "    " + one.name + (one.is_observed ? ": every element lies inside\n" : ": not observed\n");
  return "    " + one.name + ": the GPU has " + (one.gpu ? number_text(*one.gpu) : "what is not observed") +
         ", the interpreter " + number_text(*one.cpu) + ", legal is " + bounds_text(one.bounds) + "\n";
}

std::string source_text(const std::string& source) { return source.empty() ? "" : "  " + source + "\n"; }

std::string deviation_text(const Deviation& one) {
  std::string text = "first op that leaves its bounds: " + one.op_text + "\n" + source_text(one.source);
  text += "  execution " + std::to_string(one.execution + 1) + " of " + std::to_string(one.executions);
  if (one.result != 0) text += ", result " + std::to_string(one.result);
  text += ": " + std::to_string(one.outside) + " of " + std::to_string(one.elements) +
          (one.elements == 1 ? " element" : " elements") + " outside\n";
  if (!one.copy.empty()) text += "  not where it was computed, but " + one.copy + "\n";
  text += "  " + (one.shape.empty() ? "it" : index_text(one.element, one.shape)) + ": the GPU has " +
          number_text(one.gpu) + ", the interpreter " + number_text(one.cpu) + ", legal is " + bounds_text(one.bounds) +
          "\n";
  if (!one.operands.empty()) text += "  its operands:\n";
  for (const OperandThere& operand : one.operands) text += operand_text(operand);
  return text;
}

std::string unobserved_text(const std::vector<Unobserved>& all) {
  if (all.empty()) return "";
  std::string text = "not observed:\n";
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i)
    text += "  " + all[i].op_text + ": " + all[i].reason + "\n";
  if (all.size() > kShown) text += "  and " + std::to_string(all.size() - kShown) + " more\n";
  return text;
}

std::string path_text(const OtherPath& path) {
  return "the GPU takes another path: " + path.op_text + "\n" + source_text(path.source) + "  ran " +
         std::to_string(path.gpu) + " times there, " + std::to_string(path.cpu) + " times in the interpreter\n";
}

std::string program_text(const BisectProgram& one) {
  std::string text = "program " + id_text(one.id) + ": " + std::to_string(one.values) + " values compared\n";
  if (one.other_path) text += path_text(*one.other_path);
  if (one.deviation) {
    text += deviation_text(*one.deviation);
  } else if (one.other_path) {
    text += "  every value before that lies inside\n";
  } else if (one.has_vanished) {
    text +=
        "with probes the element lies inside: the fault depends on how the code is compiled or on time (a race), or "
        "the "
        "result was made by other code\n";
  } else {
    text +=
        "every observed value lies inside: suspect its stores, their addresses, "
        "and other programs that write there\n";
  }
  text += unobserved_text(one.unobserved);
  if (one.without_pipelines == nullptr) return text;
  const BisectProgram& plain = *one.without_pipelines;
  if (!plain.deviation && plain.has_vanished)
    return text + "compiled without pipelines, the result is right: the copies to shared memory are at fault\n";
  return text + "compiled without pipelines, which shows all tiles, " + program_text(plain);
}

// ---- JSON ----

std::string interval_json(const enclosure::Interval& bounds) {
  return "[" + json_number(bounds.low) + ", " + json_number(bounds.high) + "]";
}

std::string operand_json(const OperandThere& one) {
  return "{\"name\": " + json_quoted(one.name) + ", \"gpu\": " + (one.gpu ? json_number(*one.gpu) : "null") +
         ", \"cpu\": " + (one.cpu ? json_number(*one.cpu) : "null") + ", \"legal\": " + interval_json(one.bounds) + "}";
}

std::string deviation_json(const Deviation& one) {
  return "{\"op\": " + json_quoted(one.op_text) + ", \"source\": " + json_quoted(one.source) +
         ", \"result\": " + std::to_string(one.result) + ", \"execution\": " + std::to_string(one.execution) +
         ", \"executions\": " + std::to_string(one.executions) + ", \"outside\": " + std::to_string(one.outside) +
         ", \"element\": " + std::to_string(one.element) + ", \"copy\": " + json_quoted(one.copy) +
         ", \"gpu\": " + json_number(one.gpu) + ", \"cpu\": " + json_number(one.cpu) +
         ", \"legal\": " + interval_json(one.bounds) + ", \"operands\": " + json_list(one.operands, operand_json) + "}";
}

std::string program_json(const BisectProgram& one) {
  std::string text = "{\"program\": [" + std::to_string(one.id[0]) + ", " + std::to_string(one.id[1]) + ", " +
                     std::to_string(one.id[2]) + "], \"values\": " + std::to_string(one.values) +
                     ", \"vanished\": " + (one.has_vanished ? "true" : "false") +
                     ", \"deviation\": " + (one.deviation ? deviation_json(*one.deviation) : "null");
  if (one.other_path) {
    text += ", \"other_path\": {\"op\": " + json_quoted(one.other_path->op_text) +
            ", \"gpu\": " + std::to_string(one.other_path->gpu) + ", \"cpu\": " + std::to_string(one.other_path->cpu) +
            "}";
  }
  if (one.without_pipelines != nullptr) text += ", \"without_pipelines\": " + program_json(*one.without_pipelines);
  return text + ", \"unobserved\": " + std::to_string(one.unobserved.size()) + "}";
}

}  // namespace

std::string bisect_text(const BisectReport& report) {
  if (report.programs.empty())
    return "bisect: no program of the interpreter writes this element: the GPU's stores go elsewhere\n";
  std::string text = "bisect: " + std::to_string(report.writers) +
                     (report.writers == 1 ? " program writes this element\n" : " programs write this element\n");
  const BisectProgram* blamed = report.blamed();
  for (const BisectProgram& one : report.programs) {
    if (&one == blamed) break;
    if (one.deviation)
      text += "program " + id_text(one.id) +
              " has loaded what another program of the launch wrote: " + one.deviation->op_text + "\n";
  }
  return text + program_text(blamed != nullptr ? *blamed : report.programs.front());
}

std::string bisect_json(const BisectReport& report) {
  return "{\"writers\": " + std::to_string(report.writers) +
         ", \"programs\": " + json_list(report.programs, program_json) + "}";
}

}  // namespace lockstep::gpu_diff
