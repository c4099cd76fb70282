#include "backend_cuda/device/tensor_map.h"

namespace lockstep::backend_cuda {
namespace {

// The copy engine's limits. Source: CUDA 13.0 driver API, cuTensorMapEncodeTiled.
constexpr std::int64_t kAddressUnit = 16, kMostStride = std::int64_t{1} << 40, kMostExtent = std::int64_t{1} << 32;

/// 0 if the divisor does not divide it.
std::int64_t value_of(const LaunchNumber& number, const std::function<std::int64_t(int)>& value) {
  std::int64_t product = number.factor;
  for (const int parameter : number.parameters) product *= value(parameter);
  product += number.offset;
  return product % number.divisor == 0 ? product / number.divisor : 0;
}

/// CUtensorMapSwizzle for rows of so many bytes (prelude: Panels).
int swizzle_of(std::int64_t bytes) { return bytes >= 128 ? 3 : bytes >= 64 ? 2 : 1; }

std::string number_text(const LaunchNumber& number) {
  std::string text = "[" + std::to_string(number.factor) + ", [";
  for (std::size_t i = 0; i < number.parameters.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(number.parameters[i]);
  return text + "], " + std::to_string(number.offset) + ", " + std::to_string(number.divisor) + "]";
}

}  // namespace

bool numbers_of(const TensorMap& map, std::uint64_t address, const std::function<std::int64_t(int)>& value,
                MapNumbers& numbers) {
  if (address == 0 || address % kAddressUnit != 0) return false;
  const int bytes = size_bytes(map.kind);
  for (std::size_t i = 0; i < map.dimensions.size(); ++i) {
    const MapDimension& dimension = map.dimensions[i];
    const std::int64_t extent = value_of(dimension.extent, value);
    const std::int64_t stride = value_of(dimension.stride, value) * bytes;
    if (extent <= 0 || extent > kMostExtent) return false;
    if (i > 0 && (stride <= 0 || stride % kAddressUnit != 0 || stride >= kMostStride)) return false;
    numbers.extents.push_back(static_cast<std::uint64_t>(extent));
    if (i > 0) numbers.strides.push_back(static_cast<std::uint64_t>(stride));
    numbers.boxes.push_back(static_cast<std::uint32_t>(dimension.box));
    numbers.steps.push_back(1);
  }
  numbers.swizzle = swizzle_of(std::int64_t{map.dimensions.front().box} * bytes);
  return true;
}

std::string text_of(const TensorMap& map) {
  std::string text = R"({"parameter": )" + std::to_string(map.parameter) + R"(, "type": ")" +
                     std::string(spelling(map.kind)) + R"(", "dimensions": [)";
  for (std::size_t i = 0; i < map.dimensions.size(); ++i) {
    const MapDimension& dimension = map.dimensions[i];
    text += std::string(i == 0 ? "" : ", ") + R"({"extent": )" + number_text(dimension.extent) + R"(, "stride": )" +
            number_text(dimension.stride) + R"(, "box": )" + std::to_string(dimension.box) + "}";
  }
  return text + "]}";
}

}  // namespace lockstep::backend_cuda
