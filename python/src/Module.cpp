// The extension module gensyn._core: a class over Inference. The package's
// Python files have the interface for users, and convert what is not a tensor
// of the model's type.

#include "Arrays.h"
#include "DeviceArrays.h"
#include "Errors.h"
#include "Passes.h"
#include "Ranks.h"
#include "Report.h"
#include "Training.h"
#include "TrainingData.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Runtime/Data/MemoryTensors.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Models/Inference.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

namespace {

using Converter =
    nb::typed<nb::callable, nb::object(nb::any, nb::str, nb::str)>;
using Finisher = nb::typed<nb::callable, nb::object(nb::any, nb::str)>;
using Sharer = nb::typed<nb::callable, nb::object(nb::any, nb::str, int)>;
using Giver = nb::typed<nb::callable, nb::object(nb::any, nb::any)>;

/// Parameters in a file or the folder of a run, in arrays (see readTensors), or
/// none.
std::shared_ptr<const TensorFile> openParameters(const nb::object &from) {
  if (from.is_none())
    return nullptr;
  if (nb::isinstance<nb::str>(from))
    return std::make_shared<TensorFile>(runtime::openTensors(
        runtime::parametersIn(nb::cast<std::string>(from))));
  auto file = std::make_shared<runtime::MemoryTensors>("parameters");
  for (const auto &[name, tensor] : readTensors(nb::cast<nb::list>(from)))
    file->add(name, tensor);
  return file;
}

/// A model, and the function that converts its inputs.
class Program {
public:
  Program(const std::string &model, const std::string &library,
          const std::string &backend, const std::string &instructionSet,
          unsigned threads, const std::string &accuracy,
          const std::map<std::string, int64_t> &dims, const std::string &cache,
          uint64_t seed, size_t specializations, bool profile, int device,
          nb::object parameters, Converter convert, Finisher finish,
          Sharer share, Giver give)
      : convert(std::move(convert)), finish(std::move(finish)),
        share(std::move(share)), give(std::move(give)),
        isOfGpu(backend == "cuda") {
    runtime::ModelOptions options;
    options.model = model;
    options.compilerNeighbour = library;
    options.backend = backend;
    options.device = device;
    options.instructionSet = instructionSet;
    options.threads = threads;
    options.accuracy = accuracy;
    options.dims = dims;
    options.cache = cache;
    options.bodies = true;
    options.profile = profile;
    runtime::checkBackend(backend);
    std::shared_ptr<const TensorFile> replacing = openParameters(parameters);
    const nb::gil_scoped_release release;
    inference = std::make_unique<runtime::Inference>(
        std::move(options), specializations, seed, std::move(replacing));
  }

  nb::object run(const nb::args &values);

  runtime::Inference &model() { return *inference; }

private:
  nb::object runOnGpu(const nb::args &values);
  Tensor readInput(nb::handle value, size_t input, InputArray &array);
  nb::object makeResult(Tensor tensor);

  std::unique_ptr<runtime::Inference> inference;
  /// Functions of a module, so that no cycle of references leads here.
  /// convert(value, name, type): an array that viewArray takes.
  Converter convert;
  /// finish(array, type): the array with the type that numpy lacks.
  Finisher finish;
  /// share(tensor, name, stream): the capsule of a tensor on a GPU.
  Sharer share;
  /// give(device_tensor, input): the result as a tensor of the input's library.
  Giver give;
  bool isOfGpu;
};

} // namespace

Tensor Program::readInput(nb::handle value, size_t input, InputArray &array) {
  const std::vector<runtime::ModelTensor> &inputs = inference->inputs();
  if (input >= inputs.size())
    return {}; // one too many, which the model refuses
  const ElementType type = inputs[input].type;
  std::optional<Tensor> tensor = viewArray(value, type, false, array);
  if (!tensor)
    tensor = viewArray(convert(value, inputs[input].name, longName(type)), type,
                       true, array);
  return tensor ? std::move(*tensor) : Tensor();
}

nb::object Program::makeResult(Tensor tensor) {
  const ElementType type = tensor.elementType();
  nb::object array = makeArray(std::move(tensor));
  return hasNumpyType(type) ? array : finish(array, longName(type));
}

nb::object Program::run(const nb::args &values) {
  const size_t count = values.size();
  if (isOfGpu && std::any_of(values.begin(), values.end(), isOnGpu))
    return runOnGpu(values);
  std::vector<InputArray> arrays(count);
  std::vector<Tensor> tensors(count);
  for (size_t i = 0; i < count; ++i)
    tensors[i] = readInput(values[i], i, arrays[i]);
  std::vector<Tensor> results;
  {
    const nb::gil_scoped_release release;
    results = inference->run(tensors);
  }
  if (results.size() == 1)
    return makeResult(std::move(results[0]));
  nb::list list;
  for (Tensor &result : results)
    list.append(makeResult(std::move(result)));
  return nb::tuple(list);
}

/// A call with tensors on the GPU. The results stay there if no array is on the
/// host, and then are tensors of the library of the first one.
nb::object Program::runOnGpu(const nb::args &values) {
  const std::vector<runtime::ModelTensor> &inputs = inference->inputs();
  runtime::DeviceExchange *exchange = nullptr;
  {
    const nb::gil_scoped_release release; // of another thread's run
    exchange = inference->exchange();
  }
  nb::object like;
  bool keepsResults = true;
  std::vector<InputArray> arrays(values.size());
  std::vector<runtime::Value> given;
  for (size_t i = 0; i < values.size(); ++i) {
    const nb::handle value = values[i];
    if (exchange && i < inputs.size() && isOnGpu(value)) {
      given.push_back(borrowArray(value, inputs[i].name, inputs[i].type,
                                  *exchange, share, arrays[i]));
      if (!like.is_valid())
        like = nb::borrow(value);
      continue;
    }
    keepsResults &= !isArray(value);
    given.emplace_back(readInput(value, i, arrays[i]));
  }
  std::vector<runtime::Value> results;
  {
    const nb::gil_scoped_release release;
    results = inference->run(given, keepsResults && like.is_valid());
  }
  nb::list list;
  for (runtime::Value &result : results)
    if (result.device())
      list.append(give(
          nb::cast(DeviceTensor(std::move(result), exchange->number())), like));
    else
      list.append(makeResult(result.read()));
  return list.size() == 1 ? nb::object(list[0]) : nb::object(nb::tuple(list));
}

// What describeTensors() returns, for type checkers.
#define DESCRIPTION "list[tuple[str, str, tuple[int | str | None, ...]]]"

/// Calls a method that may wait for a run of another thread.
template <auto Method> static auto unlocked(Program &program) {
  const nb::gil_scoped_release release;
  return (program.model().*Method)();
}

NB_MODULE(_core, module) {
  module.doc() = "The runtime of gensyn. Use the package gensyn instead.";
  // Caches of others, such as that of torch.compile, live to the end.
  nb::set_leak_warnings(false);
  registerErrors();
  definePasses(module);
  defineRanks(module);
  defineReport(module);
  defineDeviceTensor(module);
  defineTraining(module);
  module.attr("version") = GENSYN_VERSION;
  module.def("default_cache", [] { return runtime::defaultCache().string(); });
  nb::class_<Program>(module, "Program",
                      "A model on a device; see gensyn.Program.")
      .def(nb::init<const std::string &, const std::string &,
                    const std::string &, const std::string &, unsigned,
                    const std::string &, const std::map<std::string, int64_t> &,
                    const std::string &, uint64_t, size_t, bool, int,
                    nb::object, Converter, Finisher, Sharer, Giver>(),
           nb::arg("model"), nb::arg("library"), nb::arg("backend"),
           nb::arg("instruction_set"), nb::arg("threads"), nb::arg("accuracy"),
           nb::arg("dims"), nb::arg("cache"), nb::arg("seed"),
           nb::arg("specializations"), nb::arg("profile"), nb::arg("device"),
           nb::arg("parameters").none(), nb::arg("convert"), nb::arg("finish"),
           nb::arg("share"), nb::arg("give"))
      .def("run", &Program::run,
           nb::sig("def run(self, *args: typing.Any) -> typing.Any"),
           "Runs the model on its inputs, in order.")
      .def(
          "inputs",
          [](Program &program) {
            return describeTensors(program.model().inputs());
          },
          nb::sig("def inputs(self) -> " DESCRIPTION))
      .def(
          "outputs",
          [](Program &program) {
            return describeTensors(program.model().outputs());
          },
          nb::sig("def outputs(self) -> " DESCRIPTION))
      .def("digest", unlocked<&runtime::Inference::digest>)
      .def("target", unlocked<&runtime::Inference::target>)
      .def("count_programs", unlocked<&runtime::Inference::countPrograms>)
      .def("kernels", unlocked<&runtime::Inference::kernels>, "JSON.")
      .def(
          "profile",
          [](Program &program, bool clear) {
            const nb::gil_scoped_release release;
            return program.model().profile(clear);
          },
          nb::arg("clear"), "JSON.");
}

} // namespace gensyn::python
