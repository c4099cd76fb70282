#include "cli/outputs.h"

#include <algorithm>
#include <cstring>

#include "cli/quantities.h"
#include "host/arguments.h"
#include "support/float_formats.h"

namespace lockstep::cli {
namespace {

constexpr std::uint64_t kMaxReferenceBytes = std::uint64_t{16} << 30;

std::size_t element_bytes(const host::Array& array) { return static_cast<std::size_t>(size_bytes(array.element)); }

std::uint64_t element_bits(const host::Array& array, std::size_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data.data() + index * element_bytes(array), element_bytes(array));
  return bits;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "[" + text + "]";
}

std::string index_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % std::max<std::int64_t>(shape[d], 1);
    flat /= std::max<std::int64_t>(shape[d], 1);
  }
  return shape_text(index);
}

std::string difference_text(const char* which, const host::Array& output, const compare::Difference& difference) {
  std::string text = std::string("\n  ") + which + ": at " + index_text(difference.element, output.shape) + " it is " +
                     format_number(difference.actual) + ", expected " + format_number(difference.expected);
  text += ", off by " + format_number(difference.absolute);
  if (is_float(output.element) && difference.ulp < INT64_MAX) text += " (" + std::to_string(difference.ulp) + " ULP)";
  return text;
}

std::string place_text(const FileRequest& request) {
  return request.path + (request.key.empty() ? "" : ":" + request.key);
}

Status reference_status(const FileRequest& request, const std::string& what, const std::string& hint) {
  return {"LS2205", "--expect " + request.name + ": " + place_text(request) + " " + what, hint};
}

host::Array rounded_to(const host::Array& reference, ScalarKind kind) {
  host::Array rounded;
  rounded.element = kind;
  rounded.shape = reference.shape;
  const std::size_t count = reference.data.size() / element_bytes(reference);
  rounded.data.resize(count * static_cast<std::size_t>(size_bytes(kind)));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = encode_float(kind, decode_float(reference.element, element_bits(reference, i)));
    std::memcpy(rounded.data.data() + i * element_bytes(rounded), &bits, element_bytes(rounded));
  }
  return rounded;
}

}  // namespace

Expected<FileRequest, Status> parse_file_request(const std::string& option, const std::string& text) {
  DiagnosticSink sink;
  const std::optional<host::ArgumentText> argument = host::parse_argument(text, sink);
  const auto* spec = argument ? std::get_if<host::TensorSpec>(&argument->value) : nullptr;
  if (spec == nullptr || spec->kind != host::TensorSpec::Kind::file) {
    return Unexpected{Status{"LS2203", option + " " + text + " is not NAME=@FILE", "for example " + option + " out=@out.npy"}};
  }
  return FileRequest{argument->name, spec->path, spec->key, spec->read_as};
}

host::Array copy_view(const memory_model::AddressSpace& memory, memory_model::ViewId id) {
  const memory_model::View& view = memory.view(id);
  host::Array array;
  array.element = view.element;
  array.shape = view.shape;
  const auto bytes = static_cast<std::size_t>(size_bytes(view.element));
  const auto count = static_cast<std::size_t>(view.element_count());
  array.data.resize(count * bytes);
  std::vector<std::int64_t> index(view.shape.size(), 0);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const memory_model::Address address = view.base + static_cast<std::uint64_t>(offset) * bytes;
    std::memcpy(array.data.data() + i * bytes, reinterpret_cast<const void*>(address), bytes);   // NOLINT
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += view.strides[d];
      if (++index[d] < view.shape[d]) break;
      offset -= view.strides[d] * view.shape[d];
      index[d] = 0;
    }
  }
  return array;
}

Expected<host::Array, Status> read_reference(const FileRequest& request, const host::Array& output) {
  auto read = request.key.empty() ? host::read_npy(request.path, kMaxReferenceBytes)
                                  : host::read_npz(request.path, request.key, kMaxReferenceBytes);
  if (!read) return read;
  host::Array reference = std::move(*read);
  const bool holds_bits = is_integer(reference.element) && size_bytes(reference.element) == size_bytes(output.element);
  if (request.read_as && holds_bits && size_bytes(*request.read_as) == size_bytes(reference.element)) {
    reference.element = *request.read_as;
  } else if (holds_bits && (output.element == ScalarKind::bf16 || is_float8(output.element))) {
    reference.element = output.element;    // what --save writes
  }
  if (reference.shape != output.shape) {
    return Unexpected{reference_status(request, "has shape " + shape_text(reference.shape) + ", " + request.name + " has " +
                                                    shape_text(output.shape), "save the reference in the tensor's shape")};
  }
  if (reference.element == output.element) return reference;
  if (is_float(reference.element) && is_float(output.element)) return rounded_to(reference, output.element);
  return Unexpected{reference_status(request, "holds " + std::string(spelling(reference.element)) + ", " + request.name + " " +
                                                  std::string(spelling(output.element)), "save the reference in the tensor's type")};
}

ExpectResult check_expectation(const FileRequest& request, const host::Array& output, const host::Array& reference,
                               const compare::Tolerance& tolerance) {
  const std::uint64_t count = output.data.size() / element_bytes(output);
  const compare::Comparison result =
      compare::compare(output.element, output.data.data(), reference.data.data(), count, tolerance);
  ExpectResult expectation;
  expectation.is_equal = result.is_equal;
  if (result.is_equal) {
    expectation.text = "expected: " + request.name + " agrees with " + place_text(request) + " (" +
                       format_count(count, "element") + ", " + tolerance.to_string() + "; largest difference " +
                       format_number(result.max_absolute);
    if (is_float(output.element)) expectation.text += ", " + std::to_string(result.max_ulp) + " ULP";
    expectation.text += ")\n";
    return expectation;
  }
  expectation.text = "error: " + request.name + " differs from " + place_text(request) + " at " +
                     format_count(result.outside, "element") + " of " + std::to_string(count) + " (" + tolerance.to_string() + ")";
  if (result.first) expectation.text += difference_text("first", output, *result.first);
  if (result.worst) expectation.text += difference_text("worst", output, *result.worst);
  expectation.text += "\n";
  return expectation;
}

}  // namespace lockstep::cli
