// One function per command; each prints its own results and says what the process's exit code is.
#pragma once

#include "cli/exit_code.h"
#include "cli/options.h"

namespace lockstep::cli {

ExitCode run_command(const driver::LaunchSpec& options);
ExitCode run_command(const DiffOptions& options);
ExitCode run_command(const ReplayOptions& options);
ExitCode run_command(const EncloseOptions& options);
ExitCode run_command(const DebugOptions& options);
ExitCode run_command(const DapOptions& options);
ExitCode run_command(const ServeOptions& options);
ExitCode run_command(const TraceOptions& options);
ExitCode run_command(const EmitOptions& options);
ExitCode run_command(const CheckLanguageOptions& options);
ExitCode run_command(const ExplainOptions& options);
ExitCode run_command(const OpsOptions& options);
ExitCode run_command(const CampaignOptions& options);
ExitCode run_command(const DoctorOptions& options);
ExitCode run_command(const VersionOptions& options);
ExitCode run_command(const CompletionsOptions& options);
ExitCode run_command(const ManOptions& options);

}  // namespace lockstep::cli
