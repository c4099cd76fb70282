#include "debugger/launch/editor_launch.h"

#include <filesystem>

#include "debugger/launch/debug_launch.h"
#include "debugger/launch/solution_check.h"
#include "driver/options/launch_words.h"
#include "support/source_file.h"

namespace lockstep::debugger {

namespace {

/// An editor's launch, with its session.
class EditorLaunch : public dap::Launched {
 public:
  explicit EditorLaunch(const driver::LaunchSpec& options) : launch_(options, sink_) {}
  ~EditorLaunch() override {
    for (const SourceFilePtr& text : texts_) lift_off_source(text);
  }

  /// Empty: the session exists; else the diagnostics.
  std::string make(const dap::LaunchWish& wish) {
    for (const dap::LaunchWish::SourceText& source : wish.sources) {
      const auto text = lay_over_source(source.path, 1, source.text);
      if (!text) return text.error().message;
      texts_.push_back(*text);
    }
    if (!launch_.prepare(wish.history)) return render_text(sink_);
    Session::Setup setup = launch_.setup();
    setup.request.print = wish.print;
    setup.output = wish.log;
    session_ = Session::make(std::move(setup), sink_);
    return session_ ? "" : render_text(sink_);
  }
  Session& session() override { return *session_; }
  Expected<std::vector<Compared>, std::string> compare_with(const dap::LaunchWish::SourceText& solution,
                                                            const std::vector<Output>& outputs) override {
    return compare_with_solution(launch_.session(), solution, outputs);
  }

 private:
  std::vector<SourceFilePtr> texts_;  // that stand in for files
  DiagnosticSink sink_;
  DebugLaunch launch_;
  std::unique_ptr<Session> session_;
};

}  // namespace

Expected<std::unique_ptr<dap::Launched>, std::string> launch_for_editor(const dap::LaunchWish& wish) {
  if (!wish.folder.empty()) {
    std::error_code error;
    std::filesystem::current_path(wish.folder, error);
    if (error) return Unexpected{"the folder '" + wish.folder + "' cannot be entered: " + error.message()};
  }
  const auto options = driver::parse_debug_words(wish.words);
  if (!options) return Unexpected{options.error()};
  auto made = std::make_unique<EditorLaunch>(*options);
  const std::string problem = made->make(wish);
  if (!problem.empty()) return Unexpected{problem};
  return std::unique_ptr<dap::Launched>(std::move(made));
}

}  // namespace lockstep::debugger
