#include "trial.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "memory_model/view.h"
#include "support/float_formats.h"

namespace lockstep::exactness {

using interpreter::LaunchReport;
using interpreter::PreparedKernel;
using interpreter::RunRequest;
using memory_model::AddressSpace;

std::vector<Bytes> contents(const AddressSpace& memory) {
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < memory.storage_count(); ++i) {
    const auto& storage = memory.storage({static_cast<std::int32_t>(i)});
    Bytes& bytes = all.emplace_back(storage.extent.bytes());
    if (!bytes.empty()) std::memcpy(bytes.data(), reinterpret_cast<const void*>(storage.extent.begin), bytes.size());
  }
  return all;
}

void put_back(const AddressSpace& memory, const std::vector<Bytes>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& storage = memory.storage({static_cast<std::int32_t>(i)});
    if (!all[i].empty()) std::memcpy(reinterpret_cast<void*>(storage.extent.begin), all[i].data(), all[i].size());
  }
}

namespace {

/// All NaNs become one, in the storages that are seen as floats.
void unify_nans(const AddressSpace& memory, std::vector<Bytes>& all) {
  for (std::size_t i = 0; i < memory.view_count(); ++i) {
    const auto& view = memory.view({static_cast<std::int32_t>(i)});
    if (!is_float(view.element)) continue;
    const auto size = static_cast<std::size_t>(size_bytes(view.element));
    Bytes& bytes = all[static_cast<std::size_t>(memory.storage(view.storage).id.index)];
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &bytes[at], size);
      if (!std::isnan(decode_float(view.element, bits))) continue;
      bits = encode_float(view.element, std::numeric_limits<double>::quiet_NaN());
      std::memcpy(&bytes[at], &bits, size);
    }
  }
}

std::string texts_of(const LaunchReport& report, const std::string& printed) {
  std::string text = "outcome " + std::to_string(static_cast<int>(report.outcome)) + ", programs " +
                     std::to_string(report.programs_run) + ", read " + std::to_string(report.bytes_read) +
                     ", written " + std::to_string(report.bytes_written) + "\nfinished";
  for (const auto& range : report.finished) {
    text += " " + std::to_string(range.first) + ".." + std::to_string(range.last);
  }
  text += "\n";
  for (const Finding& finding : report.findings.findings()) {
    text += render_text(finding) + "count " + std::to_string(finding.count) + " in " +
            std::to_string(finding.programs) + "\n";
  }
  return text + printed;
}

}  // namespace

Result make_result(const LaunchReport& report, const AddressSpace& memory, const std::string& printed) {
  Result result;
  result.memory = contents(memory);
  result.texts = texts_of(report, printed);
  result.printed = printed;
  result.was_stopped =
      report.outcome == interpreter::Outcome::timed_out || report.outcome == interpreter::Outcome::out_of_memory;
  result.batches = report.batches;
  result.failed_batches = report.failed_batches;
  return result;
}

std::uint64_t hash_of(const Result& result) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001B3u; };
  for (const Bytes& bytes : result.memory) {
    for (const std::byte byte : bytes) mix(static_cast<unsigned char>(byte));
  }
  for (const char c : result.texts) mix(static_cast<unsigned char>(c));
  return hash;
}

namespace {

std::optional<Result> run(const PreparedKernel& kernel, RunRequest request, unsigned threads, bool any_nan) {
  std::string printed;
  request.threads = threads;
  request.print = [&printed](const std::string& line) { printed += line; };
  request.limits = {.timeout_seconds = 20, .max_memory_bytes = std::uint64_t{1} << 30, .max_steps_per_program = 0};
  DiagnosticSink sink;
  const auto report = kernel.launch(request, sink);
  if (!report) return std::nullopt;
  Result result = make_result(*report, *request.memory, printed);
  if (any_nan) unify_nans(*request.memory, result.memory);
  return result;
}

/// Sixteen bytes a line.
std::string as_text(const Result& result, const AddressSpace& memory) {
  std::string text;
  for (std::size_t i = 0; i < result.memory.size(); ++i) {
    const Bytes& bytes = result.memory[i];
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      char part[32];
      if (at % 16 == 0)
        text += "\n" + memory.storage({static_cast<std::int32_t>(i)}).name + "+" + std::to_string(at) + ":";
      std::snprintf(part, sizeof part, at % 4 == 0 ? " %02x" : "%02x", static_cast<unsigned>(bytes[at]));
      text += part;
    }
  }
  return text + "\n" + result.texts;
}

}  // namespace

std::string what_differs(const Result& plain, const Result& other, const AddressSpace& memory) {
  for (std::size_t i = 0; i < plain.memory.size(); ++i) {
    std::size_t count = 0, first = 0;
    for (std::size_t byte = plain.memory[i].size(); byte-- > 0;) {
      if (plain.memory[i][byte] != other.memory[i][byte]) ++count, first = byte;
    }
    if (count == 0) continue;
    const auto hexadecimal = [&](const Bytes& bytes) {
      std::string text;
      for (std::size_t at = first / 8 * 8; at < bytes.size() && at < first / 8 * 8 + 8; ++at) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bytes[at]));
        text += digits;
      }
      return text;
    };
    return "'" + memory.storage({static_cast<std::int32_t>(i)}).name + "': " + std::to_string(count) + " of " +
           std::to_string(plain.memory[i].size()) + " bytes, first at byte " + std::to_string(first) + ": plain " +
           hexadecimal(plain.memory[i]) + ", now " + hexadecimal(other.memory[i]);
  }
  return "texts: plain\n" + plain.texts + "now\n" + other.texts;
}

std::vector<Setting> settings(bool thorough) {
  if (!thorough)
    return {
        {"", {1, 2, 7}}, {"strip=16,batch=3,stream=1", {2}}, {"strip=32,batch=1,operand_cache=0", {1}}, {kPlain, {7}}};
  const std::vector<unsigned> threads{1, 2, 7};
  return {{"", threads},
          {"strip=16,batch=1,operand_cache=0", threads},
          {"batch=3,strip=64,stream=1,batch_product_elements=65536", threads},
          {"fuse=0,hoist=0,batch=1,stream=1", threads},
          {"fuse=0,hoist=0,batch=5,batch_elements=64", threads},
          {"fuse=0,batch=1024,batch_elements=4294967296,batch_product_elements=4294967296", {1}},
          {"hoist=0,batch=2,strip=1048576", {2}},
          {kPlain, {2, 7}}};
}

Verdict try_launch(const ir::Module& module, const ir::Op& function, const TargetProfile& profile, RunRequest request,
                   const Options& options) {
  Verdict verdict;
  const std::vector<Bytes> before = contents(*request.memory);
  const auto prepare = [&](const std::string& tuning) {
    DiagnosticSink sink;
    const auto parsed = interpreter::parse_tuning(tuning);
    LOCKSTEP_CHECK(parsed.has_value(), "no tuning: " + tuning);
    return PreparedKernel::make(module, function, profile, sink, *parsed);
  };
  const auto plain_kernel = prepare(kPlain);
  const auto plain = plain_kernel == nullptr ? std::nullopt : run(*plain_kernel, request, 1, options.any_nan);
  put_back(*request.memory, before);
  if (!plain || plain->was_stopped) return verdict;
  verdict.ran = true;
  verdict.hash = hash_of(*plain);
  if (options.shows) verdict.left_behind = as_text(*plain, *request.memory);
  for (const Setting& setting : options.settings) {
    const auto kernel = prepare(setting.tuning);
    for (const unsigned threads : setting.threads) {
      const std::string name = "tuning '" + setting.tuning + "', " + std::to_string(threads) + " threads: ";
      const auto result = kernel == nullptr ? std::nullopt : run(*kernel, request, threads, options.any_nan);
      put_back(*request.memory, before);
      ++verdict.runs;
      if (result) verdict.batches += result->batches, verdict.failed_batches += result->failed_batches;
      if (result && result->is_like(*plain)) continue;
      verdict.difference = name + (result ? what_differs(*plain, *result, *request.memory) : "refused");
      return verdict;
    }
  }
  return verdict;
}

}  // namespace lockstep::exactness
