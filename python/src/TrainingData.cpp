// See TrainingData.h.

#include "TrainingData.h"

#include "Arrays.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Data/MemoryTensors.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

/// A tensor over the bytes of an array, which it keeps alive; the last copy may
/// go in any thread.
static Tensor keepArray(nb::handle object, const std::string &name,
                        ElementType type) {
  InputArray array;
  std::optional<Tensor> viewed = viewArray(object, type, true, array);
  if (!viewed)
    throw Failure(ExitCode::Bug,
                  quote(name) + " is not an array of " + longName(type));
  std::shared_ptr<const void> owner(
      new InputArray(std::move(array)), [](const void *pointer) {
        const nb::gil_scoped_acquire acquire;
        delete static_cast<const InputArray *>(pointer);
      });
  return Tensor::view(type, viewed->shape(), std::as_const(*viewed).data(),
                      std::move(owner));
}

TensorMap readTensors(const nb::list &list) {
  TensorMap tensors;
  for (const nb::handle item : list) {
    const auto name = nb::cast<std::string>(item[0]);
    const auto type = typeFromLongName(nb::cast<std::string>(item[1]));
    if (!type)
      throw Failure(ExitCode::Unsupported,
                    quote(name) + " has a type that arrays do not have");
    if (!tensors.emplace(name, keepArray(item[2], name, *type)).second)
      throw Failure(ExitCode::Usage, quote(name) + " is given twice");
  }
  return tensors;
}

nb::dict makeArrays(TensorMap tensors, const nb::callable &finish) {
  nb::dict arrays;
  for (auto &[name, tensor] : tensors) {
    const ElementType type = tensor.elementType();
    nb::object array = makeArray(std::move(tensor));
    if (!hasNumpyType(type))
      array = finish(array, longName(type));
    arrays[name.c_str()] = array;
  }
  return arrays;
}

Data Data::ofArrays(const std::string &name, const nb::list &list,
                    int64_t sequenceLength) {
  Data data;
  data.name = name;
  data.tensors = readTensors(list);
  data.source.sequenceLength = sequenceLength;
  return data;
}

Data Data::ofFiles(std::vector<std::string> parts, int64_t sequenceLength) {
  Data data;
  data.source.parts = std::move(parts);
  data.source.sequenceLength = sequenceLength;
  return data;
}

runtime::DataSet Data::open() const {
  if (!source.empty())
    return runtime::DataSet(source);
  runtime::MemoryTensors all(name);
  for (const auto &[each, tensor] : tensors)
    all.add(each, tensor);
  return {name, {std::move(all)}, source.sequenceLength};
}

std::string Stream::name() const {
  const nb::gil_scoped_acquire acquire;
  return nb::cast<std::string>(object.attr("name")());
}

void Stream::begin(int64_t epoch) {
  const nb::gil_scoped_acquire acquire;
  object.attr("begin")(epoch);
}

std::optional<TensorMap> Stream::next() {
  const nb::gil_scoped_acquire acquire;
  const nb::object batch = object.attr("next")();
  if (batch.is_none())
    return std::nullopt;
  return readTensors(nb::cast<nb::list>(batch));
}

bool Stream::skip() {
  const nb::gil_scoped_acquire acquire;
  return nb::cast<bool>(object.attr("skip")());
}

int64_t Stream::length() const {
  const nb::gil_scoped_acquire acquire;
  return nb::cast<int64_t>(object.attr("length")());
}

} // namespace gensyn::python
