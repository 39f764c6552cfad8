// A mapping as one HTML page that needs nothing else.

#ifndef GENSYN_MACHINE_REPORTPAGE_H
#define GENSYN_MACHINE_REPORTPAGE_H

#include "gensyn/Machine/Report.h"
#include "gensyn/Machine/Sensitivity.h"

#include <string>
#include <vector>

namespace gensyn::machine {

/// A mapping that was made without one of the compiler's decisions.
struct Decision {
  /// "prefetch", and what it does.
  std::string name, meaning;
  /// Why there is no mapping without it; empty if there is one.
  std::string problem;
  /// By the estimate.
  int64_t time = 0, energy = 0;
  uint64_t bytes = 0; ///< of shared memories
};

/// What a page shows besides the mapping.
struct PageContent {
  /// The model's file, and "infer, batch 1" or the like.
  std::string model, program;
  std::string programDigest;
  /// The estimate of the mapping as it is, at index 0, and without one decision
  /// each. Empty: the model is not there to be mapped again.
  std::vector<Decision> decisions;
  /// Why there are none although the model is there; else empty.
  std::string withoutDecisions;
  std::vector<std::string> assumptions;
  bool hasSensitivity = true;
  /// Of a simulated run in counts, where there was one; null: it is simulated.
  const Statistics *run = nullptr;
};

/// Simulates a run in counts, again to record it, and returns a page (HTML)
/// about it, of at most some MB however large the mapping is.
std::string makePage(const MappedProgram &program, const PageContent &content);

/// The same as JSON.
OrderedJson makePageJson(const MappedProgram &program,
                         const PageContent &content);

/// A number of a machine file, in its base unit.
OrderedJson toJson(const Description &machine, const MachineNumber &number);

} // namespace gensyn::machine

#endif
