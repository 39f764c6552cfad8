// The auditor's rules, with their reasons.

#include "AuditRules.h"

#include "gensyn/Ptx/Audit.h"

namespace gensyn::ptx {
namespace {

constexpr AuditRule rules[] = {
    {"approximate", "the error of .approx differs between architectures"},
    {"flush-subnormals", ".ftz loses subnormal numbers"},
    {"unstated-rounding",
     "without .rn the assembler may fuse a product with a sum"},
    {"other-rounding", "only rounding to nearest even is part of the numerics"},
    {"saturated-float", ".sat and .relu turn a NaN into a number"},
    {"full-division", "div.full has an error of 2 ulp"},
    {"transcendental", "its error differs between architectures"},
    {"float-atomic", "the order of the additions differs from run to run"},
    {"atomic-order", "the last of several threads wins, in any order"},
    {"atomic-result", "what an atomic returns depends on the order of threads"},
    {"float-matrix",
     "tensor cores add floats in an order that is not documented"},
    {"saturated-matrix",
     "of sums that saturate the order matters, and it is not documented"},
    {"float-redux",
     "a reduction over lanes in an order that is not documented"},
    {"narrowed-float",
     "the assembler stores the float converted to an integer, not its bits"},
    {"packed-extremum",
     "compared with 0, the assembler may compare another value's half"},
    {"selected-extremum",
     "the assembler makes a maximum or minimum of it, which changes NaNs"},
    {"magnitude-compare",
     "the assembler takes it for true, but it is false for a NaN"},
    {"negated-least",
     "the assembler forgets that the least integer has no negative"},
    {"call", "what is called is outside of the text, or hides in it"},
    {"texture", "texture and surface units filter and convert"},
    {"machine-state", "the value depends on the machine or on the time"},
    {"unsynchronized-exchange",
     "which threads take part depends on the scheduler"},
    {"unknown-instruction",
     "it is not on the list of reproducible instructions"}};

static_assert(std::size(rules) ==
              static_cast<size_t>(RuleId::UnknownInstruction) + 1);

} // namespace

std::span<const AuditRule> auditRules() { return rules; }

} // namespace gensyn::ptx
