// gensyn-exhaustive: the greatest error of exp and log in f64.

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
    std::printf("exp and log in f64: nobody to ask without MPFR\n");
    return true;
  }
  bool good = check(
      "exp", 0.515, &F64Inputs::forExp, [](double x) { return scalar::exp(x); },
      settings);
  good &= check(
      "log", 0.502, &F64Inputs::forLog, [](double x) { return scalar::log(x); },
      settings);
  return good;
}

} // namespace gensyn::exhaustive
