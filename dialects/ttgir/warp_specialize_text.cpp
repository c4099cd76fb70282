// Text of ttg.warp_specialize and nvws.warp_group.
#include "dialects/ttgir/warp_specialize_text.h"

#include <string>

#include "ir/text/parse/op_parser.h"
#include "ir/text/printer.h"

namespace lockstep::dialects {
namespace {

using ir::ArgumentName;
using ir::Op;
using ir::OperandName;
using ir::OpParser;
using ir::OpPrinter;
using ir::Region;
using ir::Type;
using ir::Value;

constexpr std::size_t kMaxPartitions = 16;

/// "(%a: T, %b: U)"
bool parse_partition_arguments(OpParser& parser, std::vector<ArgumentName>& arguments) {
  if (!parser.expect('(')) return false;
  if (parser.consume(')')) return true;
  do {
    if (!parser.parse_argument(arguments.emplace_back(), true)) return false;
    if (arguments.size() > ir::kMaxValuesPerOp) return parser.error_here("fewer arguments");
  } while (parser.consume(','));
  return parser.expect(')');
}

/// "num_warps(4)"
bool parse_warp_count(OpParser& parser, std::vector<std::int64_t>& counts) {
  std::uint32_t count = 0;
  if (!parser.expect_word("num_warps") || !parser.expect('(') || !parser.parse_uint32(count)) return false;
  counts.push_back(static_cast<std::int32_t>(count));
  return parser.expect(')');
}

/// The regions "partition0 ... {}", "partition1 ... {}", as many as there are.
bool parse_partitions(OpParser& parser, Op& op, bool has_arguments, std::string_view warps) {
  std::vector<std::int64_t> counts;
  while (parser.consume_word("partition" + std::to_string(counts.size()))) {
    if (counts.size() == kMaxPartitions) return parser.error_here("at most 16 partitions");
    std::vector<ArgumentName> arguments;
    if (has_arguments && !parse_partition_arguments(parser, arguments)) return false;
    if (!parse_warp_count(parser, counts) || !parser.parse_region(op.add_region(), arguments)) return false;
  }
  op.set_attribute(warps, parser.context().dense_array(parser.context().integer(32), std::move(counts)));
  return true;
}

void print_warp_count(OpPrinter& printer, const Op& op, std::size_t partition, std::string_view warps) {
  const ir::Attribute counts = op.attribute(warps);
  const bool is_known = counts.is_dense_array() && partition < counts->values.size();
  printer << "num_warps(" << (is_known ? std::to_string(counts->values[partition]) : "0") << ") ";
}

void print_partition_head(OpPrinter& printer, std::size_t partition) {
  printer.print_newline();
  printer << "partition" << std::to_string(partition);
}

}  // namespace

bool parse_warp_specialize(OpParser& parser, Op& op) {
  std::vector<OperandName> captures;
  if (!parser.expect('(') || !parser.parse_operands(captures) || !parser.expect(')')) return false;
  if (parser.consume_word("attributes") && !parser.parse_optional_attributes(op)) return false;
  if (!parser.expect_word("default") || !parser.parse_region(op.add_region(), {})) return false;
  if (!parse_partitions(parser, op, true, "partitionNumWarps") || !parser.expect(':')) return false;
  std::vector<Type> inputs;
  std::vector<Type> results;
  if (!parser.parse_signature(inputs, results) || !parser.add_operands(op, captures, inputs)) return false;
  for (const Type type : results) op.add_result(type);
  return true;
}

void print_warp_specialize(OpPrinter& printer, const Op& op) {
  printer << "(";
  printer.print_values(op.operands());
  printer << ")";
  printer.print_attributes(op, {"partitionNumWarps"}, true);
  printer.print_newline();
  printer << "default ";
  printer.print_region(op.region(0), false, true);
  for (std::size_t i = 1; i < op.regions().size(); ++i) {
    const Region& region = op.region(i);
    print_partition_head(printer, i - 1);
    printer << "(";
    const std::size_t count = region.empty() ? 0 : region.front().arguments().size();
    for (std::size_t k = 0; k < count; ++k) {
      if (k != 0) printer << ", ";
      printer.print_argument(*region.front().argument(k), {});
    }
    printer << ") ";
    print_warp_count(printer, op, i - 1, "partitionNumWarps");
    printer.print_region(region, false, true);
  }
  std::vector<Type> inputs;
  std::vector<Type> results;
  for (const Value* capture : op.operands()) inputs.push_back(capture->type());
  for (std::size_t i = 0; i < op.result_count(); ++i) results.push_back(op.result(i)->type());
  printer << " : ";
  printer.print_function_type(inputs, results);
}

bool parse_warp_group(OpParser& parser, Op& op) {
  if (parser.consume_word("attributes") && !parser.parse_optional_attributes(op)) return false;
  if (!parse_partitions(parser, op, false, "numWarps")) return false;
  std::vector<Type> results;
  if (parser.consume(':') && !parser.parse_function_results(results)) return false;
  for (const Type type : results) op.add_result(type);
  return true;
}

void print_warp_group(OpPrinter& printer, const Op& op) {
  printer.print_attributes(op, {"numWarps"}, true);
  for (std::size_t i = 0; i < op.regions().size(); ++i) {
    print_partition_head(printer, i);
    printer << " ";
    print_warp_count(printer, op, i, "numWarps");
    printer.print_region(op.region(i), false, true);
  }
  if (op.result_count() == 0) return;
  printer << " : ";
  for (std::size_t i = 0; i < op.result_count(); ++i) printer << (i == 0 ? "" : ", ") << op.result(i)->type();
}

}  // namespace lockstep::dialects
