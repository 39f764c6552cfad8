// Finds what could give different bits on different GPUs, drivers or runs.

#ifndef GENSYN_PTX_AUDIT_H
#define GENSYN_PTX_AUDIT_H

#include "gensyn/Ptx/Result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::ptx {

/// A rule and why it is one.
struct AuditRule {
  std::string_view name;   ///< "approximate"
  std::string_view reason; ///< one clause
};

/// All rules, in the order of the documentation.
std::span<const AuditRule> auditRules();

/// A place where a text breaks a rule.
struct Finding {
  uint32_t line = 0;
  std::string_view rule; ///< name of one of `auditRules()`
  std::string text;      ///< the instruction or operand, as written
};

/// Audits a PTX text; findings come in the order of the lines. What is not on
/// the list of instructions known to be reproducible is a finding too. The
/// error is that of a text that is not PTX.
Result<std::vector<Finding>> audit(std::string text);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_AUDIT_H
