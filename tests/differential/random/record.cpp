#include "record.h"

#include <zlib.h>

#include <cstring>

namespace lockstep::differential_tests {
namespace {

constexpr std::size_t kLargest = 64 << 20;  // of an entry, inflated

class Writer {
 public:
  void number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i));
  }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// After the first thing that does not fit, everything is 0 and "".
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::uint64_t number() {
    constexpr std::size_t kSize = 8;
    std::uint64_t value = 0;
    if (!has(kSize)) return 0;
    for (std::size_t i = 0; i < kSize; ++i) value |= std::uint64_t{static_cast<unsigned char>(left_[i])} << (8 * i);
    left_.remove_prefix(kSize);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (!has(size)) return "";
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  /// Of things that take eight bytes at least.
  std::uint64_t count() {
    const std::uint64_t value = number();
    return value <= left_.size() / 8 ? value : (is_good_ = false, 0);
  }
  bool is_at_end() const { return is_good_ && left_.empty(); }

 private:
  bool has(std::uint64_t size) { return is_good_ = is_good_ && size <= left_.size(); }
  std::string_view left_;
  bool is_good_ = true;
};

std::string serialised(const RecordedKernel& kernel) {
  const Recipe& recipe = kernel.recipe;
  Writer out;
  out.text(recipe.name);
  out.text(recipe.file.empty() ? recipe.text : "");
  for (const std::int64_t extent : recipe.grid) out.number(static_cast<std::uint64_t>(extent));
  for (const int number : {recipe.target.capability, recipe.target.warps, recipe.target.stages})
    out.number(static_cast<std::uint64_t>(number));
  out.number(recipe.target.contracts ? 1 : 0);
  out.number(recipe.argument_seed);
  out.number(recipe.parameters.size());
  for (const auto& parameter : recipe.parameters) {
    out.text(parameter.name);
    out.text(parameter.type);
    out.number(static_cast<std::uint64_t>(parameter.elements));
    out.number(static_cast<std::uint64_t>(parameter.number));
  }
  out.text(kernel.text_key);
  out.number(kernel.written.size());
  for (const RecordedTensor& tensor : kernel.written) {
    out.number(tensor.place);
    out.text(tensor.bytes);
  }
  return out.bytes();
}

bool is_sensible(const Recipe& recipe) {
  constexpr std::int64_t kMost = 1 << 24;
  for (const auto& parameter : recipe.parameters) {
    const bool is_pointer = parameter.type.starts_with("*");
    if (parameter.name.empty() || parameter.type.empty() || parameter.elements < 0 || parameter.elements > kMost)
      return false;
    if (is_pointer && !parse_scalar_kind(parameter.type.substr(1))) return false;
  }
  for (const std::int64_t extent : recipe.grid) {
    if (extent < 1 || extent > kMost) return false;
  }
  return recipe.target.warps >= 1 && recipe.target.warps <= 32 && recipe.target.stages >= 1;
}

bool parse(std::string_view bytes, RecordedKernel& kernel) {
  Reader in(bytes);
  Recipe& recipe = kernel.recipe;
  recipe.name = in.text();
  recipe.text = in.text();
  for (std::int64_t& extent : recipe.grid) extent = static_cast<std::int64_t>(in.number());
  for (int* number : {&recipe.target.capability, &recipe.target.warps, &recipe.target.stages})
    *number = static_cast<int>(in.number());
  recipe.target.contracts = in.number() != 0;
  recipe.argument_seed = in.number();
  for (std::uint64_t left = in.count(); left > 0; --left) {
    exactness::RandomParameter& parameter = recipe.parameters.emplace_back();
    parameter.name = in.text();
    parameter.type = in.text();
    parameter.elements = static_cast<std::int64_t>(in.number());
    parameter.number = static_cast<std::int64_t>(in.number());
  }
  kernel.text_key = in.text();
  for (std::uint64_t left = in.count(); left > 0; --left) {
    RecordedTensor& tensor = kernel.written.emplace_back();
    tensor.place = static_cast<std::uint32_t>(in.number());
    tensor.bytes = in.text();
  }
  return in.is_at_end() && is_sensible(recipe);
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string made(size, '\0');
  constexpr int kBest = 9;
  if (compress2(reinterpret_cast<Bytef*>(made.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), kBest) != Z_OK)
    return "";
  made.resize(size);
  return made;
}

std::optional<std::string> inflated(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string made;
  int state = Z_OK;
  while (state == Z_OK && made.size() <= kLargest) {
    char part[1 << 14];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    state = ::inflate(&stream, Z_NO_FLUSH);
    made.append(part, sizeof part - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END && stream.avail_in == 0 ? std::optional(std::move(made)) : std::nullopt;
}

/// The next block, taken off.
std::optional<std::string_view> next_block(std::string_view& bytes) {
  constexpr std::size_t kSize = 4;
  if (bytes.size() < kSize) return std::nullopt;
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < kSize; ++i) size |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  if (bytes.size() - kSize < size) return std::nullopt;
  const std::string_view block = bytes.substr(kSize, size);
  bytes.remove_prefix(kSize + size);
  return block;
}

}  // namespace

const std::string& record_magic() {
  static const std::string magic = "LSREC01\n";
  return magic;
}

std::string block_of(const std::string& bytes) {
  std::string made;
  for (int i = 0; i < 4; ++i) made += static_cast<char>(bytes.size() >> (8 * i));
  return made + bytes;
}

std::string entry_of(const RecordedKernel& kernel) { return deflated(serialised(kernel)); }

std::optional<RecordFile> read_records(const std::string& bytes, std::string& why) {
  std::string_view left = bytes;
  if (!left.starts_with(record_magic())) return why = "it is not a file of records", std::nullopt;
  left.remove_prefix(record_magic().size());
  RecordFile file;
  const auto header = next_block(left);
  if (!header) return why = "its header is cut", std::nullopt;
  file.header = *header;
  while (!left.empty()) {
    const std::string place = "entry " + std::to_string(file.kernels.size());
    const auto block = next_block(left);
    const auto entry = block ? inflated(*block) : std::nullopt;
    if (!entry || !parse(*entry, file.kernels.emplace_back())) return why = place + " is broken", std::nullopt;
  }
  return file;
}

}  // namespace lockstep::differential_tests
