// Compares our declarations of C functions with those of a header.
#ifndef GENSYN_TEST_UNIT_RUNTIME_SAMESIGNATURE_H
#define GENSYN_TEST_UNIT_RUNTIME_SAMESIGNATURE_H

#include <type_traits>

namespace gensyn::test {

/// True if two parameters are passed alike: numbers of one size, or pointers to
/// what is alike; handles are pointers to what nobody knows.
template <class Ours, class Theirs> constexpr bool areAlike() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using A = std::remove_pointer_t<Ours>;
    using B = std::remove_pointer_t<Theirs>;
    if constexpr (std::is_const_v<A> != std::is_const_v<B>)
      return false;
    else if constexpr ((std::is_class_v<A> && std::is_class_v<B>) ||
                       (std::is_void_v<A> && std::is_void_v<B>))
      return true;
    else if constexpr (std::is_class_v<A> || std::is_class_v<B> ||
                       std::is_void_v<A> || std::is_void_v<B>)
      return false;
    else
      return areAlike<std::remove_const_t<A>, std::remove_const_t<B>>();
  } else if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    return false;
  } else {
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
  }
}

/// True if two types of functions are called alike.
template <class Ours, class Theirs> struct Matches : std::false_type {};
template <class Our, class... Ours, class Their, class... Theirs>
struct Matches<Our(Ours...), Their(Theirs...)> : std::bool_constant<[] {
  if constexpr (sizeof...(Ours) != sizeof...(Theirs) || !areAlike<Our, Their>())
    return false;
  else
    return (areAlike<Ours, Theirs>() && ...);
}()> {};

} // namespace gensyn::test

#endif
