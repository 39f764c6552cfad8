// Parameters of which each rank keeps some elements.
#ifndef GENSYN_LIB_RUNTIME_RANKS_PARAMETERFETCH_H
#define GENSYN_LIB_RUNTIME_RANKS_PARAMETERFETCH_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace gensyn::runtime {

/// Gets the elements of other ranks before a program reads a tensor, and
/// forgets them afterwards. Within a step nobody changes them, so each rank
/// offers its own as often as others will ask, and they need not ask at the
/// same time.
class ParameterFetch {
public:
  /// A tensor, and how often a microbatch of this rank asks for it.
  struct Parameter {
    const Cut *cut;
    int64_t width; ///< bytes of an element
    uint32_t uses;
  };
  /// All ranks call it, each with the number of its microbatches.
  ParameterFetch(std::vector<Parameter> parameters, int64_t microbatches,
                 communication::Communicator &ranks);

  /// Begins a step; `bytes` has the tensors' memory.
  void begin(std::vector<std::byte *> bytes);
  /// Makes a tensor whole, and begins to get what was asked for next the last
  /// time.
  void acquire(size_t parameter);
  void release(size_t parameter);
  /// Ends a step: all have what they asked for.
  void finish();

private:
  CutBytes at(size_t parameter) const {
    return {bytes[parameter], parameters[parameter].width,
            parameters[parameter].cut};
  }
  void request(size_t parameter);

  std::vector<Parameter> parameters;
  communication::Communicator &ranks;
  /// How often each rank asks for each tensor in a step.
  std::vector<std::vector<uint32_t>> asks;
  std::vector<std::byte *> bytes;
  std::vector<communication::Transfer> sends;
  /// Requests in the order in which they were made in the step before, and in
  /// this one; how many of this one have begun.
  std::vector<size_t> known, order;
  std::deque<size_t> ahead;
  std::vector<std::vector<communication::Transfer>> incoming;
};

} // namespace gensyn::runtime

#endif
