// gensyn-kernel-runner: runs the kernels that it reads from its standard input,
// as kernels of another processor under an emulator. The other end is
// lib/CheckBits/EmulatedCode.cpp.

#include "gensyn/CheckBits/MessageStream.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/PoisonedRun.h"

#include <cstring>

using namespace gensyn;
using gensyn::checkbits::MessageStream;

/// The other end knows types and shapes.
static Tensor bytesTensor(int64_t bytes) {
  return Tensor(ElementType::UI8, {bytes});
}

static std::string_view bytesOf(const void *data, size_t bytes) {
  return {static_cast<const char *>(data), bytes};
}

/// Runs the kernels on inputs that follow `header`. Returns false if the other
/// end has closed the stream.
static bool runOnce(const MessageStream &stream, const plan::Plan &plan,
                    const runtime::SharedObject &code,
                    const std::string &header) {
  std::vector<int64_t> numbers(header.size() / sizeof(int64_t));
  std::memcpy(numbers.data(), header.data(), header.size());
  std::vector<Tensor> inputs, outputs;
  for (int64_t i = 0; i < numbers.at(1); ++i) {
    std::optional<std::string> bytes = stream.receive();
    if (!bytes)
      return false;
    inputs.push_back(bytesTensor(int64_t(bytes->size())));
    std::memcpy(inputs.back().data(), bytes->data(), bytes->size());
  }
  for (size_t i = 2; i < numbers.size(); ++i)
    outputs.push_back(bytesTensor(numbers[i]));
  std::vector<uint64_t> positions;
  try {
    positions = runtime::runPoisoned(plan, code, inputs, outputs, numbers[0]);
  } catch (const Failure &failure) {
    stream.send(failure.what());
    return true;
  }
  stream.send("");
  for (const Tensor &output : outputs)
    stream.send(bytesOf(output.data(), size_t(output.byteSize())));
  stream.send(bytesOf(positions.data(), positions.size() * sizeof(uint64_t)));
  return true;
}

int main() {
  const MessageStream stream(STDIN_FILENO, STDOUT_FILENO);
  try {
    std::optional<std::string> description = stream.receive();
    std::optional<std::string> object = stream.receive();
    plan::Plan plan;
    if (!description || !object || !plan.ParseFromString(*description))
      return 1;
    std::optional<runtime::SharedObject> code;
    try {
      code.emplace(std::string_view(*object));
    } catch (const Failure &failure) {
      stream.send(failure.what());
      return 1;
    }
    stream.send("");
    while (std::optional<std::string> header = stream.receive())
      if (!runOnce(stream, plan, *code, *header))
        break;
  } catch (const Failure &) { // the other end has closed the stream
    return 1;
  }
  return 0;
}
