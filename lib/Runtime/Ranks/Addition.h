// Sums of bytes by the kernels of a frozen program.
#ifndef GENSYN_LIB_RUNTIME_RANKS_ADDITION_H
#define GENSYN_LIB_RUNTIME_RANKS_ADDITION_H

#include "gensyn/Runtime/Devices/Program.h"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace gensyn::runtime {

/// Adds tensors with programs that each add two tensors of a fixed number of
/// elements of one type.
class Addition {
public:
  explicit Addition(std::vector<std::unique_ptr<Program>> programs);

  /// left = left + right, for elements at 64-byte aligned addresses.
  void add(ElementType type, std::byte *left, const std::byte *right,
           int64_t count);
  /// The same for tensors, which are of one type and shape.
  void add(Tensor &left, const Tensor &right);

private:
  struct Adder {
    std::unique_ptr<Program> program;
    std::vector<Tensor> result;
    /// For the last elements, fewer than the program adds.
    Tensor left, right;
    int64_t elements;
  };
  void run(Adder &adder, const std::byte *left, const std::byte *right);

  std::map<ElementType, Adder> adders;
};

} // namespace gensyn::runtime

#endif
