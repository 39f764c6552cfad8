// Element types and the C++ types that hold them, in both directions.

#ifndef GENSYN_NUMERICS_DISPATCH_H
#define GENSYN_NUMERICS_DISPATCH_H

#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/NarrowFloat.h"

#include <cstdlib>
#include <type_traits>

/// Calls X(name) for each storage type; its C++ type and its ElementType have
/// the same name.
#define GENSYN_STORAGE_TYPES(X)                                                \
  X(F16)                                                                       \
  X(BF16)                                                                      \
  X(F8E4M3FN)                                                                  \
  X(F8E4M3FNUZ)                                                                \
  X(F8E5M2)                                                                    \
  X(F8E5M2FNUZ)                                                                \
  X(F8E8M0FNU)                                                                 \
  X(F6E2M3FN)                                                                  \
  X(F6E3M2FN)                                                                  \
  X(F4E2M1FN)                                                                  \
  X(I4)                                                                        \
  X(UI4)                                                                       \
  X(I2)                                                                        \
  X(UI2)

namespace gensyn {

namespace detail {
template <class T>
inline constexpr ElementType storageType = static_cast<ElementType>(0xFF);
#define GENSYN_STORAGE_TYPE(name)                                              \
  template <>                                                                  \
  inline constexpr ElementType storageType<name> = ElementType::name;
GENSYN_STORAGE_TYPES(GENSYN_STORAGE_TYPE)
#undef GENSYN_STORAGE_TYPE
} // namespace detail

/// The element type that a C++ type holds: bool for I1, float, double, the
/// fixed-width integers and the types of NarrowFloat.h.
template <class T> constexpr ElementType elementTypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return ElementType::I1;
  else if constexpr (IsNarrowFloat<T> || IsNarrowInteger<T>)
    return detail::storageType<T>;
  else if constexpr (std::is_same_v<T, float>)
    return ElementType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return ElementType::F64;
  else {
    static_assert(std::is_integral_v<T>, "no element type holds this C++ type");
    constexpr auto first =
        std::is_signed_v<T> ? ElementType::I8 : ElementType::UI8;
    constexpr int log2 = sizeof(T) == 1   ? 0
                         : sizeof(T) == 2 ? 1
                         : sizeof(T) == 4 ? 2
                                          : 3;
    return static_cast<ElementType>(static_cast<int>(first) + log2);
  }
}

/// A tag for a C++ type, passed by value to `dispatch`.
template <class T> struct TypeTag {
  using type = T;
};

/// Calls `body(TypeTag<T>{})` with the C++ type that holds `type`, and returns
/// its result. One generic lambda then serves every element type:
///
///   dispatch(t.elementType(), [&](auto tag) {
///     using T = typename decltype(tag)::type;
///     ...
///   });
template <class Body> decltype(auto) dispatch(ElementType type, Body &&body) {
  switch (type) {
  case ElementType::I1:
    return body(TypeTag<bool>{});
  case ElementType::I8:
    return body(TypeTag<int8_t>{});
  case ElementType::I16:
    return body(TypeTag<int16_t>{});
  case ElementType::I32:
    return body(TypeTag<int32_t>{});
  case ElementType::I64:
    return body(TypeTag<int64_t>{});
  case ElementType::UI8:
    return body(TypeTag<uint8_t>{});
  case ElementType::UI16:
    return body(TypeTag<uint16_t>{});
  case ElementType::UI32:
    return body(TypeTag<uint32_t>{});
  case ElementType::UI64:
    return body(TypeTag<uint64_t>{});
#define GENSYN_CASE(name)                                                      \
  case ElementType::name:                                                      \
    return body(TypeTag<name>{});
    GENSYN_STORAGE_TYPES(GENSYN_CASE)
#undef GENSYN_CASE
  case ElementType::F32:
    return body(TypeTag<float>{});
  case ElementType::F64:
    return body(TypeTag<double>{});
  }
  std::abort(); // not a value of the enumeration
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_DISPATCH_H
