#include "debugger/queries/pointer_lanes.h"

#include <array>
#include <cstring>

#include "debugger/engine/frame.h"
#include "debugger/expression/evaluate.h"
#include "debugger/expression/walk.h"
#include "debugger/queries/past.h"
#include "interpreter/access/bounds.h"
#include "interpreter/tile/dense.h"

namespace lockstep::debugger {

using LaneMark = LaneAddresses::LaneMark;

namespace {

/// The access path would make it.
bool is_admitted(const Engine& engine, std::int32_t provenance, std::uint64_t address, std::int64_t bytes) {
  interpreter::AddressBox one{};
  one.rank = 0;
  one.count = 1;
  one.origin = address;
  interpreter::set_bytes(one, static_cast<int>(bytes));
  return interpreter::box_is_inside(engine.machine(), provenance, one, static_cast<int>(bytes));
}

/// Marks lanes as on: row-major, one for all, or (empty) all on.
void mark_lanes(const Engine& engine, const std::string& on, LaneAddresses& lanes) {
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    const bool is_on = on.empty() || (on[on.size() == 1 ? 0 : i] & 1) != 0;
    const bool is_inside = is_on && is_admitted(engine, lanes.view, lanes.addresses[i], lanes.bytes);
    lanes.marks.push_back(!is_on ? LaneMark::off : is_inside ? LaneMark::inside : LaneMark::outside);
  }
}

void take_addresses(const std::string& bytes, std::int64_t count, LaneAddresses& lanes) {
  lanes.addresses.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    const std::size_t at = bytes.size() == sizeof(std::uint64_t) ? 0 : i * sizeof(std::uint64_t);
    std::memcpy(&lanes.addresses[i], bytes.data() + at, sizeof(std::uint64_t));
  }
}

/// The rows of a descriptor, as the access path finds them; those outside of its shape are off.
void take_rows(const Engine& engine, const interpreter::LaneLookup& lookup, LaneAddresses& lanes) {
  interpreter::AccessLanes found(engine.machine(), lookup);
  lanes.view = found.provenance();
  for (std::int64_t i = 0; i < found.count(); ++i) {
    lanes.addresses.push_back(found.address(i));
    lanes.marks.push_back(found.is_on(i) ? LaneMark::inside : LaneMark::off);
  }
}

/// For a block pointer or a descriptor: off where its shape is checked and the lane is outside.
void take_block(const Engine& engine, const interpreter::LaneLookup& lookup, LaneAddresses& lanes) {
  interpreter::Machine& machine = engine.machine();
  const interpreter::Access& access = lookup.block->shape.access;
  const interpreter::BlockLanes found =
      interpreter::find_block_lanes(machine, machine.slots[lookup.pointer], *lookup.pointer_type, *lookup.block);
  const interpreter::Temporary pointers(machine, make_contiguous(machine, found.pointer, *access.pointer));
  const interpreter::Temporary mask(machine, make_contiguous(machine, found.mask, *access.mask_type));
  lanes.view = found.pointer.provenance;
  const auto count = static_cast<std::size_t>(access.value->count);
  take_addresses({pointers->data(), count * sizeof(std::uint64_t)}, access.value->count, lanes);
  mark_lanes(engine, {mask->data(), count}, lanes);
}

}  // namespace

std::optional<LaneAddresses> access_lanes_of(const Engine& engine) {
  const Point* point = engine.point();
  const interpreter::LaneLookup* lookup = point == nullptr ? nullptr : engine.kernel().lookup(*point);
  if (lookup == nullptr) return std::nullopt;
  LaneAddresses lanes;
  lanes.shape = lookup->shape;
  lanes.bytes = lookup->bytes;
  if (lookup->block || lookup->rows != interpreter::kNoSlot) {
    lookup->block ? take_block(engine, *lookup, lanes) : take_rows(engine, *lookup, lanes);
    return lanes;
  }
  const Datum pointers = read(engine, lookup->pointer);
  lanes.view = pointers.provenance;
  take_addresses(pointers.bytes, element_count(lanes.shape), lanes);
  mark_lanes(engine, lookup->mask == interpreter::kNoSlot ? "" : read(engine, lookup->mask).bytes, lanes);
  return lanes;
}

namespace {

Unexpected<Problem> problem(std::string message, std::string hint = "") {
  return Unexpected{Problem{std::move(message), std::move(hint)}};
}

/// The first comma outside of brackets and quotes; npos: none.
std::size_t top_comma(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

/// The size of the element behind pointers: from the variable's type, else from the argument.
std::int64_t pointed_bytes(const Engine& engine, std::string_view name, std::int32_t view) {
  if (engine.point() != nullptr) {
    const Frame frame(engine);
    const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
    if (variable && variable->value->type().element().is_pointer()) {
      if (const auto kind = variable->value->type().element().pointee().scalar_kind()) return size_bytes(*kind);
    }
  }
  if (view < 0 || static_cast<std::size_t>(view) >= engine.memory().view_count()) return 0;
  return size_bytes(engine.memory().view(memory_model::ViewId{view}).element);
}

/// Arguments are pointers to their first elements, as in the kernel's own lines: x + row * stride + columns.
class KernelScope final : public Scope {
 public:
  explicit KernelScope(const Scope& inner) : inner_(inner) {}

  std::optional<Found> find(std::string_view name) const override {
    auto found = inner_.find(name);
    if (!found || !*found) return found;
    const auto* window = std::get_if<MemoryWindow>(&**found);
    if (window == nullptr) return found;
    Tensor pointer = Tensor::like(ElementClass::pointer, ScalarKind::i64, {});
    pointer.integers.push_back(static_cast<std::int64_t>(window->base));
    pointer.provenance = window->view;
    return Found(Value(std::move(pointer)));
  }
  std::optional<MemoryWindow> argument(std::string_view name) const override { return inner_.argument(name); }
  std::vector<std::string> names() const override { return inner_.names(); }
  bool has_variable(std::string_view name) const override { return inner_.has_variable(name); }
  std::optional<int> program_axis(std::string_view name) const override { return inner_.program_axis(name); }
  std::optional<std::array<std::int64_t, 3>> program_id() const override { return inner_.program_id(); }
  std::array<std::int64_t, 3> grid() const override { return inner_.grid(); }
  std::optional<std::int64_t> iteration(std::string_view loop) const override { return inner_.iteration(loop); }
  bool read(std::uint64_t address, std::size_t bytes, Age age, char* out) const override {
    return inner_.read(address, bytes, age, out);
  }
  PointerPlace place_of(std::uint64_t address, std::int32_t provenance) const override {
    return inner_.place_of(address, provenance);
  }
  Found reference(std::string_view name) const override { return inner_.reference(name); }

 private:
  const Scope& inner_;
};

bool are_pointers(const Evaluated& value) {
  const auto* tensor = value ? std::get_if<Tensor>(&*value) : nullptr;
  return tensor != nullptr && tensor->elements == ElementClass::pointer;
}

/// Elements of an argument, or pointers; for arguments, too, if the text means those.
Evaluated evaluate_pointers(const std::string& text, const Scope& scope) {
  auto value = evaluate(text, scope);
  if (are_pointers(value) || (value && std::holds_alternative<MemoryWindow>(*value))) return value;
  auto of_kernel = evaluate(text, KernelScope(scope));
  return are_pointers(of_kernel) ? std::move(of_kernel) : std::move(value);
}

Expected<LaneAddresses, Problem> lanes_of_window(const MemoryWindow& window) {
  if (window.count() > kMaxElements)
    return problem("these are more than " + std::to_string(kMaxElements) + " elements", "map out[:16]");
  LaneAddresses lanes;
  lanes.shape = window.shape;
  lanes.bytes = size_bytes(window.kind);
  lanes.view = window.view;
  walk<1>(window.shape, {window.strides}, [&](const std::array<std::int64_t, 1>& at) {
    lanes.addresses.push_back(window.base + static_cast<std::uint64_t>(at[0] * lanes.bytes));
    return true;
  });
  return lanes;
}

Expected<LaneAddresses, Problem> lanes_of_value(const Engine& engine, const std::string& text, const Value& value) {
  if (const auto* window = std::get_if<MemoryWindow>(&value)) return lanes_of_window(*window);
  const auto* pointers = std::get_if<Tensor>(&value);
  if (pointers == nullptr || pointers->elements != ElementClass::pointer)
    return problem("'" + text + "' is neither pointers nor elements of an argument", "map x_ptrs, map x + offsets");
  LaneAddresses lanes;
  lanes.shape = pointers->shape;
  lanes.view = pointers->provenance;
  lanes.bytes = pointed_bytes(engine, text, lanes.view);
  if (lanes.bytes == 0) return problem("'" + text + "' points into no known argument");
  for (const std::int64_t address : pointers->integers) lanes.addresses.push_back(static_cast<std::uint64_t>(address));
  return lanes;
}

/// One byte for each lane, or one for all.
Expected<std::string, Problem> mask_of(const std::string& text, const Scope& scope, const LaneAddresses& lanes) {
  const auto value = evaluate(text, scope);
  if (!value) return problem(value.error().message);
  const auto mask = tensor_of(*value, scope);
  if (!mask) return problem(mask.error());
  if (mask->elements != ElementClass::boolean || (mask->count() != 1 && mask->shape != lanes.shape))
    return problem("the mask '" + text + "' must be booleans of the pointers' shape " + index_text(lanes.shape));
  std::string on;
  for (const std::int64_t lane : mask->integers) on += static_cast<char>(lane);
  return on;
}

Expected<MappedAccess, Problem> map_expression(const Engine& engine, const Scope& scope, std::string_view text) {
  const std::size_t comma = top_comma(text);
  const std::string pointers(text.substr(0, comma));
  const auto value = evaluate_pointers(pointers, scope);
  if (!value) return problem(value.error().message);
  auto lanes = lanes_of_value(engine, pointers, *value);
  if (!lanes) return Unexpected{lanes.error()};
  std::string on;
  if (comma != std::string_view::npos) {
    const std::size_t begin = text.find_first_not_of(' ', comma + 1);
    auto mask = mask_of(std::string(begin == text.npos ? "" : text.substr(begin)), scope, *lanes);
    if (!mask) return Unexpected{mask.error()};
    on = std::move(*mask);
  }
  mark_lanes(engine, on, *lanes);
  return MappedAccess{std::move(*lanes), nullptr, pointers};
}

/// Steps in which a line without control flow reaches its last op.
std::uint64_t steps_of_line(const DebugKernel& kernel, const Point& from) {
  std::uint64_t last = from.number;
  for (const Point& other : kernel.points()) {
    if (other.number > from.number && other.place().same_line(from.place())) last = other.number;
  }
  return last - from.number + 1;
}

/// The access of the next op of this line with one.
Expected<std::optional<MappedAccess>, Problem> look_ahead(Engine& engine) {
  std::optional<MappedAccess> found;
  const Engine::ReturnMark home = engine.home();
  const Place line = engine.point()->place();
  const auto visit = [&] {
    if (found || engine.point() == nullptr || !engine.point()->place().same_line(line)) return;
    if (auto lanes = access_lanes_of(engine))
      found = MappedAccess{std::move(*lanes), engine.point(), std::string(engine.point()->op->spelling())};
  };
  const Mark end{home.mark.turn, home.mark.step + steps_of_line(engine.kernel(), *engine.point())};
  return ask_the_past(engine, [&](Engine::ScopedReplay&) {
    engine.replay(home.mark, end, visit, {});
    return std::move(found);
  });
}

}  // namespace

Expected<MappedAccess, Problem> find_mapped_access(Engine& engine, const Scope& scope, std::string_view text) {
  if (!text.empty()) return map_expression(engine, scope, text);
  if (engine.point() == nullptr) return problem("no program is at an access", "map out[:4] shows elements");
  if (auto lanes = access_lanes_of(engine))
    return MappedAccess{std::move(*lanes), engine.point(), std::string(engine.point()->op->spelling())};
  auto ahead = look_ahead(engine);
  if (!ahead) return Unexpected{ahead.error()};
  if (*ahead) return std::move(**ahead);
  return problem("this line touches no memory", "map POINTERS, or go to a load or a store: until op:tt.load");
}

const memory_model::View* mapped_view(const Engine& engine, const LaneAddresses& lanes) {
  const memory_model::AddressSpace& memory = engine.memory();
  if (lanes.view >= 0 && static_cast<std::size_t>(lanes.view) < memory.view_count())
    return &memory.view(memory_model::ViewId{lanes.view});
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    if (lanes.marks[i] != LaneMark::inside) continue;
    const auto storage = memory.find_storage(lanes.addresses[i]);
    const auto views = storage ? memory.views_of(*storage) : std::vector<memory_model::ViewId>{};
    return views.empty() ? nullptr : &memory.view(views.front());
  }
  return nullptr;
}

}  // namespace lockstep::debugger
