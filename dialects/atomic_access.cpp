// Single atomic loads, stores and waits, new in Triton 3.9.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kLibtriton = "libtriton 3.9.0, parsed and printed";
constexpr ir::AttributeSpec kSem{"sem", AttributeRule::enumeration, Presence::required, 0, &kSemantic};
constexpr ir::AttributeSpec kScopeAttribute{"scope", AttributeRule::enumeration, Presence::required, 0, &kScope};

}  // namespace

constexpr OpDef tt_atomic_load = since(
    "3.9",
    row(Opcode::tt_atomic_load, {.summary = "result[i] = memory[ptr[i]] where mask[i], indivisibly; relaxed or acquire",
                                 .operands = {{"ptr", kPointer}, {"mask", TypeRule::boolean_like, Arity::optional}},
                                 .attributes = {kSem, kScopeAttribute},
                                 .results = {{"result"}},
                                 .form = "$sem, $scope, $ptr (, $mask)? attrs : signature",
                                 .relations = "mask=bool(ptr) result=pointee(ptr)",
                                 .verify = verify_atomic_load,
                                 .effects = Effects::read,
                                 .access = {.kind = MemoryAccess::Kind::atomic, .atomic = MemoryAccess::Atomic::load,
                                            .mask = 1},
                                 .evaluate = interpreter::evaluate_atomic_load,
                                 .emit_cuda = backend_cuda::emit_atomic,
                                 .enclose = enclosure::enclose_memory,
                                 .source = kLibtriton}));

constexpr OpDef tt_atomic_store =
    since("3.9", row(Opcode::tt_atomic_store,
                     {.summary = "memory[ptr[i]] = val[i] where mask[i], indivisibly; relaxed or release",
                      .operands = {{"ptr", kPointer}, {"val"}, {"mask", TypeRule::boolean_like, Arity::optional}},
                      .attributes = {kSem, kScopeAttribute},
                      .form = "$sem, $scope, $ptr, $val (, $mask)? attrs : type($ptr)",
                      .relations = "val=pointee(ptr) mask=bool(ptr)",
                      .verify = verify_atomic_store,
                      .effects = Effects::write,
                      .access = {.kind = MemoryAccess::Kind::atomic, .atomic = MemoryAccess::Atomic::store, .mask = 2,
                                 .value = 1},
                      .evaluate = interpreter::evaluate_atomic_store,
                      .emit_cuda = backend_cuda::emit_atomic,
                      .enclose = enclosure::enclose_memory,
                      .source = kLibtriton}));

constexpr OpDef tt_atomic_poll =
    since("3.9", row(Opcode::tt_atomic_poll,
                     {.summary = "waits until memory[ptr[i]] = expected[i]; result[i] = false where timeout_ns ran out",
                      .operands = {{"ptr", kPointer},
                                   {"expected", TypeRule::scalar_or_tile_of_integer},
                                   {"timeout_ns", TypeRule::i64, Arity::optional}},
                      .attributes = {kSem, kScopeAttribute},
                      .results = {{"result", TypeRule::boolean_like}},
                      .form = "$sem, $scope, $ptr, $expected (timeout $timeout_ns)? attrs : type($ptr), "
                              "type($expected) -> type($result)",
                      .relations = "timeout_ns=i64 expected=pointee(ptr) result=bool(ptr)",
                      .verify = verify_atomic_poll,
                      .effects = Effects::read,
                      .access = {.kind = MemoryAccess::Kind::atomic, .atomic = MemoryAccess::Atomic::poll, .value = 1},
                      .is_same_everywhere = false,
                      .evaluate = interpreter::evaluate_atomic_poll,
                      .emit_cuda = backend_cuda::emit_atomic,
                      .enclose = enclosure::enclose_memory,
                      .source = kLibtriton}));

}  // namespace lockstep::dialects
