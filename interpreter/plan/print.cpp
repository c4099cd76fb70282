#include "interpreter/plan/print.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "interpreter/launch/name_op.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"
#include "ir/breakpoint.h"
#include "support/float_formats.h"

namespace lockstep::interpreter {

namespace {

constexpr std::int64_t kLineCost = 1000;  // a line goes through a terminal or a callback

struct Print {
  std::string prefix;
  bool is_hex = false;
  std::vector<Slot> values;
  std::vector<bool> is_signed;
};

/// An integer in printf's form: at least 32 bits, extended by its signedness.
unsigned long long promoted(ScalarKind kind, std::uint64_t bits, bool is_signed) {
  if (!is_signed || kind == ScalarKind::i1) return truncate_bits(kind, bits);
  const std::int64_t value = sign_extend(kind, bits);
  return bit_width(kind) == 64 ? static_cast<unsigned long long>(value) : static_cast<std::uint32_t>(value);
}

/// The conversions of Triton 3.6's device printf: %f, %i, %u, %p and 0x%0Nx; 8-bit floats are their bits (%u).
std::string element_text(ScalarKind kind, std::uint64_t bits, bool is_hex, bool is_signed) {
  char text[400];
  if (kind == ScalarKind::pointer) {
    if (bits == 0) return "(nil)";
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  } else if (is_hex) {
    const auto shown = is_float(kind) ? truncate_bits(kind, bits) : promoted(kind, bits, is_signed);
    std::snprintf(text, sizeof text, "0x%0*llx", std::max(1, bit_width(kind) / 4),
                  static_cast<unsigned long long>(shown));
  } else if (is_float(kind) && !is_float8(kind)) {
    std::snprintf(text, sizeof text, "%f", decode_float(kind, bits));
  } else if (is_signed && kind != ScalarKind::i1 && !is_float8(kind)) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(sign_extend(kind, bits)));
  } else {
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(truncate_bits(kind, bits)));
  }
  return text;
}

/// Indices are padded to the width of their dimension's largest one.
std::string index_text(const TileType& type, std::int64_t element) {
  std::vector<std::int64_t> index(type.shape.size());
  for (std::size_t d = type.shape.size(); d-- > 0;) {
    index[d] = element % type.shape[d];
    element /= type.shape[d];
  }
  std::string text;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const std::string digits = std::to_string(index[d]), widest = std::to_string(type.shape[d] - 1);
    text += (d == 0 ? "" : ", ") + std::string(widest.size() - digits.size(), ' ') + digits;
  }
  return "(" + text + ")";
}

void put(const Machine& machine, const std::string& line) {
  if (*machine.launch.print) {
    (*machine.launch.print)(line);
  } else {
    std::cout << line;
  }
}

const Step* step_print(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const Print*>(step->record);
  const auto& id = machine.program->id;
  const std::string head =
      "pid (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
  if (record.values.empty()) put(machine, head + record.prefix + "\n");
  for (std::size_t v = 0; v < record.values.size(); ++v) {
    const TileType& type = machine.type_of(record.values[v]);
    const Temporary packed(machine, make_contiguous(machine, machine.slots[record.values[v]], type));
    const std::string which = record.values.size() > 1 ? "(operand " + std::to_string(v) + ") " : "";
    for (std::int64_t i = 0; i < type.count; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, packed->data() + i * type.element_bytes, static_cast<std::size_t>(type.element_bytes));
      put(machine, head + " idx " + index_text(type, i) + record.prefix + which +
                       element_text(type.kind, bits, record.is_hex, record.is_signed[v]) + "\n");
      if (!machine.poll(kLineCost)) {
        machine.program->next = step;
        return nullptr;
      }
    }
  }
  return step + 1;
}

struct Assert {
  std::string message;
};

const Step* step_assert(Machine& machine, const Step* step) {
  const TileType& type = machine.type_of(step->operand[0]);
  const Temporary packed(machine, make_contiguous(machine, machine.slots[step->operand[0]], type));
  std::uint64_t failures = 0;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < type.count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, packed->data() + i * type.element_bytes, static_cast<std::size_t>(type.element_bytes));
    if (truncate_bits(type.kind, bits) != 0) continue;
    if (failures++ == 0) first = i;
  }
  if (failures != 0) {
    const Site& site = machine.plan->sites[step->site];
    Finding finding;
    finding.code = FindingCode::LS120;
    if (!machine.launch.asserts_are_errors) finding.tier = Tier::warning;
    finding.message = "device assert failed: " + static_cast<const Assert*>(step->record)->message;
    finding.location = site.location;
    name_op(finding, *site.op);
    finding.program = machine.program->id;
    finding.count = failures;
    std::int64_t rest = first;
    finding.lane.resize(type.shape.size());
    for (std::size_t d = type.shape.size(); d-- > 0;) {
      finding.lane[d] = rest % type.shape[d];
      rest /= type.shape[d];
    }
    machine.report(std::move(finding), step);
  }
  return machine.finish(step);
}

std::string string_attribute(const ir::Op& op, std::string_view name) {
  const ir::Attribute value = op.attribute(name);
  return value && value.is_string() ? value->text : std::string();
}

}  // namespace

bool evaluate_print(PlanBuilder& builder, const ir::Op& op) {
  if (ir::is_breakpoint(op)) return true;
  Print record;
  record.prefix = string_attribute(op, "prefix");
  record.is_hex = op.integer_attribute("hex", 0) != 0;
  const ir::Attribute is_signed = op.attribute("isSigned");
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    record.values.push_back(slot);
    record.is_signed.push_back(!is_signed || i >= is_signed->values.size() || is_signed->values[i] != 0);
  }
  builder.append_bare(step_print, op).record = builder.record(std::move(record));
  return true;
}

bool evaluate_assert(PlanBuilder& builder, const ir::Op& op) {
  if (builder.operand(op, 0) == kNoSlot) return false;
  builder.append(step_assert, op).record = builder.record(Assert{string_attribute(op, "message")});
  return true;
}

}  // namespace lockstep::interpreter
