// Elements of a tensor in memory, read as the type of a CpuBuilder's vectors.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_STOREDTENSOR_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_STOREDTENSOR_H

#include "CpuBuilder.h"

namespace gensyn::cpu {

/// Loads widen exactly (contract_r1), and stores of integers keep the low bits.
/// Positions are counted in the tensor's own elements.
class StoredTensor {
public:
  /// `element` is the element type of the tensor. With `hasHalf`, an f16 is
  /// widened by an instruction, else by integer arithmetic.
  StoredTensor(CpuBuilder &code, mlir::Type element, bool hasHalf = false);
  /// A tensor whose elements are loaded and stored as they are in memory.
  static StoredTensor raw(CpuBuilder &code, mlir::Type element) {
    return StoredTensor(code, element).asRaw();
  }
  StoredTensor asRaw() const {
    StoredTensor tensor = *this;
    tensor.isRaw = true;
    return tensor;
  }
  /// A tensor of the type of the vectors.
  explicit StoredTensor(CpuBuilder &code) : StoredTensor(code, code.element) {}

  /// True if elements in memory have another type than those of the vectors.
  bool isConverted() const { return stored != code.element; }
  /// Bits of an element's values.
  int64_t width() const { return element.getIntOrFloatBitWidth(); }
  bool isSigned() const { return !element.isUnsignedInteger(); }
  /// Bytes of an element in memory.
  int64_t bytes() const { return stored.getIntOrFloatBitWidth() / 8; }

  mlir::Value at(mlir::Value base, mlir::Value offset) const {
    return code.at(base, offset, stored);
  }
  mlir::Value at(mlir::Value base, int64_t offset) const {
    return at(base, code.constant(offset));
  }

  mlir::Value loadScalar(mlir::Value pointer) const;
  mlir::Value load(mlir::Value pointer) const;
  void store(mlir::Value value, mlir::Value pointer) const;
  /// Lanes outside the mask are not accessed; they read as +0. A null mask has
  /// all lanes.
  mlir::Value load(mlir::Value pointer, mlir::Value mask) const;
  void store(mlir::Value value, mlir::Value pointer, mlir::Value mask) const;

  /// The type in memory of a vector of `lanes` elements.
  mlir::VectorType vector() const;

  /// Elements in memory in a lane of the vectors' width.
  int64_t perLane() const { return code.bytes() / bytes(); }
  /// Loads lanes of perLane() elements each, as integers.
  mlir::Value loadLanes(mlir::Value pointer) const;
  /// Returns element `part` of each of these lanes, in order of memory.
  mlir::Value elementOfLanes(mlir::Value lanes, int64_t part) const;

  mlir::Value gather(mlir::Value pointers, mlir::Value mask) const;
  void scatter(mlir::Value value, mlir::Value pointers, mlir::Value mask) const;

  /// Converts a scalar or a vector from the type in memory.
  mlir::Value widen(mlir::Value value) const;

private:
  unsigned alignment() const { return static_cast<unsigned>(bytes()); }
  mlir::Value narrow(mlir::Value value) const;

  CpuBuilder &code;
  mlir::Type element, stored; ///< of the tensor, and its layout in memory
  bool hasHalf, isRaw = false;
};

} // namespace gensyn::cpu

#endif
