#include "cli/listings/ops_listing.h"

#include <fmt/format.h>

#include "dialects/registry.h"
#include "interpreter/libdevice/catalogue.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

using ir::Definedness;
using ir::Effects;
using ir::ErrorBound;
using ir::OpDef;
using ir::TypeRule;

template <typename Specs>
std::string types_of(const Specs& specs) {
  std::string out;
  for (const auto& spec : specs) {
    const char* mark = spec.arity == ir::Arity::variadic ? "..." : spec.arity == ir::Arity::optional ? "?" : "";
    out += fmt::format("{}{}: {}{}", out.empty() ? "" : ", ", spec.name, name_of(spec.rule), mark);
  }
  return out;
}

/// "int, int -> i1", short enough for a table.
std::string signature_of(const OpDef& def) {
  const auto list = [](const auto& specs) {
    std::string out;
    for (const auto& spec : specs) {
      const char* mark = spec.arity == ir::Arity::variadic ? "..." : spec.arity == ir::Arity::optional ? "?" : "";
      out += fmt::format("{}{}{}", out.empty() ? "" : ", ", name_of(spec.rule), mark);
    }
    return out.empty() ? std::string("()") : out;
  };
  return list(def.operands) + " -> " + list(def.results);
}

bool prints(const OpDef& def, std::string_view version) {
  const auto is_later = [](std::string_view a, std::string_view b) {
    return a.size() == b.size() ? a > b : a.size() > b.size();
  };
  if (version.empty()) return def.until.empty();
  return (def.since.empty() || !is_later(def.since, version)) && (def.until.empty() || !is_later(version, def.until));
}

/// Modules and functions run through their ops.
bool holds_code(const OpDef& def) { return def.effects == Effects::symbol; }

std::string reason(const OpDef& def) {
  return def.evaluate_reason.empty() ? std::string("not written yet") : std::string(def.evaluate_reason);
}

/// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string worst(const ErrorBound& bound) {
  if (bound.worst_f32 == 0 && bound.worst_f64 == 0) return "";
  std::string out = bound.worst_f32 != 0 ? fmt::format("{:.3g} f32", bound.worst_f32) : "";
  if (bound.worst_f64 != 0) out += fmt::format("{}{:.3g} f64", out.empty() ? "" : ", ", bound.worst_f64);
  return out;
}

void append_markdown_row(std::string& out, const OpDef& def) {
  const std::string gpu = def.bound.gpu_ulp != 0 ? fmt::format("{:g} ulp", def.bound.gpu_ulp) : "";
  const std::string cuda = def.emit_cuda != nullptr ? std::string("yes") : "no: " + cell(def.emit_reason);
  out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", def.spelling, cell(def.summary),
                     cell(signature_of(def)), exactness(def.bound), gpu, worst(def.bound), name_of(def.effects),
                     versions(def), cuda, cell(def.note), cell(def.source));
}

std::string ulp_text(double ulp) { return ulp == 0 ? "exact" : ulp < 0 ? "none given" : fmt::format("{:g} ulp", ulp); }

void append_library(std::string& out) {
  namespace libdevice = interpreter::libdevice;
  out += fmt::format(
      "\n## Library functions\n\nThe {} functions of NVIDIA's libdevice that `tt.extern_elementwise` calls. Lockstep's "
      "bound is the "
      "distance to the exact result, NVIDIA's the documented distance of theirs.\n\n"
      "| Symbol | Types | Lockstep | NVIDIA | Worst measured | Note |\n|---|---|---|---|---|---|\n",
      libdevice::functions().size());
  for (const libdevice::Function& one : libdevice::functions()) {
    std::string types;
    for (std::size_t i = 0; i < one.operand_count; ++i)
      types += fmt::format("{}{}", i == 0 ? "" : ", ", spelling(one.operand[i]));
    const std::string measured = one.worst != 0 ? fmt::format("{:.3g} ulp", one.worst) : "";
    out += fmt::format("| `{}` | {} -> {} | {} | {} | {} | {} |\n", one.symbol, types, spelling(one.result),
                       ulp_text(one.ulp), ulp_text(one.cuda_ulp), measured, cell(one.note));
  }
}

std::string_view presence_name(ir::Presence presence) {
  switch (presence) {
    case ir::Presence::required: return "required";
    case ir::Presence::optional: return "optional";
    case ir::Presence::defaulted: return "defaulted";
  }
  return "";
}

std::string_view attribute_kind(ir::AttributeRule rule) {
  switch (rule) {
    case ir::AttributeRule::any: return "any";
    case ir::AttributeRule::unit: return "unit";
    case ir::AttributeRule::boolean: return "boolean";
    case ir::AttributeRule::i32: return "i32";
    case ir::AttributeRule::i64: return "i64";
    case ir::AttributeRule::string: return "string";
    case ir::AttributeRule::type: return "type";
    case ir::AttributeRule::symbol: return "symbol";
    case ir::AttributeRule::dense_array_i32: return "array of i32";
    case ir::AttributeRule::dense_or_scalar: return "number or dense";
    case ir::AttributeRule::enumeration: return "enum";
  }
  return "";
}

std::string cases_of(const ir::AttributeSpec& spec) {
  std::string out;
  if (spec.enumeration == nullptr) return out;
  for (const ir::EnumCase& one : spec.enumeration->cases) out += fmt::format("{}{}", out.empty() ? "" : " ", one.name);
  return out;
}

std::string attribute_line(const ir::AttributeSpec& spec) {
  const std::string cases = cases_of(spec);
  return fmt::format("  {:<20} {}{}, {}\n", spec.name, attribute_kind(spec.rule), cases.empty() ? "" : ": " + cases,
                     presence_name(spec.presence));
}

template <typename Specs>
std::string json_specs(const Specs& specs) {
  std::string out;
  for (const auto& spec : specs) {
    const char* arity = spec.arity == ir::Arity::variadic   ? "variadic"
                        : spec.arity == ir::Arity::optional ? "optional"
                                                            : "one";
    out += fmt::format(R"({}{{"name": {}, "types": {}, "arity": "{}"}})", out.empty() ? "" : ", ", json_quoted(spec.name),
                       json_quoted(name_of(spec.rule)), arity);
  }
  return "[" + out + "]";
}

std::string json_attributes(const OpDef& def) {
  std::string out;
  for (const ir::AttributeSpec& spec : def.attributes) {
    out += fmt::format(R"({}{{"name": {}, "kind": {}, "presence": {}, "values": {}}})", out.empty() ? "" : ", ",
                       json_quoted(spec.name), json_quoted(attribute_kind(spec.rule)), json_quoted(presence_name(spec.presence)),
                       json_quoted(cases_of(spec)));
  }
  return "[" + out + "]";
}

std::string_view kind_of(const ErrorBound& bound) {
  switch (bound.kind) {
    case ErrorBound::Kind::exact: return "exact";
    case ErrorBound::Kind::ulp: return "ulp";
    case ErrorBound::Kind::by_length: return "by_length";
  }
  return "";
}

std::string json_row(const OpDef& def) {
  const ErrorBound& bound = def.bound;
  return fmt::format(
      R"({{"name": {}, "summary": {}, "operands": {}, "results": {}, "attributes": {}, "regions": {}, "form": {}, )"
      R"("bound": {{"kind": "{}", "ulp": {}, "gpu_ulp": {}, "worst_f32": {}, "worst_f64": {}}}, "effects": {}, )"
      R"("definedness": {}, "since": {}, "until": {}, "source": {}, "note": {}, "evaluates": {}, "reason": {}, )"
      R"("emits_cuda": {}, "cuda_reason": {}}})",
      json_quoted(def.spelling), json_quoted(def.summary), json_specs(def.operands), json_specs(def.results),
      json_attributes(def), def.region_count, json_quoted(def.form), kind_of(bound), bound.ulp, bound.gpu_ulp,
      bound.worst_f32, bound.worst_f64, json_quoted(name_of(def.effects)), json_quoted(name_of(def.defined_if)),
      json_quoted(def.since), json_quoted(def.until), json_quoted(def.source), json_quoted(def.note),
      def.evaluate != nullptr || holds_code(def),
      json_quoted(def.evaluate == nullptr && !holds_code(def) ? reason(def) : ""), def.emit_cuda != nullptr,
      json_quoted(def.emit_reason));
}

std::string json_function(const interpreter::libdevice::Function& one) {
  std::string types;
  for (std::size_t i = 0; i < one.operand_count; ++i)
    types += fmt::format("{}{}", i == 0 ? "" : ", ", json_quoted(spelling(one.operand[i])));
  return fmt::format(
      R"({{"symbol": {}, "operands": [{}], "result": {}, "ulp": {}, "cuda_ulp": {}, "worst": {}, "note": {}}})",
      json_quoted(one.symbol), types, json_quoted(spelling(one.result)), one.ulp, one.cuda_ulp, one.worst, json_quoted(one.note));
}

}  // namespace

std::string exactness(const ErrorBound& bound) {
  if (bound.kind == ErrorBound::Kind::by_length) return "grows with the length";
  return bound.kind == ErrorBound::Kind::exact || bound.ulp == 0 ? "exact" : fmt::format("{:g} ulp", bound.ulp);
}

std::string_view name_of(TypeRule rule) {
  switch (rule) {
    case TypeRule::any: return "any";
    case TypeRule::scalar_or_tile_of_integer: return "int";
    case TypeRule::scalar_or_tile_of_float: return "float";
    case TypeRule::scalar_or_tile_of_number: return "int or float";
    case TypeRule::scalar_or_tile_of_pointer: return "pointer";
    case TypeRule::boolean_like: return "i1";
    case TypeRule::integer: return "scalar int";
    case TypeRule::floating: return "scalar float";
    case TypeRule::i1: return "scalar i1";
    case TypeRule::i32: return "scalar i32";
    case TypeRule::i64: return "scalar i64";
    case TypeRule::pointer: return "scalar pointer";
    case TypeRule::tile: return "tile";
    case TypeRule::tile_of_integer: return "int tile";
    case TypeRule::tile_of_float: return "float tile";
    case TypeRule::descriptor: return "descriptor";
    case TypeRule::index_or_integer: return "scalar int or index";
    case TypeRule::i16: return "scalar i16";
    case TypeRule::i128: return "scalar i128";
    case TypeRule::memdesc: return "buffer";
    case TypeRule::tile_or_memdesc: return "tile or buffer";
    case TypeRule::token: return "token";
    case TypeRule::aref: return "aref";
  }
  return "";
}

std::string_view name_of(Effects effects) {
  switch (effects) {
    case Effects::pure: return "none";
    case Effects::read: return "reads";
    case Effects::write: return "writes";
    case Effects::read_write: return "reads and writes";
    case Effects::barrier: return "orders";
    case Effects::control: return "control";
    case Effects::symbol: return "holds code";
  }
  return "";
}

std::string_view name_of(Definedness definedness) {
  switch (definedness) {
    case Definedness::elementwise: return "element by element";
    case Definedness::by_selected_operand: return "by the operand or element chosen";
    case Definedness::across_axis: return "all elements along the axis";
    case Definedness::row_by_column: return "a row and a column";
    case Definedness::never: return "never defined";
    case Definedness::everything: return "every element of the operands";
    case Definedness::control: return "as the values that it passes on";
  }
  return "";
}

std::string versions(const OpDef& def) {
  if (!def.since.empty()) return std::string(def.since) + " on";
  return def.until.empty() ? "" : "to " + std::string(def.until);
}

std::string ops_table() {
  std::string out = fmt::format("{:<38} {:<44} {:<22} {}\n", "op", "types", "exactness", "versions");
  for (const OpDef* def : dialects::registry().rows()) {
    const std::string missing =
        def->evaluate == nullptr && !holds_code(*def) ? "not supported yet" : exactness(def->bound);
    const std::string line =
        fmt::format("{:<38} {:<44} {:<22} {}", def->spelling, signature_of(*def), missing, versions(*def));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string ops_missing(std::string_view version) {
  std::string out;
  for (const OpDef* def : dialects::registry().rows()) {
    if (def->evaluate != nullptr || holds_code(*def) || !prints(*def, version)) continue;
    out += fmt::format("{:<38} {}\n", def->spelling, reason(*def));
  }
  return out;
}

std::string ops_json() {
  std::string out = "{\"ops\": [\n";
  for (const OpDef* def : dialects::registry().rows()) out += json_row(*def) + (def == dialects::registry().rows().back() ? "\n" : ",\n");
  out += "], \"libdevice\": [\n";
  const auto functions = interpreter::libdevice::functions();
  for (const auto& one : functions) out += json_function(one) + (&one == &functions.back() ? "\n" : ",\n");
  return out + "]}\n";
}

std::string ops_markdown() {
  std::size_t running = 0;
  for (const OpDef* def : dialects::registry().rows()) running += def->evaluate != nullptr || holds_code(*def);
  std::string out = fmt::format(
      "# Ops\n\nMade by `lockstep ops --markdown`; do not edit. {} ops, of which {} run. *Exactness* is the bound of "
      "Lockstep's "
      "result to the correctly rounded one; *GPU* is what a GPU's own result may differ from it; *worst* is the "
      "largest error that "
      "`tests/ops` measured, in ulp. *Versions*: the Triton versions that print the op, where not all from 3.6 on. "
      "*CUDA*: whether the CUDA backend has text for it. "
      "Rules (S-n) are "
      "in [semantics.md](semantics.md).\n\n"
      "| Op | Meaning | Types | Exactness | GPU | Worst | Effects | Versions | CUDA | Note | Source |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n",
      dialects::registry().rows().size(), running);
  for (const OpDef* def : dialects::registry().rows()) append_markdown_row(out, *def);
  append_library(out);
  return out;
}

std::string op_page(const OpDef& def) {
  std::string out = fmt::format("{}\n  {}\n\n", def.spelling, def.summary);
  const auto line = [&out](std::string_view name, std::string_view text) {
    if (!text.empty()) out += fmt::format("{:<12} {}\n", name, text);
  };
  const bool is_generic = def.form.empty() && def.parse == nullptr;
  line("text", is_generic ? "MLIR's generic form" : def.form.empty() ? "its own, see the samples" : def.form);
  line("operands", types_of(def.operands));
  line("results", types_of(def.results));
  line("rules", def.relations);
  line("exactness", exactness(def.bound));
  if (def.bound.gpu_ulp != 0) line("GPU", fmt::format("within {:g} ulp", def.bound.gpu_ulp));
  line("worst error", worst(def.bound).empty() ? "" : worst(def.bound) + " (ulp, measured)");
  line("effects", name_of(def.effects));
  line("defined", name_of(def.defined_if));
  line("versions", versions(def));
  line("note", def.note);
  line("source", def.source);
  if (def.evaluate == nullptr && !holds_code(def)) line("not run", reason(def));
  line("no CUDA text", def.emit_reason);
  if (def.attributes.empty()) return out;
  out += "attributes\n";
  for (const ir::AttributeSpec& spec : def.attributes) out += attribute_line(spec);
  return out;
}

}  // namespace lockstep::cli
