// The order in which a reduction combines its points; see docs/Numerics.md,
// order_r1 to order_r4.

#ifndef GENSYN_NUMERICS_ORDER_H
#define GENSYN_NUMERICS_ORDER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// An order is a value: a small tree, compared and hashed by content.
///
///   order := exact | steps
///   steps := sequential | lanes<L> | blocked<B, steps, steps>
///
/// L is a power of two from 2 to 1024, B is at least 1, and at most 4 levels
/// are nested (`sequential` is one). `exact` is the exact sum rounded once. It
/// is independent of the order of points, so it is never nested.
class Order {
public:
  enum class Kind : uint8_t { Sequential, Lanes, Blocked, Exact };

  static constexpr int64_t kMaxLanes = 1024;
  static constexpr int kMaxLevels = 4;

  /// The sequential order.
  Order() = default;

  static Order sequential() { return {}; }
  static Order lanes(int64_t count);
  static Order blocked(int64_t size, Order inner, Order outer);
  static Order exact();

  Kind kind() const { return which; }
  bool isSequential() const { return which == Kind::Sequential; }
  bool isExact() const { return which == Kind::Exact; }

  /// L of `lanes`.
  int64_t laneCount() const { return size; }
  /// B of `blocked`.
  int64_t blockSize() const { return size; }
  /// The order within a block, and that of the blocks' results.
  const Order &inner() const { return parts[0]; }
  const Order &outer() const { return parts[1]; }

  /// Nested levels, 1 for all but `blocked`.
  int levels() const;

  /// Returns nothing if the order is well formed, else an error message without
  /// a subject.
  std::optional<std::string> check() const;

  /// The canonical text, e.g. `blocked<1024, lanes<32>, sequential>`.
  std::string print() const;

  /// Parses the text form, which may have spaces between tokens. A result is
  /// well formed. Returns nothing on error, with the reason in `*error` if that
  /// is not null.
  static std::optional<Order> parse(std::string_view text,
                                    std::string *error = nullptr);

  bool operator==(const Order &) const = default;

  /// Equal orders have equal hashes, the same in every process.
  size_t hash() const;

private:
  Kind which = Kind::Sequential;
  int64_t size = 0;
  std::vector<Order> parts;
};

} // namespace gensyn

template <> struct std::hash<gensyn::Order> {
  size_t operator()(const gensyn::Order &order) const { return order.hash(); }
};

#endif // GENSYN_NUMERICS_ORDER_H
