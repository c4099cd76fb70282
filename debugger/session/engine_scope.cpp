#include "debugger/session/engine_scope.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "debugger/expression/evaluate.h"
#include "debugger/session/buffers.h"
#include "interpreter/access/block.h"
#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

namespace {

/// Values of the kernel and of its callees, defined or passed.
template <typename Visit>
void for_each_value(const DebugKernel& kernel, Visit&& visit) {
  for (const Point& point : kernel.points()) {
    for (std::size_t i = 0; i < point.op->result_count(); ++i) visit(*point.op->result(i));
    if (point.op->position() != point.op->block()->ops().begin()) continue;
    for (const auto& argument : point.op->block()->arguments()) visit(*argument);
  }
}

const std::vector<std::unique_ptr<ir::Value>>& parameters_of(const Engine& engine) {
  return engine.kernel().function().region().front().arguments();
}

/// The element that strides would put at `offset` elements, greedily from the largest stride on.
std::vector<std::int64_t> index_at(const memory_model::View& view, std::int64_t offset) {
  std::vector<std::size_t> order(view.shape.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(view.strides[a]) > std::abs(view.strides[b]); });
  std::vector<std::int64_t> index(view.shape.size(), 0);
  for (const std::size_t d : order) {
    const std::int64_t stride = view.strides[d];
    if (stride == 0 || view.shape[d] == 1) continue;
    std::int64_t steps = offset / stride;
    if (offset % stride != 0 && (offset % stride < 0) != (stride < 0)) --steps;
    index[d] = steps;
    offset -= steps * stride;
  }
  return index;
}

}  // namespace

MemoryWindow window_of(const memory_model::View& view, const std::string& name) {
  return {name, view.element, view.base, view.shape, view.strides, view.id.index, Age::now};
}

std::optional<Frame> EngineScope::frame() const {
  const Point* point = engine_.point();
  if (point == nullptr) return std::nullopt;
  return Frame(engine_, level_ < point->frames.size() ? level_ : 0);
}

std::optional<MemoryWindow> EngineScope::window_of(const ir::Value& parameter, std::size_t number) const {
  const auto& arguments = engine_.request().arguments;
  if (number >= arguments.size() || arguments[number].kind == interpreter::Argument::Kind::scalar) return std::nullopt;
  return debugger::window_of(engine_.memory().view(arguments[number].view), name_of(parameter));
}

namespace {

/// "block [32,64] at [96,0] of x", "descriptor of x, block [32,64]".
std::string block_text(const Engine& engine, const Scope& scope, const Variable& variable) {
  interpreter::Machine& machine = engine.machine();
  const interpreter::BlockRecord record =
      interpreter::read_record(machine, machine.slots[variable.slot], machine.type_of(variable.slot));
  const PointerPlace place = scope.place_of(record.base, record.provenance);
  const std::string block = "block " + index_text(variable.value->type().pointee().shape());
  const std::string of = " of " + (place.argument.empty() ? "no argument" : place.argument);
  if (variable.value->type().is_descriptor()) return "descriptor" + of + ", " + block;
  return block + " at " + index_text({record.offset.begin(), record.offset.begin() + record.rank}) + of;
}

}  // namespace

Value EngineScope::value_of(const Variable& variable) const {
  if (variable.is_argument) {
    if (auto window = window_of(*variable.value, variable.value->index())) return std::move(*window);
  }
  if (interpreter::is_block_type(variable.value->type())) return block_text(engine_, *this, variable);
  if (variable.value->type().is_memdesc()) return descriptor_text(engine_, variable);
  Datum datum = debugger::read(engine_, variable.slot);
  return decode_tensor(datum.kind, std::move(datum.shape), datum.bytes, datum.provenance);
}

/// The parameters of the frame's function; none in the kernel's own frame.
const std::vector<PassedParameter>& EngineScope::parameters() const {
  static const std::vector<PassedParameter> none;
  const Point* point = engine_.point();
  if (point == nullptr || extras_.calls == nullptr || level_ + 1 >= point->frames.size()) return none;
  return extras_.calls->parameters(point->frames[level_], point->frames[level_ + 1]);
}

std::optional<Scope::Found> EngineScope::parameter(std::string_view name) const {
  const std::vector<PassedParameter>& all = parameters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PassedParameter& passed = all[i];
    if (passed.name != name) continue;
    EngineScope caller(engine_, extras_);
    caller.set_level(level_ + 1);
    auto value = evaluate(passed.words, caller);
    if (value) return Found(std::move(*value));
    const ir::Value* read = extras_.calls->argument(*engine_.point(), level_, i);
    const auto slot =
        read == nullptr ? interpreter::kNoSlot : engine_.kernel().slot_of(*read, engine_.point()->activation);
    if (slot != interpreter::kNoSlot) return Found(value_of({passed.name, read, slot, false}));
    return Found(Unexpected{"'" + passed.name + "' is " + passed.words + (passed.is_default ? "" : " in the caller") +
                            ", which has no value here: " + value.error().message});
  }
  return std::nullopt;
}

std::optional<Scope::Found> EngineScope::find(std::string_view name) const {
  if (const auto frame = this->frame()) {
    const auto variable = name.starts_with('%') ? frame->find_ssa(name) : frame->find(name);
    if (variable) return Found(value_of(*variable));
    if (auto passed = parameter(name)) return passed;
  }
  if (extras_.constants != nullptr) {
    for (const auto& [known, value] : *extras_.constants) {
      if (known == name) return Found(value);
    }
  }
  if (auto window = argument(name)) return Found(Value(std::move(*window)));
  if (engine_.point() == nullptr || !has_variable(name)) return std::nullopt;
  if (const auto axis = program_axis(name))
    return Found(Value(Tensor::of((*program_id())[static_cast<std::size_t>(*axis)])));
  return Found(Unexpected{"'" + std::string(name) + "' has no value here"});
}

std::optional<MemoryWindow> EngineScope::argument(std::string_view name) const {
  const auto& parameters = parameters_of(engine_);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (name_of(*parameters[i]) == name) return window_of(*parameters[i], i);
  }
  for (std::size_t i = 0; i < engine_.memory().view_count(); ++i) {  // arguments under their own names
    const auto& view = engine_.memory().view({static_cast<std::int32_t>(i)});
    if (view.name == name) return debugger::window_of(view, view.name);
  }
  return std::nullopt;
}

std::vector<std::string> EngineScope::names() const {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (const auto frame = this->frame()) {
    for (const Variable& variable : frame->variables()) add(variable.name);
    for (const PassedParameter& passed : parameters()) add(passed.name);
  }
  if (extras_.constants != nullptr) {
    for (const auto& [name, value] : *extras_.constants) add(name);
  }
  for (const auto& parameter : parameters_of(engine_)) {
    if (window_of(*parameter, parameter->index())) add(name_of(*parameter));
  }
  return names;
}

bool EngineScope::has_variable(std::string_view name) const {
  bool has = false;
  for_each_value(engine_.kernel(), [&](const ir::Value& value) {
    has = has || (name.starts_with('%') ? value.name() == name.substr(1) : name_of(value) == name);
  });
  for (const auto& [value, results] : engine_.kernel().definitions().results) {
    has = has || std::any_of(results.begin(), results.end(), [&](const auto& result) { return result.name == name; });
  }
  return has;
}

std::optional<int> EngineScope::program_axis(std::string_view name) const {
  std::optional<int> axis;
  bool is_other = false;
  for_each_value(engine_.kernel(), [&](const ir::Value& value) {
    if (name_of(value) != name) return;
    const ir::Op* made = value.defining_op();
    if (made == nullptr || !ir::is_program_id(*made)) {
      is_other = true;
      return;
    }
    const int here = static_cast<int>(made->integer_attribute("axis", 0));
    is_other = is_other || (axis && *axis != here);
    axis = here;
  });
  return is_other ? std::nullopt : axis;
}

std::optional<std::array<std::int64_t, 3>> EngineScope::program_id() const {
  if (engine_.point() == nullptr) return std::nullopt;
  const ProgramId id = engine_.program_id(engine_.program());
  return std::array<std::int64_t, 3>{id[0], id[1], id[2]};
}

std::optional<std::int64_t> EngineScope::iteration(std::string_view loop_variable) const {
  const auto frame = this->frame();
  if (!frame) return std::nullopt;
  for (const LoopPosition& loop : frame->loops()) {
    if (loop_variable.empty() || loop.variable == loop_variable) return loop.iteration;
  }
  return std::nullopt;
}

bool EngineScope::read(std::uint64_t address, std::size_t bytes, Age age, char* out) const {
  const auto storage = engine_.memory().find_storage(address);
  if (!storage || bytes > engine_.memory().storage(*storage).extent.end - address) return false;
  if (age == Age::before) return engine_.read_before(address, bytes, out);
  std::memcpy(out, interpreter::bytes_at(address), bytes);
  return true;
}

PointerPlace EngineScope::place_of(std::uint64_t address, std::int32_t provenance) const {
  const memory_model::AddressSpace& memory = engine_.memory();
  memory_model::ViewId id{provenance};
  if (!id || static_cast<std::size_t>(provenance) >= memory.view_count()) {
    const auto storage = memory.find_storage(address);
    const auto views = storage ? memory.views_of(*storage) : std::vector<memory_model::ViewId>{};
    if (views.empty()) return {};
    id = views.front();
  }
  const memory_model::View& view = memory.view(id);
  PointerPlace place;
  place.argument = view.name;
  place.shape = view.shape;
  place.offset = static_cast<std::int64_t>(address - view.base);
  const std::int64_t size = size_bytes(view.element);
  if (size > 0 && place.offset % size == 0) place.index = index_at(view, place.offset / size);
  const auto bytes = static_cast<std::uint32_t>(size);
  place.is_inside = view.has_footprint ? view.contains(address, bytes) : view.completed().contains(address, bytes);
  return place;
}

Scope::Found EngineScope::reference(std::string_view name) const {
  if (extras_.reference == nullptr || !*extras_.reference)
    return Unexpected{std::string("there is no reference: debug a capsule with outputs, or give --expect NAME=@FILE")};
  return (*extras_.reference)(name);
}

}  // namespace lockstep::debugger
