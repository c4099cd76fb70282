#include "interpreter/libdevice/catalogue.h"

#include <algorithm>

#include "interpreter/libdevice/bessel.h"
#include "interpreter/libdevice/elementary.h"
#include "interpreter/libdevice/integer.h"
#include "interpreter/libdevice/rounding.h"
#include "interpreter/libdevice/rows.h"
#include "interpreter/libdevice/special.h"

namespace lockstep::interpreter::libdevice {
namespace {

#define LIBDEVICE_UNWRAP(...) __VA_ARGS__
#define LIBDEVICE(symbol, function, ulp, absolute, cuda_ulp, worst, note) \
  row_of<LIBDEVICE_UNWRAP function>(LIBDEVICE_UNWRAP function, "__nv_" #symbol, ulp, absolute, cuda_ulp, worst, note),
constexpr Function kFunctions[] = {
#include "interpreter/libdevice/table.def"
};
#undef LIBDEVICE
#undef LIBDEVICE_UNWRAP

static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions),
                             [](const Function& a, const Function& b) { return a.symbol < b.symbol; }));

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find(std::string_view symbol) {
  const auto* found = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), symbol,
                                       [](const Function& one, std::string_view name) { return one.symbol < name; });
  return found != std::end(kFunctions) && found->symbol == symbol ? found : nullptr;
}

}  // namespace lockstep::interpreter::libdevice
