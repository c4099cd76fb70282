// Memory through pointers and block pointers. Lanes whose mask is false touch no memory.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {


}  // namespace

constexpr OpDef tt_load =
    row(Opcode::tt_load,
        {.summary = "result[i] = mask[i] ? memory[ptr[i]] : other[i]",
         .operands = {{"ptr", kPointer},
                      {"mask", TypeRule::boolean_like, Arity::optional},
                      {"other", TypeRule::any, Arity::optional}},
         .attributes = {{"boundaryCheck", AttributeRule::dense_array_i32, Presence::defaulted},
                        {"padding", AttributeRule::enumeration, Presence::optional, 0, &kPadding},
                        {"cache", AttributeRule::enumeration, Presence::defaulted, 1, &kCacheModifier},
                        {"evict", AttributeRule::enumeration, Presence::defaulted, 1, &kEvictionPolicy},
                        {"isVolatile", AttributeRule::boolean, Presence::defaulted, 0}},
         .results = {{"result"}},
         .form = "$ptr (, $mask)? (, $other)? (cacheModifier = $cache)? (evictionPolicy = $evict)? attrs : type($ptr)",
         .relations = "mask=bool(ptr) other=pointee(ptr) result=pointee(ptr)",
         .effects = Effects::read,
         .source = kTritonOps,
         .note = "S-50, S-51: a lane that is masked off or outside reads other, or 0"});

constexpr OpDef tt_store =
    row(Opcode::tt_store,
        {.summary = "memory[ptr[i]] = value[i] where mask[i]",
         .operands = {{"ptr", kPointer}, {"value"}, {"mask", TypeRule::boolean_like, Arity::optional}},
         .attributes = {{"boundaryCheck", AttributeRule::dense_array_i32, Presence::defaulted},
                        {"cache", AttributeRule::enumeration, Presence::defaulted, 1, &kCacheModifier},
                        {"evict", AttributeRule::enumeration, Presence::defaulted, 1, &kEvictionPolicy}},
         .form = "$ptr, $value (, $mask)? (cacheModifier = $cache)? (evictionPolicy = $evict)? attrs : type($ptr)",
         .relations = "value=pointee(ptr) mask=bool(ptr)",
         .effects = Effects::write,
         .source = kTritonOps,
         .note = "S-50 to S-52: lanes that share an address, the last one wins"});

constexpr OpDef tt_make_tensor_ptr =
    row(Opcode::tt_make_tensor_ptr,
        {.summary = "result = a block pointer: base, shape, strides and the block's offsets, in elements",
         .operands = {{"base", TypeRule::pointer},
                      {"shape", TypeRule::i64, Arity::variadic},
                      {"strides", TypeRule::i64, Arity::variadic},
                      {"offsets", TypeRule::i32, Arity::variadic}},
         .attributes = {{"order", AttributeRule::dense_array_i32}},
         .results = {{"result", TypeRule::pointer}},
         .equal_variadic_groups = true,
         .form = "$base, [ $shape ], [ $strides ], [ $offsets ] attrs : base($result)",
         .relations = "base=block_base(result) shape=i64 strides=i64 offsets=i32",
         .defined_if = ir::Definedness::everything,
         .source = kTritonOps,
         .note = "S-60",
         .until = "3.7"});

constexpr OpDef tt_advance =
    row(Opcode::tt_advance, {.summary = "result = the block pointer ptr with offsets added to its own",
                             .operands = {{"ptr", TypeRule::pointer}, {"offsets", TypeRule::i32, Arity::variadic}},
                             .results = {{"result", TypeRule::pointer}},
                             .form = "$ptr, [ $offsets ] attrs : base($result)",
                             .relations = "ptr=result offsets=i32",
                             .defined_if = ir::Definedness::everything,
                             .source = kTritonOps,
                             .note = "S-60",
                             .until = "3.7"});

constexpr OpDef tt_atomic_rmw = row(
    Opcode::tt_atomic_rmw,
    {.summary = "result[i] = memory[ptr[i]]; memory[ptr[i]] = OP(memory[ptr[i]], val[i]) where mask[i], indivisibly",
     .operands = {{"ptr", kPointer}, {"val"}, {"mask", TypeRule::boolean_like, Arity::optional}},
     .attributes = {{"atomic_rmw_op", AttributeRule::enumeration, Presence::required, 0, &kAtomicOp},
                    {"sem", AttributeRule::enumeration, Presence::required, 0, &kSemantic},
                    {"scope", AttributeRule::enumeration, Presence::required, 0, &kScope}},
     .results = {{"result"}},
     .form = "$atomic_rmw_op, $sem, $scope, $ptr, $val (, $mask)? attrs : signature",
     .relations = "val=pointee(ptr) mask=bool(ptr) result=pointee(ptr)",
     .effects = Effects::read_write,
     .source = kTritonOps,
     .note = "S-64: fadd of f32 flushes subnormals, as a GPU does"});

constexpr OpDef tt_atomic_cas =
    row(Opcode::tt_atomic_cas,
        {.summary = "result[i] = memory[ptr[i]]; if it equals cmp[i], memory[ptr[i]] = val[i], indivisibly",
         .operands = {{"ptr", kPointer}, {"cmp"}, {"val"}},
         .attributes = {{"sem", AttributeRule::enumeration, Presence::required, 0, &kSemantic},
                        {"scope", AttributeRule::enumeration, Presence::required, 0, &kScope}},
         .results = {{"result"}},
         .form = "$sem, $scope, $ptr, $cmp, $val attrs : signature",
         .relations = "cmp=pointee(ptr) val=pointee(ptr) result=pointee(ptr)",
         .effects = Effects::read_write,
         .source = kTritonOps,
         .note = "S-64: compares bits"});

}  // namespace lockstep::ops
