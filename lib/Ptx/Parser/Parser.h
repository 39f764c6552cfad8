// A recursive-descent parser of PTX texts.

#ifndef GENSYN_PTX_PARSER_H
#define GENSYN_PTX_PARSER_H

#include "Lexer.h"
#include "gensyn/Ptx/Syntax.h"

#include <unordered_map>
#include <unordered_set>

namespace gensyn::ptx {

/// Every parse function returns false after it has recorded the error.
class Parser {
public:
  explicit Parser(std::shared_ptr<const std::string> text);
  /// Parses the whole text.
  Result<Syntax> parse();

private:
  // Tokens (Parser.cpp).
  void advance();
  bool fail(uint32_t line, std::string message);
  /// Reports the expected and the actual token.
  bool expected(std::string_view what);
  bool accept(char c);
  bool expect(char c);
  bool expectWord(std::string_view &word, std::string_view what);
  bool expectInteger(uint64_t &value, std::string_view what);
  bool parseSignedInteger(int64_t &value, std::string_view what);
  bool skipBraces();
  bool skipToEndOfLine();

  // Module level (Parser.cpp).
  bool parseModuleStatement();
  bool parseFunction(bool isEntry);
  bool parseFunctionDirectives();
  bool parseParameters(std::vector<Variable> &parameters);
  bool parseTriple(std::optional<std::array<uint32_t, 3>> &triple);
  bool checkKernelParameters();

  // Variables (ParserVariables.cpp).
  bool parseVariables(Space space, bool external,
                      std::vector<Variable> &variables);
  bool parseVariable(Space space, bool isParameter, Variable &variable);
  bool parseAttributes(Variable &variable, unsigned &vector);
  bool parseExtents(Variable &variable);
  bool parseInitialiser(Variable &variable, unsigned elementBytes);
  bool parseInitialElement(Variable &variable, unsigned elementBytes);
  bool parseInitialPointer(Variable &variable, unsigned elementBytes);

  // Function bodies (ParserBody.cpp).
  struct PendingLabel {
    uint32_t instruction, operand;
    std::string_view name;
    uint32_t line;
    bool isTargetList; ///< `instruction` is then the list, `operand` the entry
  };
  /// A declaration. Registers are added to the function where they are first
  /// used, so `%f<4000000000>` costs nothing.
  struct RegisterRange {
    int64_t count; ///< -1: one register without number
    Type type;
    std::unordered_map<int64_t, uint32_t> used; ///< by number, -1 without
  };
  struct Scope {
    std::unordered_map<std::string_view, RegisterRange> registers;
    std::unordered_map<std::string_view, uint32_t> labels, targetLists;
    std::vector<PendingLabel> pending;
  };
  bool parseBody();
  bool parseBodyStatement();
  bool parseBodyDirective();
  bool parseRegisters();
  bool parseBranchTargets(std::string_view label);
  bool parseInstruction();
  bool parseOpcode(Instruction &instruction);
  bool closeScope();
  std::optional<uint32_t> findRegister(std::string_view name);
  uint32_t useRegister(std::string_view prefix, int64_t number,
                       RegisterRange &range);

  // Operands (ParserOperands.cpp).
  bool parseOperand(Operand &operand, bool isBranch, unsigned depth);
  bool parseOperandAtom(Operand &operand, bool isBranch, unsigned depth);
  bool parseList(Operand &operand, char close, unsigned depth);
  bool parseAddress(Operand &operand, unsigned depth);
  bool parseNumber(Operand &operand);
  bool parseWordOperand(Operand &operand, bool isBranch);

  std::shared_ptr<const std::string> text;
  Lexer lexer;
  Token token;               ///< the next token
  uint32_t previousLine = 1; ///< of the token before
  Syntax syntax;
  Function function; ///< the one being parsed
  std::vector<Scope> scopes;
  std::unordered_set<std::string_view> defined; ///< names of functions
  std::optional<Error> error;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_PARSER_H
