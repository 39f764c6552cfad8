// The programs of synthetic runs: their arguments, ops and trees.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICPROGRAM_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICPROGRAM_H

#include "SyntheticOps.h"
#include "gensyn/Executable/Support/Hash.h"

namespace gensyn::testing {

inline constexpr size_t kOps = 5;

std::string nameOf(size_t op);
/// The values that an op reads, or -1: the constant.
std::vector<int> operandsOf(size_t op);
Tensor makeTensor(uint64_t seed);
/// The constant of a program, which differs for the last batch.
Tensor shiftOf(bool isLast);

plan::EntryText describeOp(size_t op, bool isLast);
/// `values` begins with the arguments.
std::string makeHeader(const std::vector<Tensor> &values);
Digest findProgramRoot(const std::vector<Tensor> &values, bool isLast);

} // namespace gensyn::testing

#endif
