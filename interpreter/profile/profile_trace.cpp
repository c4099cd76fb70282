#include <array>
#include <cstdio>
#include <utility>

#include "interpreter/profile/profile_text.h"
#include "support/json.h"

namespace lockstep::interpreter {

namespace {

std::string number_text(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value);
  return text.data();
}

const char* part_text(ProfilePart part) {
  switch (part) {
    case ProfilePart::prologue: return "prologue";
    case ProfilePart::program: return "program";
    case ProfilePart::batch: return "batch";
  }
  return "";
}

class TraceWriter {
 public:
  explicit TraceWriter(const Profile& profile) : profile_(profile) {}

  std::string write() {
    json_ = "{\"displayTimeUnit\": \"ns\", \"otherData\": " + other_data() + ",\n\"traceEvents\": [\n";
    json_ += "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": " +
             json_quoted("lockstep: " + profile_.kernel) + "}}";
    for (std::size_t i = 0; i < profile_.workers.size(); ++i) {
      json_ += ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": " + std::to_string(i) +
               ", \"name\": \"thread_name\", \"args\": {\"name\": \"worker " + std::to_string(i) + "\"}}";
    }
    for (std::size_t i = 0; i < profile_.slices.size();) {
      if (profile_.slices[i].row < 0) {
        run(profile_.slices[i++]);
      } else {
        i = line(i);
      }
    }
    return std::move(json_) + "\n]}\n";
  }

 private:
  const ProfileRow& row(const ProfileSlice& slice) const { return profile_.rows[static_cast<std::size_t>(slice.row)]; }

  void event(const ProfileSlice& slice, double end, const char* category, const std::string& name,
             const std::string& arguments) {
    json_ += ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": " + std::to_string(slice.worker) +
             ", \"ts\": " + number_text(slice.begin_ns / 1e3) + ", \"dur\": " + number_text((end - slice.begin_ns) / 1e3) +
             ", \"cat\": \"" + category + "\", \"name\": " + json_quoted(name) + ", \"args\": {" + arguments + "}}";
  }

  void run(const ProfileSlice& slice) {
    const std::string first = std::to_string(slice.first_program), last = std::to_string(slice.last_program);
    event(slice, slice.end_ns, "programs", first == last ? "program " + first : "programs " + first + ".." + last,
          slice.is_whole ? "" : "\"steps\": \"not all are shown\"");
  }

  /// Adjacent steps of one line, in a slice of the line; returns the index after them.
  std::size_t line(std::size_t begin) {
    const ProfileSlice& first = profile_.slices[begin];
    const ProfilePlace& place = row(first).place;
    std::size_t end = begin + 1;
    while (end < profile_.slices.size() && profile_.slices[end].row >= 0 &&
           profile_.slices[end].worker == first.worker && row(profile_.slices[end]).place.line == place.line &&
           row(profile_.slices[end]).place.file == place.file)
      ++end;
    event(first, profile_.slices[end - 1].end_ns, "line", place_text(place), "");
    for (std::size_t i = begin; i < end; ++i) {
      const ProfileSlice& slice = profile_.slices[i];
      const ProfileRow& at = row(slice);
      event(slice, slice.end_ns, "op", at.op, at.function.empty() ? "" : "\"in\": " + json_quoted(at.function));
    }
    return end;
  }

  std::string other_data() const {
    std::string json = "{\"kernel\": " + json_quoted(profile_.kernel) + ", \"wall_ns\": " + number_text(profile_.wall_ns) +
                       ", \"threads\": " + std::to_string(profile_.threads) +
                       ", \"programs\": " + std::to_string(profile_.programs) +
                       ", \"steps_of_one_program_in\": " + std::to_string(profile_.sampled_every) +
                       ", \"ns_per_measurement\": " + number_text(profile_.ns_per_measurement) + ", \"rows\": [";
    for (std::size_t i = 0; i < profile_.rows.size(); ++i) {
      const ProfileRow& at = profile_.rows[i];
      json += std::string(i == 0 ? "" : ",") + "\n  {\"op\": " + json_quoted(at.op) +
              ", \"file\": " + json_quoted(at.place.file) + ", \"line\": " + std::to_string(at.place.line) +
              ", \"column\": " + std::to_string(at.place.column) + ", \"in\": " + json_quoted(at.function) +
              ", \"part\": \"" + part_text(at.part) + "\", \"calls\": " + std::to_string(at.calls) +
              ", \"ns\": " + number_text(at.ns) + ", \"elements\": " + std::to_string(at.elements) +
              ", \"bytes_read\": " + std::to_string(at.bytes_read) +
              ", \"bytes_written\": " + std::to_string(at.bytes_written) +
              ", \"scattered\": " + std::to_string(at.scattered) +
              ", \"is_shared\": " + (at.is_shared ? "true" : "false") + "}";
    }
    return json + "]}";
  }

  const Profile& profile_;
  std::string json_;
};

}  // namespace

std::string profile_trace(const Profile& profile) { return TraceWriter(profile).write(); }

}  // namespace lockstep::interpreter
