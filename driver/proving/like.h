// A contract from launches: capsules of one kernel say which integer argument is a size or a stride of which tensor, and
// what it stores to. What fits every launch is written as words of `lockstep prove`, for people to read and keep: a fit to
// few launches may be a chance. Errors: a capsule that cannot be read, capsules of different kernels (LS2206).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/prepared_launch.h"
#include "driver/proving/asked.h"
#include "driver/proving/launch_fit.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::driver {

/// What is asked beside: words that count before those of the launches, and the properties.
struct LikeRequest {
  const LaunchSpec& options;
  const AskedMore& more;
  std::function<bool()> is_stopped{};
};

/// x=f32[M,N]:(stride,1), out=f32[M,N] out, n, BLOCK=64. A tensor is an output if the launch changed its storage and no
/// other argument has that. What fits no integer argument becomes a size of its own, size0; equal ones are one.
/// The grid is sizes, cdiv of a size by a constexpr, or products of two of these; empty: none of these fits.
/// Where a number has several readings (an extent of 2 may be H or cdiv(T, BT)), those are taken that leave least to
/// conditions: few readings are proved, the first one alone if it leaves nothing.
std::optional<FittingWords> words_like(const std::vector<std::string>& capsules, const LikeRequest& request, DiagnosticSink& sink);
/// Of a launch that is prepared: outputs are the tensors that were given without content.
FittingWords words_like(const PreparedLaunch& launch, const std::array<std::int64_t, 3>& grid, const LikeRequest& request);

/// The statement's conditions that some launch does not meet, as texts: the contract then says something else than was meant.
std::vector<std::string> conditions_missed(const FittingWords& like, const Asked& asked, const prove::Statement& statement);

/// Adds what `words` do not say themselves.
void add_words(std::vector<std::string>& words, const std::vector<std::string>& more);

}  // namespace lockstep::driver
