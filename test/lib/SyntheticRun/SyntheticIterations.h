// The ops of synthetic runs that run programs of their own.
#ifndef GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICITERATIONS_H
#define GENSYN_TEST_LIB_SYNTHETICRUN_SYNTHETICITERATIONS_H

#include "SyntheticProgram.h"
#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Numerics/Tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::testing {

/// Nothing for an op that is one computation.
///
///   loop     a flag, two carried rows and a row that its iterations read: two
///            to five iterations, or none if the flag is false
///   branch   one of two programs of two rows, which a flag chooses
///   pick     one of two rows that are constants, so its programs have no
///            values
std::optional<plan::OpIterations> findIterations(const std::string &name);
/// Sets the header and the root of the program.
void addIteration(const std::string &name, unsigned variant,
                  plan::OpIterations &iterations);

/// Runs the iterations of an op one after the other.
class IteratedOp {
public:
  IteratedOp(const std::string &name, std::vector<Tensor> operands);

  bool goesOn() const;
  const SyntheticProgram &program() const { return *body; }
  /// Of the next iteration.
  std::vector<Tensor> arguments() const;
  const std::vector<Tensor> &carried() const { return now; }
  void runNext();
  /// Runs all that are left, and returns the results of the op.
  std::vector<Tensor> finish();

private:
  plan::OpIterations iterations;
  std::vector<Tensor> operands, now;
  const SyntheticProgram *body;
  uint64_t before = 0;
};

} // namespace gensyn::testing

#endif
