#include "cli/commands/command_list.h"

namespace lockstep::cli {

// Each is defined in the file of its command.
extern const CommandRow kRunCommand, kDiffCommand, kReplayCommand, kEncloseCommand, kDebugCommand, kDapCommand,
    kServeCommand, kTraceCommand, kEmitCommand, kProveCommand, kCheckLanguageCommand, kExplainCommand, kOpsCommand,
    kLearnCommand, kStagesCommand, kModelCommand, kJudgeCommand, kMcpCommand, kCampaignCommand, kDoctorCommand,
    kHelpCommand, kVersionCommand, kCompletionsCommand, kManCommand, kLaunchOptionsCommand;

std::span<const CommandRow* const> command_rows() {
  static constexpr const CommandRow* kRows[] = {
      &kRunCommand, &kDiffCommand, &kReplayCommand, &kEncloseCommand, &kDebugCommand, &kDapCommand,
      &kServeCommand, &kTraceCommand, &kEmitCommand, &kProveCommand, &kCheckLanguageCommand, &kExplainCommand,
      &kOpsCommand, &kLearnCommand, &kStagesCommand, &kModelCommand, &kJudgeCommand, &kMcpCommand, &kCampaignCommand,
      &kDoctorCommand, &kHelpCommand, &kVersionCommand, &kCompletionsCommand, &kManCommand, &kLaunchOptionsCommand,
  };
  return kRows;
}

}  // namespace lockstep::cli
