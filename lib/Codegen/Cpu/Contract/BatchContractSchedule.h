// The schedule of contractions with vectors along a batch.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHCONTRACTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHCONTRACTSCHEDULE_H

#include "BatchSizes.h"
#include "gensyn/Codegen/Cpu/Schedule.h"

#include <functional>

namespace gensyn::cpu {

/// Accepts kernels that are one `repro.contract` with an iterator in both
/// operands and the result, such as depthwise and grouped convolutions, their
/// gradients, and small products of a batch, if that is estimated to be faster
/// than the matrix-product schedule.
std::unique_ptr<Schedule> createBatchContractSchedule();
/// Accepts all such kernels, with the sizes that `choose` returns.
std::unique_ptr<Schedule> createBatchContractSchedule(
    std::function<BatchSizes(const ContractBox &)> choose);

/// Returns the estimated cycles of that schedule, and of matrix products;
/// std::nullopt if they do not apply.
std::optional<double> estimateBatchCycles(repro::ContractOp contract,
                                          const Target &target);
std::optional<double> estimateProductCycles(repro::ContractOp contract,
                                            const Target &target);

} // namespace gensyn::cpu

#endif
