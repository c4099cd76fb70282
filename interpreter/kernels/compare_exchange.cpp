#include "interpreter/kernels/compare_exchange.h"

#include "interpreter/kernels/dispatch.h"

namespace lockstep::interpreter::kernels {

#if defined(__x86_64__)
namespace v2 {
CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned);
}
namespace v3 {
CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned);
}
namespace v4 {
CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned);
}
#else
namespace base {
CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned);
}
#endif

CompareExchangeFn compare_exchange_of(std::string_view isa, ScalarKind kind, bool is_unsigned) {
  if (table_of(isa) == nullptr) return nullptr;
  const Kind wanted = static_cast<Kind>(kind);
#if defined(__x86_64__)
  if (isa == "v4") return v4::find_compare_exchange(wanted, is_unsigned);
  if (isa == "v3") return v3::find_compare_exchange(wanted, is_unsigned);
  return v2::find_compare_exchange(wanted, is_unsigned);
#else
  return base::find_compare_exchange(wanted, is_unsigned);
#endif
}

CompareExchangeFn compare_exchange(ScalarKind kind, bool is_unsigned) {
  return compare_exchange_of(isa_name(), kind, is_unsigned);
}

}  // namespace lockstep::interpreter::kernels
