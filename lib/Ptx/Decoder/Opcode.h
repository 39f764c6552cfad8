// An opcode split at its dots, whose modifiers are consumed one by one.

#ifndef GENSYN_PTX_OPCODE_H
#define GENSYN_PTX_OPCODE_H

#include "../Machine/Selector.h"

#include <initializer_list>

namespace gensyn::ptx {

class Opcode {
public:
  explicit Opcode(std::string_view text);

  std::string_view text() const { return whole; }
  /// The part before the first dot.
  std::string_view base() const { return first; }

  /// Removes the modifier of this name; false if there is none.
  bool take(std::string_view name);
  /// Removes all of these.
  void takeAll(std::initializer_list<std::string_view> names);
  /// Removes all modifiers with this prefix.
  void takePrefixed(std::string_view prefix);
  /// Removes the first type; `Type::None` if there is none.
  Type takeType();
  Rounding takeRounding();
  std::optional<Compare> takeCompare();
  Combine takeCombine();
  /// Removes a state space; generic if there is none.
  Space takeSpace();
  /// Removes .v2, .v4 or .v8; 1 if there is none.
  unsigned takeVector();

  /// A modifier that was not consumed.
  std::optional<std::string_view> leftover() const;

private:
  std::string_view whole, first;
  std::vector<std::string_view> modifiers;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_OPCODE_H
