#include "driver/proving/asked.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>

#include "dialects/registry.h"
#include "driver/launch/capsule_request.h"
#include "driver/launch/constants.h"
#include "driver/files/capsule.h"
#include "driver/launch/kernel_target.h"
#include "driver/launch/prepared_launch.h"
#include "driver/proving/symbolic.h"
#include "driver/words/dtype_name.h"
#include "ir/interfaces/hints.h"
#include "ir/passes/rewrite_block_pointers.h"
#include "ir/text/printer.h"
#include "ir/walk.h"
#include "prove/eliminate.h"
#include "prove/proof_file.h"
#include "prove/words.h"
#include "support/source_file.h"

namespace lockstep::driver {
namespace {

using prove::Poly;
using AskedKind = AskedArgument::Kind;

class AskedReader {
 public:
  AskedReader(const LaunchSpec& options, Asked& asked, DiagnosticSink& sink) : options_(options), asked_(asked), sink_(sink) {}
  bool read(const AskedMore& more);

 private:
  bool read_word(const std::string& word);
  bool read_type(AskedArgument& argument, Cursor& cursor);
  bool read_shape(const std::string& name, Cursor& cursor);
  bool read_grid();
  bool asks_for_axis(std::size_t axis) const;
  bool read_properties(const std::vector<std::string>& words);
  bool read_assumption(const std::string& text);
  bool read_chunks(const std::string& name, Cursor& cursor, const std::string& text);
  bool check_chunks();
  bool is_table(const std::string& name) const {
    return std::any_of(asked_.arguments.begin(), asked_.arguments.end(), [&](const AskedArgument& one) {
      return one.name == name && one.kind == AskedKind::tensor && is_integer(one.element);
    });
  }
  bool read_python(const KernelTarget& target);
  std::optional<std::string> lifted_source(const std::string& path);
  bool read_module(const KernelTarget& target);
  bool take_types_of_function();
  void take_promised_arguments();
  bool has_word(const std::string& name) const {
    return std::any_of(given_.begin(), given_.end(), [&](const AskedArgument& one) { return one.name == name; });
  }
  bool fail(std::string message, std::string hint) {
    report_status(sink_, {"LS2206", std::move(message), std::move(hint)});
    return false;
  }

  const LaunchSpec& options_;
  Asked& asked_;
  DiagnosticSink& sink_;
  std::vector<AskedArgument> given_;
  std::map<std::string, Poly> names_;
};

constexpr const char* kAssumptions =
    "write: index in [0,n), index in [0,n-1], index rises from 0 to n or index counts chunks of 64 in n sequences of starts";
constexpr const char* kForms = "x=f32[M,N] or x=*f32, out=f32[M] out or out=*f32[M] out, n or n=i64, eps=f32, BLOCK=64";

/// As Python has it, bytes of UTF-8 included; of a tuple's elements with points, t.0.
bool is_name(const std::string& text) {
  const auto is_letter = [](char one) { return std::isalpha(static_cast<unsigned char>(one)) != 0 || one == '_' || (one & 0x80) != 0; };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char one) {
    return is_letter(one) || std::isdigit(static_cast<unsigned char>(one)) != 0 || one == '.';
  });
}

bool AskedReader::read_shape(const std::string& name, Cursor& cursor) {
  Symbolic expression(cursor, names_, asked_.atoms);
  std::vector<Poly> shape, strides;
  Poly elements(1);
  while (!cursor.take("]")) {
    const auto extent = expression.sum();
    if (!extent) return false;
    shape.push_back(*extent);
    elements = elements * *extent;
    if (!cursor.take(",") && cursor.peek() != ']') return cursor.expect("]");
  }
  if (cursor.take(":") && cursor.expect("(")) {
    elements = Poly(1);
    for (const Poly& extent : shape) {
      const auto stride = expression.sum();
      if (!stride) return false;
      elements += (extent - Poly(1)) * *stride;
      strides.push_back(*stride);
      cursor.take(",");
    }
    if (!cursor.expect(")")) return false;
  } else {
    for (std::size_t d = shape.size(); d-- > 0;)
      strides.insert(strides.begin(), strides.empty() ? Poly(1) : strides.front() * shape[d + 1]);
  }
  if (cursor.take("out")) {
    if (shape.empty()) return fail("an output without sizes", "say out=f32[n] out");
    asked_.contract.outputs[name] = {shape, strides};
  }
  asked_.contract.elements[name] = elements;
  return true;
}

bool AskedReader::read_type(AskedArgument& argument, Cursor& cursor) {
  const bool is_pointer = cursor.take("*");
  const auto type = take_dtype(cursor);
  if (!type) return false;
  argument.element = type->kind;
  argument.is_unsigned = type->is_unsigned;
  argument.kind = is_pointer ? AskedKind::tensor : is_integer(type->kind) && type->kind != ScalarKind::i1 ? AskedKind::integer : AskedKind::scalar;
  if (cursor.take("[")) {
    argument.kind = AskedKind::tensor;
    if (!read_shape(argument.name, cursor)) return false;
    if (is_pointer) asked_.contract.elements.erase(argument.name);
  }
  cursor.skip_spaces();
  return cursor.at_end() || cursor.expect("the end", kForms);
}

bool AskedReader::read_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  AskedArgument argument{.kind = AskedKind::integer, .name = word.substr(0, equals), .word = word, .element = ScalarKind::i32};
  const bool has_value = equals != std::string::npos && word.substr(equals + 1) != argument.name;  // n=n is n
  const std::string rest = has_value ? word.substr(equals + 1) : "";
  if (!has_value) argument.word = argument.name;
  if (!is_name(argument.name)) return fail("'" + argument.name + "' is not a name", kForms);
  if (has_word(argument.name)) return fail("'" + argument.name + "' is given twice", kForms);
  const std::string type = rest.substr(rest.starts_with('*') ? 1 : 0, rest.find('[') - (rest.starts_with('*') ? 1 : 0));
  if (rest == "any") {
    argument.is_lifted = true;
  } else if (find_dtype(type)) {
    Cursor cursor(rest, "<" + argument.name + ">", sink_);
    if (!read_type(argument, cursor)) return false;
  } else if (has_value) {
    argument.kind = AskedKind::constant;
    auto constants = parse_constants({word}, sink_);
    if (!constants) return false;
    const ConstantValue& value = constants->begin()->second;
    if (value.kind == ConstantValue::Kind::integer) names_[argument.name] = Poly(value.integer);
  }
  if (argument.kind == AskedKind::integer && argument.is_unsigned)
    return fail("'" + argument.name + "' has no sign: integers without one are not followed", kForms);
  if (argument.kind == AskedKind::integer) {
    const unsigned bits = static_cast<unsigned>(bit_width(argument.element));
    const prove::Integer most = (prove::Integer(1) << (bits - 1)) - 1;
    const auto known = asked_.atoms.find_parameter(argument.name);
    if (known && argument.element != ScalarKind::i32)
      return fail("'" + argument.name + "' has to stand before what names it", kForms);
    names_[argument.name] = Poly::atom(asked_.atoms.parameter(argument.name, 1, most));
  }
  given_.push_back(std::move(argument));
  return true;
}

// Without a grid: any number of programs along the axes that the kernel asks for, 1 along the others.
bool AskedReader::asks_for_axis(std::size_t axis) const {
  bool asks = false;
  ir::walk(*asked_.function, [&](const ir::Op& op) {
    const bool is_of_grid = op.def().origin == ir::Origin::program_id || op.def().origin == ir::Origin::program_count;
    asks = asks || (is_of_grid && op.integer_attribute("axis", 0) == static_cast<std::int64_t>(axis));
  });
  return asks;
}

bool AskedReader::read_grid() {
  static constexpr std::array<const char*, 3> kExtents{"grid.x", "grid.y", "grid.z"};
  static constexpr std::array<std::int64_t, 3> kMost{2147483647, 65535, 65535};
  for (std::size_t i = 0; i < 3; ++i) {
    asked_.contract.grid[i] =
        options_.grid.empty() && asks_for_axis(i) ? Poly::atom(asked_.atoms.parameter(kExtents[i], 1, kMost[i])) : Poly(1);
  }
  if (options_.grid.empty()) return true;
  Cursor cursor(options_.grid, "<grid>", sink_);
  Symbolic expression(cursor, names_, asked_.atoms);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto extent = expression.sum();
    if (!extent) return false;
    asked_.contract.grid[i] = *extent;
    if (!cursor.take(",")) break;
  }
  cursor.skip_spaces();
  return cursor.at_end() || cursor.expect("the end", "one to three expressions with commas between them");
}

// The file's text in which lifted parameters of the kernel are arguments; lines stay.
std::optional<std::string> AskedReader::lifted_source(const std::string& path) {
  const auto file = SourceFile::read(path);  // or what an editor laid over it
  if (!file) return report_status(sink_, file.error()), std::nullopt;
  const std::string text((*file)->text());
  std::smatch head;
  if (!std::regex_search(text, head, std::regex("\\bdef\\s+" + asked_.kernel + "\\s*\\(")))
    return fail("the kernel's head was not found", "write the constexpr's value"), std::nullopt;
  const auto begin = static_cast<std::size_t>(head.position() + head.length());
  const std::size_t end = std::min(text.find("):", begin), text.size());
  std::string parameters = text.substr(begin, end - begin);
  for (const AskedArgument& given : given_) {
    if (!given.is_lifted) continue;
    const std::regex annotated("\\b" + given.name + "\\s*:\\s*[\\w.\"']*constexpr[\"']?");
    const std::string without = std::regex_replace(parameters, annotated, given.name);
    if (without == parameters)
      return fail("'" + given.name + "' is not a tl.constexpr of the kernel", "only constexprs are lifted: " + given.name + "=any"), std::nullopt;
    parameters = without;
  }
  return text.substr(0, begin) + parameters + text.substr(end);
}

bool AskedReader::read_python(const KernelTarget& target) {
  const auto kernel = choose_kernel(target, sink_);
  if (!kernel) return false;
  asked_.kernel = kernel->name;
  frontend::CompileRequest request;
  request.path = target.path;
  request.kernel = kernel->name;
  request.search_path = options_.search_path;
  request.target = options_.target_gpu;
  request.keeps_asserts = true;
  for (const AskedArgument& given : given_) {
    const auto parameter = std::find_if(kernel->parameters.begin(), kernel->parameters.end(),
                                        [&](const auto& one) { return one.name == given.name; });
    if (parameter == kernel->parameters.end() && given.kind == AskedKind::integer) continue;  // a size of its own
    if (parameter == kernel->parameters.end()) return fail(kernel->name + " has no argument '" + given.name + "'", kForms);
    if (given.kind == AskedKind::constant) {
      request.parameters[given.name].constant = parse_constants({given.word}, sink_)->begin()->second;
    } else {
      const std::string type = short_name(given.element, given.is_unsigned);
      request.parameters[given.name].type = (given.kind == AskedKind::tensor ? "*" : "") + type;
    }
  }
  if (std::any_of(given_.begin(), given_.end(), [](const AskedArgument& one) { return one.is_lifted; })) {
    request.source = lifted_source(target.path);
    if (!request.source) return false;
  }
  std::string missing, hint = std::string("say one of ") + kForms;
  for (const auto& parameter : kernel->parameters) {
    if (request.parameters.contains(parameter.name) || parameter.default_value) continue;
    if (!parameter.is_constexpr && asked_.atoms.find_parameter(parameter.name)) {
      request.parameters[parameter.name].type = "i32";
    } else if (!kernel->is_autotuned && !kernel->has_heuristics) {
      missing += (missing.empty() ? "'" : ", '") + parameter.name + "'";
      if (parameter.is_constexpr) hint += "; " + parameter.name + " is a constexpr";
    }
  }
  if (!missing.empty()) return fail("nothing says what " + missing + (missing.find(',') == std::string::npos ? " is" : " are"), hint);
  if (kernel->is_autotuned || kernel->has_heuristics) {
    frontend::TuningRequest tuning;
    tuning.path = target.path;
    tuning.kernel = kernel->name;
    tuning.search_path = options_.search_path;
    tuning.target = options_.target_gpu;
    tuning.config = options_.config;
    for (const auto& [name, one] : request.parameters) tuning.arguments[name] = {one.type, one.constant, {}, {}};
    const auto tuned = frontend::tune(tuning, sink_);
    if (!tuned) return false;
    for (const auto& [name, value] : tuned->constants) {
      request.parameters[name].constant = value;
      if (value.kind == ConstantValue::Kind::integer) names_[name] = Poly(value.integer);
    }
  }
  asked_.module = frontend::compile_kernel(dialects::registry(), request, frontend::Stage::ttir, sink_);
  if (!asked_.module) return false;
  asked_.function = asked_.module->kernels().front();
  return true;
}

bool AskedReader::read_module(const KernelTarget& target) {
  if (target.kind == KernelTarget::Kind::ttir) {
    asked_.module = load_ttir(target.path, sink_);
    if (!asked_.module) return false;
    asked_.function = choose_function(target, *asked_.module, sink_);
  } else {
    auto capsule = Capsule::read(target.path, std::uint64_t{1} << 32);
    if (!capsule) return report_status(sink_, capsule.error()), false;
    auto text = capsule->content(capsule->manifest().ttir);
    if (!text) return report_status(sink_, text.error()), false;
    const auto file = SourceFile::make(target.path + "/kernel.ttir", std::move(*text));
    if (!file) return report_status(sink_, file.error()), false;
    asked_.module = parse_ttir(*file, sink_);
    if (!asked_.module) return false;
    asked_.can_be_run = false;
    asked_.function = choose_function({target.kind, target.path, capsule->manifest().kernel}, *asked_.module, sink_);
  }
  if (asked_.function == nullptr) return false;
  asked_.kernel = ir::symbol_name(*asked_.function);
  return true;
}

// The function decides about types; words that it contradicts are errors.
bool AskedReader::take_types_of_function() {
  for (const auto& value : asked_.function->region(0).front().arguments()) {
    AskedArgument argument{.name = prove::argument_name(*value)};
    const ir::Type type = value->type();
    const auto kind = type.is_pointer() ? type.pointee().scalar_kind() : type.scalar_kind();
    if (kind && !type.is_descriptor()) {
      argument.element = *kind;
      argument.kind = type.is_pointer() ? AskedKind::tensor : is_integer(*kind) && *kind != ScalarKind::i1 ? AskedKind::integer : AskedKind::scalar;
    }
    if (argument.kind == AskedKind::other) asked_.can_be_run = false;
    if (argument.kind == AskedKind::integer) {
      if (const auto found = names_.find(argument.name); found != names_.end())
        asked_.contract.integers[argument.name] = found->second;
      // A name in a shape is a number of 32 bits: nothing may be claimed of an argument that can be larger.
      const bool is_said = std::any_of(given_.begin(), given_.end(), [&](const AskedArgument& one) {
        return one.name == argument.name && (one.kind == AskedKind::constant || one.element == argument.element);
      });
      if (!is_said && argument.element == ScalarKind::i64 && names_.contains(argument.name))
        return fail("'" + argument.name + "' has 64 bits", "say " + argument.name + "=i64");
    }
    asked_.arguments.push_back(std::move(argument));
  }
  for (const AskedArgument& given : given_) {
    if (given.kind == AskedKind::constant) asked_.arguments.push_back(given);
  }
  return true;
}

bool AskedReader::read_properties(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    std::size_t begin = 0;
    while (begin <= word.size()) {
      const std::size_t end = std::min(word.find(',', begin), word.size());
      const std::string one = word.substr(begin, end - begin);
      if (one == "races")
        asked_.contract.wants_races = true;
      else if (one == "lanes")
        asked_.contract.wants_lanes = true;
      else if (one == "hints")
        asked_.contract.wants_hints = true;
      else if (one == "all")
        asked_.contract.wants_races = asked_.contract.wants_lanes = asked_.contract.wants_hints = asked_.contract.wants_coverage = true;
      else if (one == "coverage")
        asked_.contract.wants_coverage = true;
      else if (one != "bounds" && one != "integers")
        return fail("there is no property '" + one + "'", "bounds, integers, races, lanes, hints, coverage or all");
      begin = end + 1;
    }
  }
  return true;
}

// The kernel was specialised for multiples: launches with others are launches of another kernel.
void AskedReader::take_promised_arguments() {
  const auto& values = asked_.function->region(0).front().arguments();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const AskedArgument& argument = asked_.arguments[i];
    const auto promise = ir::promised(ir::argument_attribute(*asked_.function, i, ir::kDivisibility), 0);
    if (argument.kind != AskedKind::integer || promise.empty() || promise[0] <= 1) continue;
    const auto given = asked_.contract.integers.find(argument.name);
    const prove::Integer most = (prove::Integer(1) << (bit_width(argument.element) - 1)) - 1;
    const Poly number = given != asked_.contract.integers.end() ? given->second
                                                                : Poly::atom(asked_.atoms.parameter(argument.name, 1, most));
    asked_.contract.facts.push_back(Poly() - asked_.atoms.division(number, Poly(promise[0]), true, false, nullptr).remainder);
  }
}

// NAME counts chunks of SIZE in COUNT sequences of OFFSETS.
bool AskedReader::read_chunks(const std::string& name, Cursor& cursor, const std::string& text) {
  Symbolic expression(cursor, names_, asked_.atoms);
  if (!cursor.expect("chunks", kAssumptions) || !cursor.expect("of", kAssumptions)) return false;
  const auto size = expression.sum();
  if (!size || !cursor.expect("in", kAssumptions)) return false;
  const auto sequences = expression.sum();
  if (!sequences || !cursor.expect("sequences", kAssumptions) || !cursor.expect("of", kAssumptions)) return false;
  cursor.skip_spaces();
  const std::string offsets(cursor.take_word());
  cursor.skip_spaces();
  if (!cursor.at_end()) return cursor.expect("the end", kAssumptions);
  const prove::Elimination elimination(asked_.atoms);
  for (const Poly& one : {*size, *sequences}) {
    if (!elimination.proves(one - Poly(1), nullptr)) return fail("--assume " + text + ": a size or count that may be 0", kAssumptions);
  }
  asked_.contract.chunks[name] = {offsets, *size, *sequences, text};
  return true;
}

bool AskedReader::check_chunks() {
  for (const auto& [name, table] : asked_.contract.chunks) {
    const auto offsets = asked_.contract.data.find(table.offsets);
    if (offsets == asked_.contract.data.end() || !offsets->second.rises)
      return fail("--assume " + table.text + ": nothing says that '" + table.offsets + "' rises", "also: --assume \"" + table.offsets + " rises from 0 to n\"");
    if (asked_.contract.data.contains(name) || asked_.contract.chunks.contains(table.offsets))
      return fail("--assume " + table.text + ": something else is assumed of '" + name + "', too", "leave out the other row");
  }
  return true;
}

// NAME in [A,B) or NAME in [A,B]; NAME rises from A to B; what read_chunks reads.
bool AskedReader::read_assumption(const std::string& text) {
  Cursor cursor(text, "<assume>", sink_);
  const std::string name(cursor.take_word());
  if (!is_table(name)) return fail("--assume speaks of '" + name + "', which is not a tensor of integers here", kAssumptions);
  if (cursor.take("counts")) return read_chunks(name, cursor, text);
  const bool rises = cursor.take("rises");
  if (!(rises ? cursor.expect("from", kAssumptions) : cursor.expect("in", kAssumptions) && cursor.expect("[", kAssumptions)))
    return false;
  Symbolic expression(cursor, names_, asked_.atoms);
  const auto low = expression.sum();
  if (!low || !cursor.expect(rises ? "to" : ",", kAssumptions)) return false;
  const auto high = expression.sum();
  if (!high) return false;
  const bool is_open = !rises && cursor.take(")");
  if (!rises && !is_open && !cursor.expect("]", kAssumptions)) return false;
  cursor.skip_spaces();
  if (!cursor.at_end()) return cursor.expect("the end", kAssumptions);
  asked_.contract.data[name] = {*low, is_open ? *high - Poly(1) : *high, text, rises};
  return true;
}

bool AskedReader::read(const AskedMore& more) {
  const auto target = parse_target(options_.target);
  if (!target) return report_status(sink_, target.error()), false;
  std::vector<std::string> words = options_.arguments;
  // Shapes may name what follows.
  std::stable_partition(words.begin(), words.end(), [](const std::string& one) { return one.find('[') == one.npos; });
  for (const std::string& word : words) {
    if (!read_word(word)) return false;
  }
  const bool is_python = target->kind == KernelTarget::Kind::python;
  if (is_python && !options_.grid.empty() && !read_grid()) return false;  // its names are integers
  if (!(is_python ? read_python(*target) : read_module(*target))) return false;
  ir::passes::rewrite_block_pointers(*asked_.module);
  if (!read_grid()) return false;
  for (const std::string& text : more.where) {
    Cursor cursor(text, "<where>", sink_);
    const auto facts = Symbolic(cursor, names_, asked_.atoms).comparison();
    if (!facts) return false;
    asked_.contract.facts.insert(asked_.contract.facts.end(), facts->begin(), facts->end());
  }
  if (!take_types_of_function() || !read_properties(more.properties)) return false;
  const bool is_asked = std::any_of(more.properties.begin(), more.properties.end(), [](const std::string& one) { return one.find("coverage") != one.npos; });
  if (is_asked && asked_.contract.outputs.empty()) return fail("coverage speaks of outputs, and no argument is one", "say out=f32[n] out");
  if (asked_.contract.wants_hints) take_promised_arguments();
  for (const std::string& text : more.assume) {
    if (!read_assumption(text)) return false;
  }
  if (!check_chunks()) return false;
  return !sink_.has_errors();
}

}  // namespace

std::vector<std::string> words_of(const LaunchSpec& options, const AskedMore& more) {
  std::vector<std::string> words = options.arguments;
  if (!options.grid.empty()) words.push_back("--grid " + options.grid);
  for (const std::string& fact : more.where) words.push_back("--where " + fact);
  for (const std::string& word : more.properties) words.push_back("--properties " + word);
  for (const std::string& row : more.assume) words.push_back("--assume " + row);
  return words;
}

std::string proof_of(const Asked& asked, const prove::Statement& statement, const std::vector<std::string>& words,
                     const prove::Numbers& witness) {
  const std::string text = ir::print_module(*asked.module);
  return prove::proof_text({*asked.function, text, asked.contract, words, witness}, statement, asked.atoms);
}

bool read_asked(const LaunchSpec& options, const AskedMore& more, Asked& asked, DiagnosticSink& sink) {
  asked.words = options.arguments;
  return AskedReader(options, asked, sink).read(more);
}

}  // namespace lockstep::driver
