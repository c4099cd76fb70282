// Random kernels and recorded launches through the CUDA backend (kUsage): run on the GPU, judged by enclosures, shrunk
// where they fail, recorded, and judged again from records. One process, one GPU context, one thread:
// tests/differential/campaign.py runs as many of them as there are cores, and starts them again behind a fault.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <unordered_set>

#include "backend_cuda/device/driver.h"
#include "backend_cuda/device/gpu.h"
#include "backend_cuda/device/nvrtc.h"
#include "exchange.h"
#include "gpu_diff/report.h"
#include "keep.h"
#include "record.h"
#include "shrink.h"
#include "support/json.h"
#include "trial.h"

namespace {

using namespace lockstep;
using namespace lockstep::differential_tests;

constexpr const char* kUsage =
    "random_kernels run --mode emit|check|gpu --seeds A:B [OPTIONS]         random kernels\n"
    "random_kernels export --seeds A:B --folder FOLDER [OPTIONS]            texts and bytes, for another compiler\n"
    "random_kernels judge --seeds A:B --folder FOLDER [OPTIONS]             what that made of them: NAME.out\n"
    "random_kernels launches --mode emit|check|gpu FOLDER [OPTIONS]         of LOCKSTEP_RECORD=FOLDER; capsules\n"
    "    [--class composite] [--shard I/N] [--out FILE] [--record FILE] [--record-bytes N] [--planted OP] [--bisect] [--names]\n"
    "random_kernels try SEED|FILE.launch [FILE.ttir] --mode emit|check|gpu [--planted OP] [--bisect]\n"
    "random_kernels keep SEED|FILE.launch --mode emit|check|gpu --keep FOLDER   shrinks one that fails\n"
    "random_kernels replay RECORDS... [--launches FOLDER] [--shard I/N] [--no-stale]\n"
    "random_kernels show SEED\n"
    "  SEED: 12, or composite-12 of the class composite.\n"
    "  emit: text and cubin, no GPU.  check: the interpreter's own results are judged.  gpu: run and judge.\n"
    "  Each kernel is a line of JSON in FILE; what is in it already is left out. GTEST_TOTAL_SHARDS and\n"
    "  GTEST_SHARD_INDEX are honoured. Exit code 1: a kernel failed; 3: the GPU faulted (the rest is left);\n"
    "  4: there is no GPU or no NVRTC; 5 (try): nothing to compare.\n";

enum Exit : int { kFine = 0, kFailed = 1, kUsageError = 2, kFaulted = 3, kNoGpu = 4, kSkipped = 5 };

struct Words {
  std::string command, self, out, keep, record, launches, kind, folder;
  std::vector<std::string> plain;
  TrialOptions trial;
  std::uint64_t first = 0, end = 0, shard = 0, shards = 1, record_bytes = 6000;
  bool refuses_stale = false, names = false;
};

std::uint64_t number(const std::string& text) { return std::stoull(text); }

void set_shard(const std::string& text, Words& words) {
  words.shard = number(text) - 1;
  words.shards = number(text.substr(text.find('/') + 1));
}

bool set_option(const std::string& name, const std::string& value, Words& words) {
  const std::map<std::string, Mode> modes{{"emit", Mode::emit}, {"check", Mode::check}, {"gpu", Mode::gpu}};
  if (name == "--mode") {
    if (!modes.contains(value)) return false;
    words.trial.mode = modes.at(value);
  } else if (name == "--seeds") {
    words.first = number(value);
    words.end = number(value.substr(value.find(':') + 1));
  } else if (name == "--shard") {
    set_shard(value, words);
  } else if (name == "--record-bytes") {
    words.record_bytes = number(value);
  } else {
    std::map<std::string, std::string*> texts{{"--out", &words.out},
                                              {"--keep", &words.keep},
                                              {"--record", &words.record},
                                              {"--launches", &words.launches},
                                              {"--class", &words.kind},
                                              {"--folder", &words.folder},
                                              {"--planted", &words.trial.planted}};
    if (!texts.contains(name)) return false;
    *texts[name] = value;
  }
  return true;
}

std::optional<Words> read_words(int argc, char** argv) {
  Words words;
  words.self = std::filesystem::absolute(argv[0]).string();
  if (const char *total = std::getenv("GTEST_TOTAL_SHARDS"), *index = std::getenv("GTEST_SHARD_INDEX"); total && index)
    words.shards = number(total), words.shard = number(index);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--no-stale")
      words.refuses_stale = true;
    else if (word == "--bisect")
      words.trial.bisects = true;
    else if (word == "--names")
      words.names = true;
    else if (word.starts_with("--") && i + 1 < argc) {
      if (!set_option(word, argv[++i], words)) return std::nullopt;
    } else
      words.plain.push_back(word);
  }
  if (words.plain.empty() || words.shards == 0 || words.shard >= words.shards) return std::nullopt;
  words.command = words.plain.front();
  words.plain.erase(words.plain.begin());
  return words;
}

// ---- run ----

/// What the mode needs and the machine lacks; "" if it is all there.
std::string missing_tool(Mode mode) {
  if (mode == Mode::check) return "";
  if (const auto nvrtc = backend_cuda::query_nvrtc(); !nvrtc) return render_text(nvrtc.error());
  if (mode == Mode::emit) return "";
  const auto gpu = backend_cuda::gpu_in_use();
  return gpu ? "" : render_text(gpu.error());
}

constexpr std::string_view kComposite = "composite-";

/// What runs: "12", the seed; "composite-12"; or a file's path.
std::string key_of(const std::string& item) { return std::filesystem::path(item).stem().string(); }

std::optional<Recipe> recipe_of(const std::string& item, std::string& why) {
  if (item.ends_with(".launch") || item.ends_with(".capsule")) return read_recipe(item, why);
  if (item.starts_with(kComposite)) return make_composite_recipe(number(item.substr(kComposite.size())), why);
  return make_recipe(number(item), why);
}

std::vector<std::string> items_of(const Words& words) {
  std::vector<std::string> items;
  const std::string prefix(words.kind == "composite" ? kComposite : "");
  for (std::uint64_t seed = words.first; seed < words.end; ++seed) items.push_back(prefix + std::to_string(seed));
  for (const std::string& folder : words.plain) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto ending = entry.path().extension();
      if (ending == ".launch" || ending == ".capsule") items.push_back(entry.path().string());
    }
  }
  if (!words.plain.empty()) std::sort(items.begin(), items.end());
  return items;
}

class Run {
 public:
  explicit Run(const Words& words) : words_(words) {
    if (words.out.empty()) return;
    std::ifstream known(words.out);
    for (std::string line; std::getline(known, line);) {
      const std::size_t end = line.find('"', kStart.size());
      if (line.starts_with(kStart) && end != std::string::npos)
        known_.insert(line.substr(kStart.size(), end - kStart.size()));
    }
    out_.open(words.out, std::ios::app);
  }

  int finish() {
    const std::vector<std::string> items = items_of(words_);
    for (std::size_t i = words_.shard; i < items.size(); i += words_.shards) {
      if (known_.contains(key_of(items[i])) || has_no_answer(items[i])) continue;
      const Outcome outcome = one(items[i]);
      if (outcome == Outcome::faulted) return kFaulted;
    }
    for (const auto& [what, count] : counts_) std::cout << count << "\t" << what << "\n";
    return has_failed_ ? kFailed : kFine;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_of(Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count();
  }

  static constexpr std::string_view kStart = "{\"name\": \"";

  /// The other compiler has not run it (yet).
  bool has_no_answer(const std::string& item) const {
    return words_.command == "judge" && !std::filesystem::exists(words_.folder + "/" + key_of(item) + ".out");
  }

  Outcome one(const std::string& item) {
    if (out_.is_open()) out_ << kStart << key_of(item) << "\", \"outcome\": \"begun\"}" << std::endl;
    if (words_.names) std::cout << "kernel " << key_of(item) << std::endl;
    begun_ = Clock::now();
    std::string why;
    const auto recipe = recipe_of(item, why);
    Result result;
    if (recipe)
      result = words_.command == "judge" ? judge_folder(*recipe, words_.folder + "/" + key_of(item))
                                         : try_kernel(*recipe, recipe->text, words_.trial);
    else
      result.outcome = Outcome::defect, result.reason = "the frontend refuses it", result.details = why;
    note(item, recipe, result);
    return result.outcome;
  }

  void note(const std::string& item, const std::optional<Recipe>& recipe, const Result& result) {
    ++counts_[std::string(word_for(result)) + (result.reason.empty() ? "" : ": " + result.reason)];
    write_line(item, recipe, result);
    if (result.outcome == Outcome::fine && !words_.record.empty()) record(*recipe, result);
    if (!is_failure(result.outcome)) return;
    has_failed_ = true;
    std::cout << (recipe ? recipe->name : item) << ": " << name_of(result.outcome) << ": " << result.reason << "\n"
              << result.details.substr(0, 1500) << std::endl;
  }

  const char* word_for(const Result& result) const {
    const bool is_judged = words_.trial.mode != Mode::emit || result.outcome != Outcome::fine;
    return is_judged || words_.command == "judge" ? name_of(result.outcome) : "compiled";
  }

  void write_line(const std::string& item, const std::optional<Recipe>& recipe, const Result& result) {
    if (!out_.is_open()) return;
    out_ << kStart << key_of(item) << "\", \"outcome\": " << json_quoted(word_for(result))
         << ", \"reason\": " << json_quoted(result.reason) << ", \"text_key\": " << json_quoted(result.text_key)
         << ", \"elements\": " << result.elements << ", \"certain\": " << result.certain
         << ", \"unbounded\": " << result.unbounded
         << ", \"median_ulp\": " << gpu_diff::json_number(result.median_ulp)
         << ", \"most_ulp\": " << gpu_diff::json_number(result.most_ulp)
         << ", \"seconds\": " << gpu_diff::json_number(seconds_of(begun_))
         << ", \"gpu\": " << json_quoted(result.gpu) << failure_json(recipe, result) << "}" << std::endl;
  }

  /// What a person needs to look into it.
  static std::string failure_json(const std::optional<Recipe>& recipe, const Result& result) {
    constexpr std::size_t kDetails = 2000, kText = 12000;
    if (!is_failure(result.outcome)) return "";
    const std::string text = recipe ? recipe->text : "";
    return ", \"details\": " + json_quoted(result.details.substr(0, kDetails)) +
           ", \"kernel\": " + json_quoted(text.size() > kText ? "" : text);
  }

  void record(const Recipe& recipe, const Result& result) {
    RecordedKernel kernel{recipe, result.text_key, {}};
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
      if (result.is_written[i]) kernel.written.push_back({static_cast<std::uint32_t>(i), result.outputs[i]});
    }
    const std::string entry = entry_of(kernel);
    if (entry.empty() || entry.size() > words_.record_bytes) return;
    if (!record_.is_open()) {
      const bool is_new = !std::filesystem::exists(words_.record);
      record_.open(words_.record, std::ios::app | std::ios::binary);
      const auto driver = backend_cuda::open_driver();
      const int version = driver ? (*driver)->facts.version : 0;  // 0: none, in mode check
      const std::string text = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
      if (is_new) record_ << record_magic() << block_of(result.gpu + ", driver of CUDA " + text);
    }
    record_ << block_of(entry) << std::flush;
  }

  const Words& words_;
  std::unordered_set<std::string> known_;
  std::map<std::string, std::uint64_t> counts_;
  std::ofstream out_, record_;
  Clock::time_point begun_;
  bool has_failed_ = false;
};

// ---- try, replay, show ----

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int try_one(const Words& words) {
  std::string why;
  const auto recipe = recipe_of(words.plain.at(0), why);
  if (!recipe) return std::cerr << why << "\n", kFailed;
  const std::string text = words.plain.size() > 1 ? read_file(words.plain[1]) : recipe->text;
  const Result result = try_kernel(*recipe, text, words.trial);
  std::cout << recipe->name << ": " << name_of(result.outcome) << " " << result.reason << "\n" << result.details;
  if (result.outcome == Outcome::faulted) return kFaulted;
  if (result.outcome == Outcome::skipped) return kSkipped;
  return is_failure(result.outcome) ? kFailed : kFine;
}

int keep_one(const Words& words) {
  std::string why;
  const std::string& item = words.plain.at(0);
  const auto recipe = recipe_of(item, why);
  if (!recipe) return std::cerr << why << "\n", kFailed;
  const Result result = try_kernel(*recipe, recipe->text, words.trial);
  if (!is_failure(result.outcome)) return std::cout << item << " does not fail\n", kFine;
  std::cout << keep_failure(words.keep, words.self, item, *recipe, result, words.trial) << "\n";
  return kFailed;
}

int export_all(const Words& words) {
  std::filesystem::create_directories(words.folder);
  const std::vector<std::string> items = items_of(words);
  for (std::size_t i = words.shard; i < items.size(); i += words.shards) {
    std::string why;
    const auto recipe = recipe_of(items[i], why);
    if (!recipe || !export_kernel(*recipe, words.folder + "/" + items[i], why))
      std::cout << items[i] << ": " << why << "\n";
  }
  return kFine;
}

struct Totals {
  std::uint64_t kernels = 0, skipped = 0, stale = 0, failed = 0, lost = 0, elements = 0, unbounded = 0;
};

void replay_one(RecordedKernel kernel, const Words& words, Totals& totals) {
  if (kernel.recipe.text.empty()) {
    const auto path = std::filesystem::path(words.launches) / (kernel.recipe.name + ".launch");
    std::string why;
    const auto recipe = read_recipe(path.string(), why);
    if (!recipe) {
      ++totals.lost;
      return;
    }
    const backend_cuda::Target target = kernel.recipe.target;
    kernel.recipe = *recipe;
    kernel.recipe.target = target;
  }
  const Result result = judge_recorded(kernel);
  if (result.outcome == Outcome::skipped) {  // findings that were none when it was recorded: nothing to hold it against
    ++totals.skipped;
    return;
  }
  ++totals.kernels;
  totals.elements += result.elements;
  totals.unbounded += result.unbounded;
  totals.stale += result.text_key != kernel.text_key ? 1u : 0u;
  if (result.outcome == Outcome::fine) return;
  ++totals.failed;
  std::cout << kernel.recipe.name << ": " << name_of(result.outcome) << ": " << result.reason << "\n" << result.details;
}

int replay(const Words& words) {
  Totals totals;
  std::string headers;
  for (const std::string& path : words.plain) {
    std::string why;
    const auto file = read_records(read_file(path), why);
    if (!file) return std::cerr << path << ": " << why << "\n", kFailed;
    headers += (headers.empty() ? "" : "; ") + file->header;
    for (std::size_t i = words.shard; i < file->kernels.size(); i += words.shards)
      replay_one(file->kernels[i], words, totals);
  }
  std::cout << totals.kernels << " kernels recorded on " << headers << ": " << totals.elements << " elements, "
            << totals.unbounded << " of them unbounded, " << totals.failed << " kernels outside; " << totals.stale
            << " records are stale (the emitted text is another today), " << totals.skipped << " have findings, "
            << totals.lost << " have lost their launch\n";
  if (totals.stale + totals.lost != 0 && words.refuses_stale)
    std::cout << "stale records: record them again (on_gpu.py --record)\n";
  return totals.failed != 0 || totals.kernels == 0 || (words.refuses_stale && totals.stale + totals.lost != 0) ? kFailed
                                                                                                               : kFine;
}

int show(const Words& words) {
  std::string why;
  const auto recipe = recipe_of(words.plain.at(0), why);
  if (!recipe) return std::cerr << why, kFailed;
  std::cout << recipe->source << "\n" << recipe->text << "// " << recipe->name << ", grid " << recipe->grid[0] << "," << recipe->grid[1] << ","
            << recipe->grid[2] << ", warps " << recipe->target.warps << ", stages " << recipe->target.stages
            << (recipe->may_race ? ", may race" : "") << "\n";
  return kFine;
}

int run_words(const Words& words) {
  const bool needs_no_tool = words.command == "replay" || words.command == "show" || words.command == "export" ||
                             words.command == "judge";
  if (!needs_no_tool) {
    if (const std::string missing = missing_tool(words.trial.mode); !missing.empty())
      return std::cerr << missing, kNoGpu;
  }
  const bool is_of_seeds = words.command == "run" || words.command == "judge";
  if (words.command == "export" && !words.folder.empty()) return export_all(words);
  const bool has_work = is_of_seeds ? words.end > words.first : words.command == "launches";
  if (has_work && words.plain.empty() == is_of_seeds) return Run(words).finish();
  if (words.command == "keep" && !words.plain.empty() && !words.keep.empty()) return keep_one(words);
  if (words.command == "try" && !words.plain.empty()) return try_one(words);
  if (words.command == "replay" && !words.plain.empty()) return replay(words);
  if (words.command == "show" && !words.plain.empty()) return show(words);
  std::cerr << kUsage;
  return kUsageError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto words = read_words(argc, argv);
    if (words) return run_words(*words);
    std::cerr << kUsage;
    return kUsageError;
  } catch (const std::exception& error) {
    std::cerr << "DEFECT: " << error.what() << "\n";
    return 70;
  }
}
