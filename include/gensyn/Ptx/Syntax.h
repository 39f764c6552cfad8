// The syntax tree of a PTX text, with names resolved inside each function,
// before instructions are interpreted.

#ifndef GENSYN_PTX_SYNTAX_H
#define GENSYN_PTX_SYNTAX_H

#include "gensyn/Ptx/Result.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gensyn::ptx {

/// The fundamental types of PTX that registers and variables can have.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  BF16,
  F16x2,
  BF16x2,
  F32,
  F32x2,
  TF32,
  F64,
  E4M3x2,
  E5M2x2
};

/// Bytes in memory of a value of this type; 0 for `None` and `Pred`.
unsigned byteWidth(Type type);
/// The type with this name, without the dot ("u32"), if there is one.
std::optional<Type> typeFromName(std::string_view name);
/// The name without the dot.
std::string_view typeName(Type type);

enum class Space : uint8_t { Generic, Param, Shared, Local, Global, Const };

/// One operand.
struct Operand {
  enum class Kind : uint8_t {
    Register, ///< `index` is the function's register number
    Integer,  ///< `bits`, two's complement in 64 bits
    Float32,  ///< `bits` is the binary32 pattern
    Float64,  ///< `bits` is the binary64 pattern
    Symbol,   ///< `text` is a variable's or function's name
    Special,  ///< `text` is a special register's name with component
    Label,    ///< `index` is the instruction it names
    Targets,  ///< `index` is the number of a `.branchtargets` list
    Address,  ///< `[elements[0] + offset]`; more elements for textures
    Vector,   ///< `{a, b}`
    Pair,     ///< `a|b`
    Tuple,    ///< `(a, b)` of a call
    Sink      ///< `_`
  };
  Kind kind = Kind::Sink;
  bool negated = false; ///< `!p`
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string_view text;
  std::vector<Operand> elements;
};

/// One instruction: `@!p opcode.with.modifiers operands;`.
struct Instruction {
  uint32_t line = 0;
  std::string_view opcode;
  std::optional<uint32_t> guard; ///< register number of the predicate
  bool guardNegated = false;
  std::vector<Operand> operands;
};

/// A pointer inside an initializer: `address(symbol) + addend`, stored little
/// endian in `width` bytes at `offset`.
struct Relocation {
  uint64_t offset = 0;
  uint32_t width = 8;
  bool generic = false;
  std::string_view symbol;
  int64_t addend = 0;
};

/// A parameter or a variable in any space.
struct Variable {
  uint32_t line = 0;
  std::string_view name;
  Space space = Space::Global;
  Type type = Type::None;
  uint64_t align = 1;    ///< bytes
  uint64_t size = 0;     ///< bytes; 0 for an array of unknown extent
  bool external = false; ///< declared elsewhere (dynamic shared memory)
  std::vector<std::byte> initial; ///< the first bytes; zeros follow
  std::vector<Relocation> relocations;
};

struct Register {
  std::string_view prefix; ///< the name without its number
  int64_t number = -1;     ///< -1: the name is the prefix
  Type type = Type::None;
  std::string name() const;
};

/// A kernel (`.entry`) or a function (`.func`).
struct Function {
  uint32_t line = 0;
  std::string_view name;
  bool isEntry = false;
  bool isDeclaration = false;
  std::vector<Variable> parameters;
  std::vector<Variable> results;
  std::vector<Variable> variables; ///< .shared, .local, .param inside
  std::vector<Register> registers; ///< those that instructions name
  std::vector<Instruction> instructions;
  std::vector<std::vector<uint32_t>> branchTargets;
  std::optional<std::array<uint32_t, 3>> requiredBlock; ///< .reqntid
  std::optional<std::array<uint32_t, 3>> maximalBlock;  ///< .maxntid
};

/// A parsed text. Views point into `text`, which it owns.
struct Syntax {
  std::shared_ptr<const std::string> text;
  std::string_view version; ///< "8.0"
  std::string_view target;  ///< "sm_80"
  unsigned addressSize = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Parses a PTX text. The error names the line and the unexpected token.
Result<Syntax> parseSyntax(std::string text);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_SYNTAX_H
