// gensyn-exhaustive: the greatest errors of functions in f64.

#include "Exhaustive.h"
#include "F64Inputs.h"
#include "Independent.h"

#include "gensyn/Numerics/Scalar.h"

#include <algorithm>
#include <cstdio>

namespace gensyn::exhaustive {

namespace {
struct Worst {
  std::mutex lock;
  double error = -1, x = 0;
};

bool check(const char *name, double bound, double (F64Inputs::*next)(),
           double (*function)(double), const Settings &settings) {
  const uint64_t blocks = (settings.f64Inputs + kBlock - 1) / kBlock;
  Worst worst;
  const double seconds =
      inParallel(settings.threads, blocks, [&](uint64_t block) {
        F64Inputs inputs(block + 1);
        double error = -1, at = 0;
        for (uint64_t i = 0; i < kBlock; ++i) {
          const double x = (inputs.*next)();
          const double e = independent::errorInUlp(name, x, function(x));
          if (!(e <= error)) // a NaN too
            error = e, at = x;
        }
        std::lock_guard<std::mutex> guard(worst.lock);
        if (!(error <= worst.error))
          worst.error = error, worst.x = at;
      });
  std::printf("%s in f64: %llu inputs, error at most %.5f ulp (x = %a), bound "
              "%.3f, %.0f s\n",
              name, static_cast<unsigned long long>(blocks * kBlock),
              worst.error, worst.x, bound, seconds);
  std::fflush(stdout);
  return worst.error <= bound;
}
} // namespace

bool checkF64(const Settings &settings) {
  if (!independent::haveMpfr()) {
    std::printf("functions in f64: nobody to ask without MPFR\n");
    return true;
  }
  // Bounds of function_r2 and function_r3.
  struct {
    const char *name;
    double bound;
    double (F64Inputs::*next)();
    double (*compute)(double);
  } const functions[] = {
      {"exp", 0.515, &F64Inputs::forExp,
       [](double x) { return scalar::exp(x); }},
      {"log", 0.502, &F64Inputs::forLog,
       [](double x) { return scalar::log(x); }},
      {"expm1", 0.7, &F64Inputs::forSigmoid,
       [](double x) { return scalar::expm1(x); }},
      {"log1p", 0.7, &F64Inputs::forLog1p,
       [](double x) { return scalar::log1p(x); }},
      {"sigmoid", 2.4, &F64Inputs::forSigmoid,
       [](double x) { return scalar::sigmoid(x); }},
      {"erf", 1.2, &F64Inputs::forSigmoid,
       [](double x) { return scalar::erf(x); }},
      {"tanh", 2.4, &F64Inputs::forSigmoid,
       [](double x) { return scalar::tanh(x); }},
  };
  bool good = true;
  for (const auto &each : functions)
    good &= check(each.name, each.bound, each.next, each.compute, settings);
  return good;
}

} // namespace gensyn::exhaustive
