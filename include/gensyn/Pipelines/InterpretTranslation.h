// The translation that runs a module with the reference interpreter, for
// gensyn-translate.

#ifndef GENSYN_PIPELINES_INTERPRETTRANSLATION_H
#define GENSYN_PIPELINES_INTERPRETTRANSLATION_H

namespace gensyn {

/// Registers --interpret. Each function of a module of repro ops is evaluated
/// by the reference interpreter on the `gensyn.input` attributes of its
/// arguments, and each result is printed as a dense attribute behind the
/// function's name and the result's number:
///
///   @main[0] = dense<[1.500000e+00, -0.000000e+00]> : tensor<2xf32>
///
/// A result with an attribute `gensyn.expected` has to have its bits: it is
/// printed as "as expected", and a difference is an error that names the first
/// element and sets `exitCode` to 1.
void registerInterpretTranslation(int &exitCode);

} // namespace gensyn

#endif
