// Evaluates the functions over arrays, with the best vector instructions of the
// machine.

#ifndef GENSYN_NUMERICS_EVALUATE_H
#define GENSYN_NUMERICS_EVALUATE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace gensyn {

/// The correctly rounded functions of one f32, in the order of Functions.def.
enum class Function : uint8_t {
#define GENSYN_FUNCTION(Stem, name) Stem,
#include "gensyn/Numerics/Functions.def"
};

inline constexpr int kNumFunctions = 0
#define GENSYN_FUNCTION(Stem, name) +1
#include "gensyn/Numerics/Functions.def"
    ;

/// The function's name in Functions.def, which is also that of its op: "exp",
/// "sin", ...
std::string_view name(Function function);
/// The function with that name, or nothing.
std::optional<Function> functionFromName(std::string_view name);

/// Algorithms with the same results: with tables, where kernels of some
/// machines look them up by an instruction, or without.
enum class Method : uint8_t { Polynomials, Tables };

/// y[i] = function(x[i]) for i < n, with the same bits on every machine; x and
/// y may be the same array. Several times as fast as one element at a time.
void evaluate(Function function, const float *x, float *y, int64_t n,
              Method method = Method::Polynomials);

} // namespace gensyn

#endif // GENSYN_NUMERICS_EVALUATE_H
