// CodeCoveragePlan: adds steps to the plan of a kernel that record which ops, branch outcomes and mask outcomes its
// programs reach (findings/code_coverage.h). A straight line of ops costs one step if nothing in it can end the
// program. Invariant: its steps write no slot or memory of the kernel. Regions of reductions, scans and maps count with
// their op; constants are neither branches nor masks. Private to this folder.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "findings/code_coverage.h"
#include "interpreter/plan/plan_builder.h"
#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

class CodeCoveragePlan {
 public:
  /// The planner calls this before each op outside such a region.
  void before(interpreter::PlanBuilder& builder, const ir::Op& op);

  /// After the plan was built.
  std::size_t site_count() const { return sites_.size(); }
  void add_to(const CoverageBits& bits, CodeCoverage& coverage) const;

 private:
  enum class Kind : std::uint8_t { lines, branch, mask };
  struct Site {
    Kind kind = Kind::lines;
    std::vector<const ir::Op*> ops;  // lines: all that have run where this has; else the one
    std::string_view name;
  };

  void note_lines(interpreter::PlanBuilder& builder, const ir::Op& op);
  void note_branch(interpreter::PlanBuilder& builder, const ir::Op& op);
  void note_if(interpreter::PlanBuilder& builder, const ir::Op& op);
  void note_for(interpreter::PlanBuilder& builder, const ir::Op& op);
  void begin_while(interpreter::PlanBuilder& builder, const ir::Op& op);
  void note_while(interpreter::PlanBuilder& builder, const ir::Op& condition);
  void note_mask(interpreter::PlanBuilder& builder, const ir::Op& op);
  void note_block(interpreter::PlanBuilder& builder, const ir::Op& op, std::string_view name);
  bool has_locations() const;
  /// The site of an op, which may be planned more than once.
  std::uint32_t site_of(Kind kind, const ir::Op& op, std::string_view name);

  std::vector<Site> sites_;
  std::unordered_map<const ir::Op*, std::uint32_t> lines_, sides_;   // the sites of ops
  std::unordered_map<const ir::Op*, interpreter::Slot> went_round_;  // of scf.while, as it was planned last
};

}  // namespace lockstep::sanitizer
