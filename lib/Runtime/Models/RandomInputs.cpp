// Their values hardly change the time of a program,
// but subnormals, NaNs and indices out of range would.

#include "gensyn/Runtime/Models/RandomInputs.h"

#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Dispatch.h"

#include <random>

namespace gensyn::runtime {

/// Returns a number in [0, 1).
static double drawFraction(std::mt19937_64 &generator) {
  return double(generator() >> 11) * 0x1p-53;
}

static Tensor makeTensor(const Port &port, int64_t values,
                         std::mt19937_64 &generator) {
  Tensor tensor(port.type, port.shape);
  dispatch(port.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T *elements = tensor.as<T>();
    for (int64_t i = 0; i < tensor.numElements(); ++i) {
      const double fraction = drawFraction(generator);
      if constexpr (IsNarrowFloat<T>)
        elements[i] = scalar::convert<T>(fraction);
      else if constexpr (std::is_floating_point_v<T>)
        elements[i] = static_cast<T>(fraction);
      else if constexpr (IsNarrowInteger<T>)
        elements[i] = scalar::convert<T>(fraction < 0.5 ? 0.0 : 1.0);
      else
        elements[i] = static_cast<T>(int64_t(fraction * double(values)));
    }
  });
  return tensor;
}

TensorMap makeRandomInputs(const Signature &signature,
                           const std::string &target, int64_t classes) {
  std::mt19937_64 generator(0);
  TensorMap tensors;
  for (const Port &port : signature.inputs)
    if (port.role == Role::Input || port.role == Role::Target)
      tensors.emplace(port.name,
                      makeTensor(port,
                                 classes && port.name == target ? classes : 2,
                                 generator));
  return tensors;
}

} // namespace gensyn::runtime
