// Turns the instructions of one kernel into code with handlers.

#ifndef GENSYN_PTX_DECODER_H
#define GENSYN_PTX_DECODER_H

#include "../Machine/Kernel.h"
#include "../Parser/Inline.h"
#include "Opcode.h"

#include <map>
#include <string>
#include <unordered_map>

namespace gensyn::ptx {

/// A variable of a module and its location: a host address, except for .shared
/// variables, whose location differs in each kernel.
struct ModuleVariable {
  const Variable *variable;
  uint64_t address;
};

/// State shared by all kernels of a text while they are decoded.
struct ModuleContext {
  explicit ModuleContext(const Syntax &syntax);
  /// The number in the text's .target; 0 if it is not a GPU's.
  unsigned generation = 0;
  /// The maximum shared memory of a block there; for a target that the table of
  /// generations lacks, the maximum of all.
  uint64_t mostSharedBytes = 0;
  std::string target;
  std::unordered_map<std::string_view, ModuleVariable> variables;
  Callees callees;
};

/// Decodes `function`, a kernel of the module's text.
Result<Kernel> decodeKernel(ModuleContext &module, const Function &function);

/// A family's function decodes one instruction into `current` and the drafts
/// around it; it returns false after it has recorded an error.
class Decoder {
public:
  Decoder(const ModuleContext &module, const Function &function)
      : module(module), function(function) {}
  Result<Kernel> run();

private:
  using Family = bool (Decoder::*)();
  struct Symbol {
    Space space;
    uint64_t address;
    uint64_t size;
  };

  // Decoder.cpp: the driver.
  bool layOutParameters();
  bool layOutVariables();
  std::vector<const Variable *> findUsedShared() const;
  std::optional<Symbol> findSymbol(std::string_view name) const;
  bool decodeInstruction(const Instruction &instruction);
  static Family findFamily(std::string_view base);
  bool fail(std::string message);
  bool unsupported();
  bool expectOperands(size_t least, size_t most);
  /// Sets the handler of `current`; an error if the lanes have none.
  bool finish(const Selector &selector);
  bool finish(Handler handler);

  // DecodeOperands.cpp: operands to references.
  uint32_t addRegister(RegisterClass kind);
  static RegisterClass classOf(Type type);
  Reference constant(uint64_t bits, RegisterClass kind);
  bool sourceReference(const Operand &operand, Type type, bool allowWider,
                       Reference &reference);
  bool registerSource(const Operand &operand, Type type, bool allowWider,
                      Reference &reference);
  bool immediateBits(const Operand &operand, Type type, uint64_t &bits);
  bool specialRegister(const Operand &operand, int64_t &number);
  bool specialSource(const Operand &operand, Reference &reference);
  bool symbolAddress(const Operand &operand, uint64_t &address);
  bool source(unsigned slot, size_t operand, Type type,
              bool allowWider = false);
  bool predicateSource(unsigned slot, const Operand &operand);
  bool destReference(const Operand &operand, Type type, bool allowWider,
                     Reference &reference);
  bool dest(size_t operand, Type type, bool allowWider = false);
  /// `d` or `d|p`.
  bool destPair(size_t operand, Type first, Type second);
  bool address(unsigned slot, const Operand &operand, Space space);
  bool list(const Operand &operand, Type type, bool isDest);
  bool sources(Type type, size_t count);

  // DecodeArithmetic.cpp
  bool decodeAddSub();
  bool decodeMul();
  bool decodeMad();
  bool decodeDivRem();
  bool decodeMinMax();
  bool decodeAbsNeg();
  bool decodeFma();
  bool decodeFloatUnary();
  bool decodeCopysign();
  bool decodeTestp();
  bool decodeSad();
  bool decodeCarry();
  bool decodeDot4();
  bool decodeMul24();
  bool decodeSlct();
  bool floatArithmetic(Op op, Type type, size_t count);
  bool finishWith(Op op, Type type);

  // DecodeBits.cpp
  bool decodeLogic();
  bool decodeNot();
  bool decodeShift();
  bool decodeFunnel();
  bool decodeCount();
  bool decodeBfe();
  bool decodeBfi();
  bool decodePrmt();
  bool decodeLop3();
  bool decodeSetp();
  bool decodeSet();
  bool decodeSelp();

  // DecodeMove.cpp
  bool decodeMov();
  bool decodeMovVector(Type type);
  bool decodeCvt();
  bool decodeCvtPair(Type type, Type from, Rounding rounding);
  bool decodeCvta();
  bool decodeIsspacep();

  // DecodeMemory.cpp
  bool decodeLoad();
  bool decodeParameterLoad(Type type, unsigned registerBytes);
  bool decodeStore();
  /// An error unless the operand has as many registers as .v2 or .v4 says.
  bool expectVector(const Operand &operand, unsigned vector);
  bool isArgument(const Operand &address) const;
  bool decodeAtomic();
  bool decodeNothing();
  bool decodeCpAsync();
  bool copySize(const Operand &operand, uint64_t bytes);

  // DecodeControl.cpp
  bool decodeBra();
  bool decodeBrx();
  bool decodeReturn();
  bool decodeTrap();
  bool decodeBarrier();
  bool decodeShfl();
  bool decodeVote();
  bool decodeMatch();
  bool decodeElect();
  bool decodeActivemask();
  bool decodeRedux();
  bool memberMask(unsigned slot, size_t operand);

  // DecodeMatrix.cpp
  bool decodeMma();
  bool decodeLoadMatrix();
  bool expectGeneration(unsigned least);
  /// Appends a vector of 32-bit registers to the list of `current`.
  bool appendRegisters(size_t operand, size_t count, bool isDest);

  const ModuleContext &module;
  const Function &function;
  DraftKernel draft;
  std::unordered_map<std::string_view, Symbol> symbols;
  std::map<std::pair<uint64_t, RegisterClass>, Reference> constants;

  // The instruction being decoded.
  const Instruction *instruction = nullptr;
  Opcode opcode{""};
  Draft current;
  bool dropCurrent = false;   ///< the instruction does nothing here
  uint64_t branchTargets = 0; ///< of all brx.idx so far
  std::vector<Draft> after;
  std::optional<Error> error;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_DECODER_H
