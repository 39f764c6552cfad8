// See Addition.h.

#include "Addition.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"

#include <cstring>

namespace gensyn::runtime {

Addition::Addition(std::vector<std::unique_ptr<Program>> programs) {
  for (std::unique_ptr<Program> &program : programs) {
    const Signature &signature = program->signature();
    if (signature.inputs.size() != 2 || signature.outputs.size() != 1)
      failBadInput("the program is malformed: it does not add two tensors");
    const Port &port = signature.outputs.front();
    for (const Port &input : signature.inputs)
      if (input.type != port.type || input.shape != port.shape)
        failBadInput("the program is malformed: it adds tensors of two types");
    std::vector<Tensor> result = makeOutputs(signature);
    const int64_t elements = result.front().numElements();
    adders.emplace(port.type, Adder{std::move(program), std::move(result),
                                    Tensor(port.type, port.shape),
                                    Tensor(port.type, port.shape), elements});
  }
}

/// Pieces of the adder's number of elements.
void Addition::run(Adder &adder, const std::byte *left,
                   const std::byte *right) {
  const Port &port = adder.program->signature().outputs.front();
  const Tensor a = Tensor::view(port.type, port.shape, left, nullptr);
  const Tensor b = Tensor::view(port.type, port.shape, right, nullptr);
  const Tensor *inputs[] = {&a, &b};
  adder.program->run(inputs, adder.result);
}

void Addition::add(ElementType type, std::byte *left, const std::byte *right,
                   int64_t count) {
  auto found = adders.find(type);
  if (found == adders.end())
    failBadInput("the program is malformed: nothing adds its " +
                 longName(type));
  Adder &adder = found->second;
  const int64_t width = byteWidth(type), piece = adder.elements * width;
  int64_t bytes = count * width;
  for (; bytes >= piece; bytes -= piece, left += piece, right += piece) {
    run(adder, left, right);
    std::memcpy(left, std::as_const(adder.result.front()).data(),
                size_t(piece));
  }
  if (bytes == 0)
    return;
  // Whatever is behind the rest is added too, and ignored.
  std::memcpy(adder.left.data(), left, size_t(bytes));
  std::memcpy(adder.right.data(), right, size_t(bytes));
  run(adder, adder.left.data(), adder.right.data());
  std::memcpy(left, std::as_const(adder.result.front()).data(), size_t(bytes));
}

void Addition::add(Tensor &left, const Tensor &right) {
  add(left.elementType(), left.data(), right.data(), left.numElements());
}

} // namespace gensyn::runtime
