// Shapes with checked indices.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_EXTENTS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_EXTENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <exception>

namespace gensyn::onnx_to_repro {

/// Thrown for an index outside of a shape and for the shape of an absent value,
/// and caught once for each node. A model's shapes are untrusted, and
/// verifyRanks covers only the rules in operators' definitions. `what` names
/// the missing value.
class ShapeError : public std::exception {
public:
  explicit ShapeError(
      llvm::StringLiteral missing =
          "an operand or a result that the operator needs is absent")
      : missing(missing) {}
  const char *what() const noexcept override { return missing.data(); }

private:
  llvm::StringLiteral missing;
};

/// `Base` is a sequence of extents; its elements and parts are accessed like
/// those of the sequence, or throw a ShapeError.
template <class Base> class CheckedExtents : public Base {
public:
  using Base::Base;
  CheckedExtents() = default;
  CheckedExtents(const Base &base) : Base(base) {}

  decltype(auto) operator[](size_t i) { return at(*this, i); }
  decltype(auto) operator[](size_t i) const { return at(*this, i); }
  decltype(auto) front() const { return (*this)[0]; }
  decltype(auto) back() const { return (*this)[this->size() - 1]; }

protected:
  static void require(bool holds) {
    if (!holds)
      throw ShapeError("a shape or a list of numbers has fewer elements than "
                       "the operator needs");
  }

private:
  template <class Self> static decltype(auto) at(Self &self, size_t i) {
    require(i < self.size());
    return *(self.begin() + i);
  }
};

/// The shape of a value.
class ShapeView : public CheckedExtents<llvm::ArrayRef<int64_t>> {
public:
  using CheckedExtents::CheckedExtents;

  ShapeView slice(size_t first, size_t count) const {
    require(first <= size() && count <= size() - first);
    return ArrayRef::slice(first, count);
  }
  ShapeView drop_front(size_t count = 1) const {
    require(count <= size());
    return ArrayRef::drop_front(count);
  }
  ShapeView drop_back(size_t count = 1) const {
    require(count <= size());
    return ArrayRef::drop_back(count);
  }
  ShapeView take_front(size_t count) const {
    require(count <= size());
    return ArrayRef::take_front(count);
  }
  ShapeView take_back(size_t count) const {
    require(count <= size());
    return ArrayRef::take_back(count);
  }
};

/// A list of extents, dimensions or other integers that a conversion computes.
class Extents : public CheckedExtents<llvm::SmallVector<int64_t>> {
public:
  using CheckedExtents::CheckedExtents;

  /// Inserts before position `dim`, which may be the end.
  void insertAt(int64_t dim, int64_t extent) {
    require(dim >= 0 && dim <= static_cast<int64_t>(size()));
    insert(begin() + dim, extent);
  }
  void eraseAt(int64_t dim) {
    require(dim >= 0 && dim < static_cast<int64_t>(size()));
    erase(begin() + dim);
  }
};

} // namespace gensyn::onnx_to_repro

#endif
