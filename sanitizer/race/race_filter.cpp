#include "sanitizer/race/race_filter.h"

#include <algorithm>
#include <set>

#include "interpreter/access/access_lanes.h"
#include "interpreter/launch/prepared.h"
#include "ir/op_def.h"
#include "ir/walk.h"
#include "sanitizer/core/touched_facts.h"
#include "sanitizer/race/race_sites.h"

namespace lockstep::sanitizer {

using interpreter::LoggedRange;
using interpreter::PointerSet;
using interpreter::AccessTracking;

namespace {

bool is_fence(const ir::Op& op) {
  const ir::Attribute text = op.attribute("asm_string");
  if (!text) return false;
  return text->text.find("fence") != std::string::npos || text->text.find("membar") != std::string::npos;
}

/// The width of the memory that an atomic updates, if its pointer's type tells.
int width_of(const ir::Op& op) {
  const std::size_t moved = op.operand_count() > 1 ? 1 : 0;
  const auto kind = op.operand(moved)->type().element().scalar_kind();
  return kind ? size_bytes(*kind) : 0;
}

std::vector<bool> storages_in(const interpreter::RunRequest& request, const PointerSet& set) {
  std::vector<bool> storages(request.memory->storage_count(), set.is_unknown);
  for (const std::size_t i : set.arguments) {
    if (i >= request.arguments.size() || request.arguments[i].kind == interpreter::Argument::Kind::scalar) continue;
    const auto& view = request.memory->view(request.arguments[i].view);
    storages[static_cast<std::size_t>(request.memory->storage(view.storage).id.index)] = true;
  }
  return storages;
}

bool any(const std::vector<bool>& storages) {
  return std::find(storages.begin(), storages.end(), true) != storages.end();
}

interpreter::PreparedKernel::Separation separation_in(const LaunchContext& context) {
  return context.kernel != nullptr ? context.kernel->separation(context.request)
                                   : interpreter::PreparedKernel::Separation{};
}

bool is_watched(const LaunchContext& context, const RaceLook& look, const LoggedRange& range) {
  const auto storage = context.request.memory->find_storage(range.begin);
  return !storage || look.is_watched[static_cast<std::size_t>(storage->index)];
}

}  // namespace

RaceFacts race_facts(const ir::Module& module, const ir::Op& function) {
  RaceFacts facts;
  facts.effects = interpreter::effects_of(module, function);
  std::set<int> widths;
  ir::walk(module.op(), [&](const ir::Op& op) {
    facts.has_fences |= is_fence(op);
    if (!interpreter::touches_memory(op)) return;
    const RaceAccessKind kind = race_access_kind(op);
    facts.has_acquirers |= kind.reads && (kind.is_observed || (!kind.is_atomic && kind.may_spin));
    if (!kind.is_atomic) return;
    widths.insert(width_of(op));
    facts.mixes_atomics |= kind.is_cta;
  });
  facts.mixes_atomics |= widths.size() > 1;
  return facts;
}

RaceLook race_look(const LaunchContext& context, const RaceFacts& facts) {
  RaceLook look;
  const std::uint64_t programs = context.request.programs();
  const auto& effects = facts.effects;
  if (facts.has_fences || programs < 2 || programs > UINT32_MAX || (effects.written.empty() && effects.atomic.empty()))
    return look;
  const auto read = storages_in(context.request, effects.read), written = storages_in(context.request, effects.written);
  const auto atomic = storages_in(context.request, effects.atomic);
  const bool is_unknown = effects.written.is_unknown || effects.atomic.is_unknown ||
                          (effects.read.is_unknown && (any(written) || any(atomic)));
  const auto apart = is_unknown ? interpreter::PreparedKernel::Separation{} : separation_in(context);
  bool is_in_place = false;
  look.is_watched.resize(read.size());
  look.is_followed.resize(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const bool is_apart = !apart.storages.empty() && apart.storages[i] && !atomic[i];
    look.is_watched[i] = (written[i] && !is_apart) || (atomic[i] && (read[i] || facts.mixes_atomics));
    look.is_followed[i] = look.is_watched[i] || (atomic[i] && facts.has_acquirers);
    is_in_place |= look.is_watched[i] && written[i] && read[i];
  }
  look.needs.reads_memory = apart.reads_memory;
  if (!any(look.is_watched)) return look;
  look.needs.of_places = true;
  look.needs.steps = is_unknown;
  look.needs.may_suspect = !is_unknown;
  look.needs.suspicion_lasts = facts.has_acquirers && any(atomic);  // programs that wait for each other meet every time
  if (!is_unknown) look.needs.touches = is_in_place || any(atomic) ? AccessTracking::programs : AccessTracking::writes;
  if (look.needs.touches == AccessTracking::writes) look.needs.touches_again = AccessTracking::programs;
  return look;
}

bool may_have_raced(const LaunchContext& context, const RaceLook& look, const interpreter::LaunchReport& report) {
  if (report.touched == nullptr) return true;
  if (context.touches == AccessTracking::writes) return !context.touched->stored_each_byte_once();
  std::vector<LoggedRange> log;
  std::copy_if(report.touched->begin(), report.touched->end(), std::back_inserter(log),
               [&](const LoggedRange& range) { return is_watched(context, look, range); });
  return interpreter::chunks_overlap(log);
}

}  // namespace lockstep::sanitizer
