// Runs the cases of one folder through the lockstep command and compares what it printed with the .expected file beside
// each.
//   golden_runner LOCKSTEP ROOT FOLDER [SUBSTRING]       LOCKSTEP_BLESS=1 rewrites the .expected files
// A case is a .args, .dbg, .py or .ttir file whose first lines are `# args: WORDS` (`// args:` in TTIR); each such line
// is one command, run in ROOT, where {file} is the case, {folder} its folder and {tmp} an empty folder. Files without
// an args line are data. What blessing can never accept: a zoo case `CODE_name/bad` must exit 1 and print CODE,
// `CODE_name/good` must exit 0 and print no finding; no case may end by a signal, by exit code 70 or by running into
// the time limit.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
constexpr int kTimeLimitSeconds = 60;

struct Setting {
  std::string lockstep;
  fs::path root;
  fs::path scratch;
  bool bless = false;
};

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string err;
  std::optional<std::string> broken;  // why no expectation may hold: signal, time limit, exit code 70
};

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) {
    return text;
  }
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Splits as a shell would, with both kinds of quotes and nothing else.
std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c : line) {
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote != 0) {
      word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ') {
      if (in_word) {
        words.push_back(word);
      }
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) {
    words.push_back(word);
  }
  return words;
}

// The commands of a case: its leading comment lines that start with "args:".
std::vector<std::string> commands_of(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> commands;
  std::string line;
  while (std::getline(stream, line) && (line.rfind("#", 0) == 0 || line.rfind("//", 0) == 0)) {
    const std::size_t at = line.find("args:");
    if (at != std::string::npos && at <= 3) {
      commands.push_back(line.substr(std::min(at + 6, line.size())));
    }
  }
  return commands;
}

[[noreturn]] void become(const Setting& setting, const std::vector<std::string>& words, const fs::path& out,
                         const fs::path& err) {
  if (chdir(setting.root.c_str()) != 0) {
    _exit(127);
  }
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in_file = open("/dev/null", O_RDONLY);
  dup2(in_file, 0);
  dup2(out_file, 1);
  dup2(err_file, 2);
  unsetenv("LOCKSTEP_LOG");
  setenv("NO_COLOR", "1", 1);
  std::vector<std::string> storage{setting.lockstep};
  storage.insert(storage.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : storage) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  execv(setting.lockstep.c_str(), argv.data());
  _exit(127);
}

// Waits for a child; nullopt when the time limit had to end it.
std::optional<int> wait_for(pid_t child) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(kTimeLimitSeconds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

Outcome run_command(const Setting& setting, const std::vector<std::string>& words) {
  const fs::path out = setting.scratch.string() + ".out";
  const fs::path err = setting.scratch.string() + ".err";
  const pid_t child = fork();
  if (child == 0) {
    become(setting, words, out, err);
  }
  Outcome outcome;
  const std::optional<int> status = wait_for(child);
  outcome.out = read_file(out);
  outcome.err = read_file(err);
  if (!status) {
    outcome.broken = "ran longer than " + std::to_string(kTimeLimitSeconds) + " s";
  } else if (WIFSIGNALED(*status)) {
    outcome.broken = "ended by signal " + std::to_string(WTERMSIG(*status));
  } else {
    outcome.exit_code = WEXITSTATUS(*status);
    if (outcome.exit_code == 70 || outcome.exit_code == 127) {
      outcome.broken = "exit code " + std::to_string(outcome.exit_code);
    }
  }
  return outcome;
}

// Takes out what differs between machines and runs: folders, addresses, times, rates, thread counts.
std::string normalise(const Setting& setting, std::string text) {
  text = replace_all(text, setting.scratch.string(), "TMP");
  text = replace_all(text, setting.root.string() + "/", "");
  text = replace_all(text, setting.root.string(), "ROOT");
  static const std::vector<std::pair<std::regex, std::string>> rules = {
      {std::regex("0x[0-9a-fA-F]{6,16}\\b"), "ADDR"},
      {std::regex("\\b[0-9]+(\\.[0-9]+)?(e-?[0-9]+)? ?[KMGT]?i?B/s"), "RATE"},
      {std::regex("\\b[0-9]+(\\.[0-9]+)?(e-?[0-9]+)? ?(ns|us|µs|ms|s|seconds?)\\b"), "TIME"},
      {std::regex("\\b[0-9]+ threads?\\b"), "N threads"},
      // What was covered: the same of most cases, and no fact of the case. tests/cli/test_report.py has these lines.
      {std::regex("  (checked|masked lanes|outputs): [^\n]*\n"), ""},
  };
  for (const auto& [pattern, name] : rules) {
    text = std::regex_replace(text, pattern, name);
  }
  return text;
}

struct CaseResult {
  std::string transcript;
  std::vector<std::string> violations;
};

// The class of a zoo case is part of its path: .../CODE_name/bad/kernel.py
void check_zoo_rule(const fs::path& path, const Outcome& last, const std::string& transcript, CaseResult& result) {
  const std::string kind = path.parent_path().filename().string();
  const std::string name = path.parent_path().parent_path().filename().string();
  const std::string code = name.substr(0, name.find('_'));
  if (path.string().find("/findings/") == std::string::npos || (kind != "bad" && kind != "good")) {
    return;
  }
  const bool is_bad = kind == "bad";
  if (last.exit_code != (is_bad ? 1 : 0)) {
    result.violations.push_back("a " + kind + " twin must exit " + (is_bad ? "1" : "0") + ", not " +
                                std::to_string(last.exit_code));
  }
  if (is_bad && transcript.find("[" + code + "]") == std::string::npos) {
    result.violations.push_back("a bad twin must be reported as " + code);
  }
  if (!is_bad && transcript.find("[LS") != std::string::npos) {
    result.violations.push_back("a good twin must be silent");
  }
}

CaseResult run_case(const Setting& setting, const fs::path& path, const std::vector<std::string>& commands) {
  CaseResult result;
  Outcome outcome;
  fs::remove_all(setting.scratch);
  fs::create_directories(setting.scratch);
  const std::string relative = fs::relative(path, setting.root).string();
  const std::string folder = fs::relative(path.parent_path(), setting.root).string();
  for (const std::string& command : commands) {
    std::string line = replace_all(command, "{file}", relative);
    line = replace_all(line, "{folder}", folder);
    outcome = run_command(setting, split_words(replace_all(line, "{tmp}", setting.scratch.string())));
    result.transcript += "$ lockstep " + line + "\n" + normalise(setting, outcome.out);
    if (!outcome.err.empty()) {
      result.transcript += "--- standard error\n" + normalise(setting, outcome.err);
    }
    result.transcript += "[exit " + std::to_string(outcome.exit_code) + "]\n";
    if (outcome.broken) {
      result.violations.push_back(*outcome.broken);
    }
  }
  check_zoo_rule(path, outcome, result.transcript, result);
  fs::remove_all(setting.scratch);
  return result;
}

void print_difference(const std::string& expected, const std::string& actual) {
  std::istringstream left(expected), right(actual);
  std::string a, b;
  for (int number = 1, shown = 0; shown < 12; ++number) {
    const bool has_a = static_cast<bool>(std::getline(left, a));
    const bool has_b = static_cast<bool>(std::getline(right, b));
    if (!has_a && !has_b) {
      return;
    }
    if (!has_a || !has_b || a != b) {
      ++shown;
      std::cout << "  line " << number << "\n    expected: " << (has_a ? a : "(end)")
                << "\n    printed:  " << (has_b ? b : "(end)") << "\n";
    }
  }
}

bool check_case(const Setting& setting, const fs::path& path, const std::vector<std::string>& commands) {
  const CaseResult result = run_case(setting, path, commands);
  const fs::path expected_path = path.string() + ".expected";
  const std::string name = fs::relative(path, setting.root).string();
  for (const std::string& violation : result.violations) {
    std::cout << "FAILED " << name << ": " << violation << "\n";
  }
  if (!result.violations.empty()) {
    std::cout << result.transcript;
    return false;
  }
  if (setting.bless) {
    std::ofstream(expected_path, std::ios::binary) << result.transcript;
    return true;
  }
  if (!fs::exists(expected_path)) {
    std::cout << "FAILED " << name << ": no .expected file (LOCKSTEP_BLESS=1 writes it)\n" << result.transcript;
    return false;
  }
  const std::string expected = read_file(expected_path);
  if (expected != result.transcript) {
    std::cout << "FAILED " << name << ": differs from " << expected_path.filename().string() << "\n";
    print_difference(expected, result.transcript);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cout << "usage: golden_runner LOCKSTEP ROOT FOLDER [SUBSTRING]\n";
    return 2;
  }
  Setting setting;
  setting.lockstep = fs::absolute(argv[1]).string();
  setting.root = fs::canonical(argv[2]);
  setting.scratch = fs::temp_directory_path() / ("lockstep-golden-" + std::to_string(getpid()));
  const char* bless = std::getenv("LOCKSTEP_BLESS");
  setting.bless = bless != nullptr && std::string(bless) == "1";
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::canonical(argv[3]))) {
    const std::string extension = entry.path().extension().string();
    const bool can_be_case = extension == ".args" || extension == ".dbg" || extension == ".py" || extension == ".ttir";
    if (entry.is_regular_file() && can_be_case) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  int cases = 0, failed = 0;
  for (const fs::path& path : paths) {
    const std::vector<std::string> commands = commands_of(path);
    if (commands.empty() || (argc > 4 && path.string().find(argv[4]) == std::string::npos)) {
      continue;
    }
    ++cases;
    failed += check_case(setting, path, commands) ? 0 : 1;
  }
  fs::remove(setting.scratch.string() + ".out");
  fs::remove(setting.scratch.string() + ".err");
  std::cout << cases << " cases, " << failed << " failed" << (setting.bless ? ", expectations rewritten" : "") << "\n";
  return failed != 0 || cases == 0 ? 1 : 0;
}
