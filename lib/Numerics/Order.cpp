// Text form, checks and hash of orders.

#include "gensyn/Numerics/Order.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

namespace gensyn {

Order Order::lanes(int64_t count) {
  Order order;
  order.which = Kind::Lanes;
  order.size = count;
  return order;
}

Order Order::blocked(int64_t size, Order inner, Order outer) {
  Order order;
  order.which = Kind::Blocked;
  order.size = size;
  order.parts.reserve(2);
  order.parts.push_back(std::move(inner));
  order.parts.push_back(std::move(outer));
  return order;
}

Order Order::exact() {
  Order order;
  order.which = Kind::Exact;
  return order;
}

int Order::levels() const {
  int below = 0;
  for (const Order &part : parts)
    below = std::max(below, part.levels());
  return below + 1;
}

std::optional<std::string> Order::check() const {
  if (which == Kind::Lanes &&
      (size < 2 || size > kMaxLanes ||
       !std::has_single_bit(static_cast<uint64_t>(size))))
    return "lanes<" + std::to_string(size) +
           ">: expected a power of two from 2 to 1024";
  if (which == Kind::Blocked && size < 1)
    return "blocked<" + std::to_string(size) +
           ", ...>: expected a block of at least 1";
  if (levels() > kMaxLevels)
    return "order has " + std::to_string(levels()) +
           " levels, expected at most 4";
  for (const Order &part : parts) {
    if (part.isExact())
      return "exact cannot be part of a blocked order: its blocks would be "
             "rounded";
    if (auto error = part.check())
      return error;
  }
  return std::nullopt;
}

std::string Order::print() const {
  switch (which) {
  case Kind::Sequential:
    break;
  case Kind::Lanes:
    return "lanes<" + std::to_string(size) + ">";
  case Kind::Blocked:
    return "blocked<" + std::to_string(size) + ", " + inner().print() + ", " +
           outer().print() + ">";
  case Kind::Exact:
    return "exact";
  }
  return "sequential";
}

size_t Order::hash() const {
  // FNV-1a over the tree; 64 bits wherever size_t is.
  uint64_t h = 0xCBF29CE484222325;
  auto add = [&](uint64_t value) {
    for (int i = 0; i < 8; ++i)
      h = (h ^ (value >> (8 * i) & 0xFF)) * 0x100000001B3;
  };
  add(static_cast<uint64_t>(which));
  add(static_cast<uint64_t>(size));
  for (const Order &part : parts)
    add(part.hash());
  return static_cast<size_t>(h);
}

namespace {
/// Recursive descent; `depth` prevents hostile input from exhausting the stack.
class Parser {
public:
  explicit Parser(std::string_view text) : rest(text) {}

  std::optional<Order> order(int depth = 1) {
    if (depth > Order::kMaxLevels)
      return fail("more than 4 levels of orders");
    std::string_view name = word();
    if (name == "sequential")
      return Order::sequential();
    if (name == "lanes") {
      std::optional<int64_t> count;
      if (!expect('<') || !(count = number()) || !expect('>'))
        return std::nullopt;
      return Order::lanes(*count);
    }
    if (name == "blocked") {
      std::optional<int64_t> size;
      std::optional<Order> inner, outer;
      if (!expect('<') || !(size = number()) || !expect(',') ||
          !(inner = order(depth + 1)) || !expect(',') ||
          !(outer = order(depth + 1)) || !expect('>'))
        return std::nullopt;
      return Order::blocked(*size, std::move(*inner), std::move(*outer));
    }
    if (name == "exact")
      return Order::exact();
    return fail(
        "expected 'sequential', 'lanes', 'blocked' or 'exact', found '" +
        std::string(name.empty() ? rest.substr(0, 1) : name) + "'");
  }

  bool atEnd() {
    skipSpaces();
    if (!rest.empty())
      fail("unexpected text '" + std::string(rest.substr(0, 16)) +
           "' after the order");
    return rest.empty();
  }

  std::string error;

private:
  std::nullopt_t fail(std::string message) {
    if (error.empty())
      error = std::move(message);
    return std::nullopt;
  }

  void skipSpaces() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest[0])))
      rest.remove_prefix(1);
  }

  std::string_view word() {
    skipSpaces();
    size_t n = 0;
    while (n < rest.size() && rest[n] >= 'a' && rest[n] <= 'z')
      ++n;
    std::string_view result = rest.substr(0, n);
    rest.remove_prefix(n);
    return result;
  }

  std::optional<int64_t> number() {
    skipSpaces();
    int64_t value = 0;
    auto [end, status] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (status != std::errc())
      return fail("expected a number");
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    return value;
  }

  bool expect(char c) {
    skipSpaces();
    if (rest.empty() || rest[0] != c) {
      fail(std::string("expected '") + c + "'");
      return false;
    }
    rest.remove_prefix(1);
    return true;
  }

  std::string_view rest;
};
} // namespace

std::optional<Order> Order::parse(std::string_view text, std::string *error) {
  Parser parser(text);
  std::optional<Order> order = parser.order();
  if (order && !parser.atEnd())
    order.reset();
  if (order)
    if (auto wrong = order->check()) {
      parser.error = *wrong;
      order.reset();
    }
  if (!order && error)
    *error = parser.error;
  return order;
}

} // namespace gensyn
