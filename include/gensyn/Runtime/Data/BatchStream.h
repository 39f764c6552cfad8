// Batches that a host program makes one by one.
#ifndef GENSYN_RUNTIME_DATA_BATCHSTREAM_H
#define GENSYN_RUNTIME_DATA_BATCHSTREAM_H

#include "gensyn/Executable/Formats/TensorFile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gensyn::runtime {

/// Batches, epoch by epoch, of any number and shapes. Members are called by the
/// thread that trains, one at a time, and may throw what they like: the step in
/// progress is completed first.
class BatchStream {
public:
  virtual ~BatchStream() = default;

  /// The name of the data in messages.
  virtual std::string name() const = 0;
  /// Begins an epoch, from 1.
  virtual void begin(int64_t epoch) = 0;
  /// Returns the next batch of the epoch: a tensor for each graph input and the
  /// target, by name, with samples along the first dimension. Nothing at the
  /// end.
  virtual std::optional<TensorMap> next() = 0;
  /// Drops a batch, which need not be made.
  virtual bool skip() { return next().has_value(); }
  /// Returns the number of batches of an epoch; 0 if it is not known.
  virtual int64_t length() const { return 0; }
};

} // namespace gensyn::runtime

#endif
