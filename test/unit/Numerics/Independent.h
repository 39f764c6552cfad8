// Correctly rounded results from two libraries that share nothing with the code
// under test nor with the C library: LLVM's libc, whose f32 functions are
// correctly rounded, and MPFR, which has any precision. Each may be absent from
// a machine.

#ifndef GENSYN_TEST_UNIT_NUMERICS_INDEPENDENT_H
#define GENSYN_TEST_UNIT_NUMERICS_INDEPENDENT_H

#include <cstdint>
#include <string_view>

namespace gensyn::independent {

using Unary = float (*)(float);
using Binary = float (*)(float, float);

/// LLVM libc's function, or null.
Unary llvmUnary(std::string_view name);
Binary llvmPow();

bool haveMpfr();

/// A function that MPFR can decide.
struct Exact;
/// Null if MPFR is absent or lacks the function.
const Exact *exactUnary(std::string_view name);

/// The f32 nearest to the true result; a NaN is canonical. Thread-safe.
uint32_t roundExact(const Exact &function, float x);
/// x to the power of y; C23's special cases. Needs MPFR.
uint32_t roundExactPow(float x, float y);

/// The error of y in units of the last place of an f64 at the true result.
/// Names: "exp", "log". Needs MPFR.
double errorInUlp(std::string_view name, double x, double y);

} // namespace gensyn::independent

#endif // GENSYN_TEST_UNIT_NUMERICS_INDEPENDENT_H
