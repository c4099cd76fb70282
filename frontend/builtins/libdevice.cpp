#include "frontend/builtins/libdevice.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/builtins/builtin_rows.h"

namespace lockstep::frontend {

namespace {

constexpr auto kSymbols = std::to_array<LibdeviceSymbol>({
#define LOCKSTEP_LIBDEVICE(function, arguments, result, symbol) {#function, arguments, (result)[0], symbol},
#include "support/libdevice_symbols.def"
#undef LOCKSTEP_LIBDEVICE
});

struct Letter {
  char letter;
  Scalar scalar;
};
constexpr std::array<Letter, 9> kLetters{{{'s', Scalar::int16},
                                          {'i', Scalar::int32},
                                          {'l', Scalar::int64},
                                          {'u', Scalar::uint32},
                                          {'q', Scalar::uint64},
                                          {'h', Scalar::fp16},
                                          {'b', Scalar::bf16},
                                          {'f', Scalar::fp32},
                                          {'d', Scalar::fp64}}};

constexpr std::array<std::string_view, 5> kSignatures{"", "arg0", "arg0, arg1", "arg0, arg1, arg2",
                                                      "arg0, arg1, arg2, arg3"};

constexpr auto kCudaFunctions = std::to_array<Builtin>({
    {"globaltimer", "", rows::cuda_globaltimer},
    {"smid", "", rows::cuda_smid},
    {"num_threads", "", rows::cuda_warps},
    {"num_warps", "", rows::cuda_warps},
    {"gdc_wait", "", rows::cuda_grid_dependency},
    {"gdc_launch_dependents", "", rows::cuda_grid_dependency},
    {"convert_custom_float8_sm70", "arg, dst_ty, fp_downcast_rounding=None", rows::cuda_custom_float8},
    {"convert_custom_float8_sm80", "arg, dst_ty, fp_downcast_rounding=None", rows::cuda_custom_float8},
});

std::vector<Builtin> make_functions() {
  std::vector<Builtin> functions;
  for (const LibdeviceSymbol& symbol : kSymbols) {
    if (functions.empty() || functions.back().name != symbol.function)
      functions.push_back({symbol.function, kSignatures.at(symbol.arguments.size()), rows::libdevice});
  }
  return functions;
}

template <typename Rows>
const Builtin* find_in(const Rows& rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Builtin& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const Builtin* find_libdevice_function(std::string_view name) {
  static const std::vector<Builtin> kFunctions = make_functions();
  return find_in(kFunctions, name);
}

const Builtin* find_cuda_function(std::string_view name) { return find_in(kCudaFunctions, name); }

const LibdeviceSymbol* find_libdevice_symbol(std::string_view function, std::string_view arguments) {
  const auto found = std::find_if(kSymbols.begin(), kSymbols.end(), [&](const LibdeviceSymbol& row) {
    return row.function == function && row.arguments == arguments;
  });
  return found == kSymbols.end() ? nullptr : &*found;
}

char libdevice_letter(const DType& type) {
  for (const Letter& row : kLetters) {
    if (!type.is_ptr() && type.scalar() == row.scalar) return row.letter;
  }
  return '?';
}

DType libdevice_type(char letter) {
  for (const Letter& row : kLetters) {
    if (row.letter == letter) return DType(row.scalar);
  }
  return DType(Scalar::int32);
}

std::string libdevice_signatures(std::string_view function) {
  std::string text;
  for (const LibdeviceSymbol& row : kSymbols) {
    if (row.function != function) continue;
    std::vector<std::string> names;
    for (const char letter : row.arguments) names.push_back(libdevice_type(letter).name());
    text += fmt::format("{}({})", text.empty() ? "" : " or ", fmt::join(names, ", "));
  }
  return text;
}

}  // namespace lockstep::frontend
