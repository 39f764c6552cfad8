// The translation that runs a module with the reference interpreter, for
// gensyn-translate.

#ifndef GENSYN_PIPELINES_INTERPRETTRANSLATION_H
#define GENSYN_PIPELINES_INTERPRETTRANSLATION_H

#include "gensyn/Executable/Support/Failure.h"

#include <string>

namespace gensyn {

/// Registers --interpret. Each function of a module of repro ops is evaluated
/// by the reference interpreter on the `gensyn.input` attributes of its
/// arguments, and each result is printed as a dense attribute after the
/// function's name and the result's index:
///
///   @main[0] = dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
///
/// A result with an attribute `gensyn.expected` must have the same bits: then
/// it is printed as "as expected", and a difference is an error that names the
/// first element and sets `exitCode` to Mismatch.
void registerInterpretTranslation(ExitCode &exitCode,
                                  std::string &numberProblem);

} // namespace gensyn

#endif
