// Chooses the instruction set that this processor has.

#include "Selector.h"

namespace gensyn::ptx {
namespace {

using Select = Handler (*)(const Selector &);

Select chooseInstructionSet() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  bool avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
  if (avx2)
    return avx512 ? lanes_avx512::select : lanes_avx2::select;
#endif
  return lanes_base::select;
}

} // namespace

Handler select(const Selector &selector) {
  static const Select chosen = chooseInstructionSet();
  if (isDirected(selector.round))
    return selector.op == Op::Convert ? selectDirectedConvert(selector)
                                      : selectDirected(selector);
  Handler handler = chosen(selector);
  if (handler == nullptr && selector.op == Op::Convert &&
      selector.round == Rounding::Rn)
    handler = selectDirectedConvert(selector);
  return handler;
}

} // namespace gensyn::ptx
