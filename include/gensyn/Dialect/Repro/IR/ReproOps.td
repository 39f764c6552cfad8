//===- ReproOps.td - all ops, by family ------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROOPS_TD
#define GENSYN_DIALECT_REPRO_IR_REPROOPS_TD

include "gensyn/Dialect/Repro/IR/ReproElementwise.td"
include "gensyn/Dialect/Repro/IR/ReproMovement.td"
include "gensyn/Dialect/Repro/IR/ReproIndexing.td"
include "gensyn/Dialect/Repro/IR/ReproReduction.td"
include "gensyn/Dialect/Repro/IR/ReproPrefix.td"
include "gensyn/Dialect/Repro/IR/ReproRandom.td"
include "gensyn/Dialect/Repro/IR/ReproControl.td"
include "gensyn/Dialect/Repro/IR/ReproKernel.td"

#endif
