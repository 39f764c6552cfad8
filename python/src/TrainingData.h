// Data of Python for training.
#ifndef GENSYN_PYTHON_TRAININGDATA_H
#define GENSYN_PYTHON_TRAININGDATA_H

#include "gensyn/Runtime/Data/BatchStream.h"
#include "gensyn/Runtime/Data/DataSet.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::python {

/// Reads a list of (name, type, array) whose arrays have that type, are
/// row-major and aligned, with types that numpy lacks as integers of their
/// width. The tensors keep the arrays alive, and are not copies.
TensorMap readTensors(const nanobind::list &list);

/// A dict of new arrays. `finish` turns integers into a type that numpy lacks.
nanobind::dict makeArrays(TensorMap tensors, const nanobind::callable &finish);

/// A data set of arrays or of files, which are opened with a trainer's call.
class Data {
public:
  /// Tensors by name, as readTensors takes them.
  static Data ofArrays(const std::string &name, const nanobind::list &list,
                       int64_t sequenceLength);
  static Data ofFiles(std::vector<std::string> parts, int64_t sequenceLength);

  runtime::DataSet open() const;

private:
  std::string name;
  TensorMap tensors;
  runtime::DataSource source;
};

/// Batches of a Python object with the methods name() -> str, begin(epoch),
/// next() -> a list as readTensors takes it or None, skip() -> bool, and
/// length() -> int. Called without the GIL.
class Stream final : public runtime::BatchStream {
public:
  explicit Stream(nanobind::object object) : object(std::move(object)) {}

  std::string name() const override;
  void begin(int64_t epoch) override;
  std::optional<TensorMap> next() override;
  bool skip() override;
  int64_t length() const override;

private:
  nanobind::object object;
};

} // namespace gensyn::python

#endif
