// A value or the error that prevented it; this library uses no exceptions.

#ifndef GENSYN_PTX_RESULT_H
#define GENSYN_PTX_RESULT_H

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace gensyn::ptx {

/// An error in a PTX text, and its line (1 is the first).
struct Error {
  uint32_t line = 0;
  std::string message;
};

/// Either a `T` or an `Error`.
template <class T> class Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  /// The error; valid only if there is no value.
  const Error &error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_RESULT_H
