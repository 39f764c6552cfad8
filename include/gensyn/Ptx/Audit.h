// Finds instructions that could give different bits on different GPUs, drivers
// or runs.

#ifndef GENSYN_PTX_AUDIT_H
#define GENSYN_PTX_AUDIT_H

#include "gensyn/Ptx/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::ptx {

/// A rule with its reason.
struct AuditRule {
  std::string_view name;   ///< "approximate"
  std::string_view reason; ///< one clause
};

/// All rules, in the order of the documentation.
std::span<const AuditRule> auditRules();

/// A violation of a rule.
struct Finding {
  uint32_t line = 0;
  std::string_view rule; ///< name of one of `auditRules()`
  std::string text;      ///< the instruction or operand, as written
};

/// Audits a PTX text; findings come in the order of the lines. An instruction
/// that is not on the list of reproducible ones is a finding too. An error
/// means that the text is not PTX.
Result<std::vector<Finding>> audit(std::string text);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_AUDIT_H
