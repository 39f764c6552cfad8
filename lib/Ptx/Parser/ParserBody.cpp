// Function bodies: scopes, registers, labels and instructions.

#include "Parser.h"

#include <charconv>
#include <limits>

namespace gensyn::ptx {
namespace {

/// `%r12` is prefix "%r" and number 12.
bool splitNumber(std::string_view name, std::string_view &prefix,
                 int64_t &number) {
  size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size())
    return false;
  std::string_view digits = name.substr(end + 1);
  if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0'))
    return false;
  prefix = name.substr(0, end + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return true;
}

} // namespace

bool Parser::parseBody() {
  if (!expect('{'))
    return false;
  scopes.clear();
  scopes.emplace_back();
  // Parameters of a .func in .reg space, and nothing else, are registers of
  // the outermost scope.
  while (!scopes.empty()) {
    if (token.kind == Token::Kind::End)
      return expected("'}'");
    if (!parseBodyStatement())
      return false;
  }
  return true;
}

bool Parser::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (const PendingLabel &use : scope.pending) {
    auto setTarget = [&](uint32_t target, Operand::Kind kind) {
      if (use.isTargetList) {
        function.branchTargets[use.instruction][use.operand] = target;
        return;
      }
      Operand &operand =
          function.instructions[use.instruction].operands[use.operand];
      operand.kind = kind;
      operand.index = target;
    };
    auto label = scope.labels.find(use.name);
    auto list = scope.targetLists.find(use.name);
    if (label != scope.labels.end())
      setTarget(label->second, Operand::Kind::Label);
    else if (list != scope.targetLists.end() && !use.isTargetList)
      setTarget(list->second, Operand::Kind::Targets);
    else if (scopes.empty())
      return fail(use.line, "unknown label '" + std::string(use.name) + "'");
    else
      scopes.back().pending.push_back(use);
  }
  return true;
}

bool Parser::parseBodyStatement() {
  if (accept(';'))
    return true;
  if (accept('{')) {
    if (scopes.size() > 64)
      return fail(previousLine, "scopes are nested too deeply");
    scopes.emplace_back();
    return true;
  }
  if (accept('}'))
    return closeScope();
  if (token.kind == Token::Kind::Directive)
    return parseBodyDirective();
  return parseInstruction();
}

bool Parser::parseBodyDirective() {
  std::string_view name = token.text;
  uint32_t line = token.line;
  advance();
  if (name == ".reg")
    return parseRegisters();
  if (name == ".shared" || name == ".local" || name == ".param")
    return parseVariables(name == ".shared"  ? Space::Shared
                          : name == ".local" ? Space::Local
                                             : Space::Param,
                          false, function.variables);
  if (name == ".loc" || name == ".file")
    return skipToEndOfLine();
  if (name == ".pragma") {
    while (token.kind == Token::Kind::String || token.is(','))
      advance();
    return expect(';');
  }
  return fail(line, "unknown directive '" + std::string(name) +
                        "' in a function body");
}

bool Parser::parseRegisters() {
  if (token.kind != Token::Kind::Directive)
    return expected("a register type");
  if (token.text == ".v2" || token.text == ".v4")
    return fail(token.line, "vector registers are not supported");
  auto type = typeFromName(token.text.substr(1));
  if (!type)
    return expected("a register type");
  advance();
  do {
    uint32_t line = token.line;
    std::string_view name;
    if (!expectWord(name, "a register name"))
      return false;
    RegisterRange range{-1, *type, {}};
    if (accept('<')) {
      uint64_t count = 0;
      if (!expectInteger(count, "a number of registers") || !expect('>'))
        return false;
      if (count > std::numeric_limits<uint32_t>::max())
        return fail(line, "too many registers: " + std::to_string(count));
      range.count = static_cast<int64_t>(count);
    }
    if (!scopes.back().registers.emplace(name, std::move(range)).second)
      return fail(line,
                  "register '" + std::string(name) + "' is declared twice");
  } while (accept(','));
  return expect(';');
}

uint32_t Parser::useRegister(std::string_view prefix, int64_t number,
                             RegisterRange &range) {
  auto next = static_cast<uint32_t>(function.registers.size());
  auto [entry, isNew] = range.used.try_emplace(number, next);
  if (isNew)
    function.registers.push_back({prefix, number, range.type});
  return entry->second;
}

std::optional<uint32_t> Parser::findRegister(std::string_view name) {
  std::string_view prefix;
  int64_t number = 0;
  bool numbered = splitNumber(name, prefix, number);
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto exact = scope->registers.find(name);
    if (exact != scope->registers.end() && exact->second.count < 0)
      return useRegister(name, -1, exact->second);
    if (!numbered)
      continue;
    auto range = scope->registers.find(prefix);
    if (range != scope->registers.end() && number < range->second.count)
      return useRegister(range->first, number, range->second);
  }
  return std::nullopt;
}

bool Parser::parseBranchTargets(std::string_view label) {
  advance(); // .branchtargets
  auto list = static_cast<uint32_t>(function.branchTargets.size());
  scopes.back().targetLists.emplace(label, list);
  function.branchTargets.emplace_back();
  do {
    uint32_t line = token.line;
    std::string_view name;
    if (!expectWord(name, "a label"))
      return false;
    auto entry = static_cast<uint32_t>(function.branchTargets[list].size());
    function.branchTargets[list].push_back(0);
    scopes.back().pending.push_back({list, entry, name, line, true});
  } while (accept(','));
  return expect(';');
}

bool Parser::parseOpcode(Instruction &instruction) {
  if (token.kind != Token::Kind::Word)
    return expected("an instruction");
  instruction.line = token.line;
  const char *begin = token.text.data();
  const char *end = begin + token.text.size();
  advance();
  while (token.kind == Token::Kind::Directive && token.adjacent) {
    end = token.text.data() + token.text.size();
    advance();
  }
  instruction.opcode = {begin, static_cast<size_t>(end - begin)};
  return true;
}

bool Parser::parseInstruction() {
  Instruction instruction;
  if (accept('@')) {
    instruction.guardNegated = accept('!');
    uint32_t line = token.line;
    std::string_view name;
    if (!expectWord(name, "a predicate"))
      return false;
    instruction.guard = findRegister(name);
    if (!instruction.guard)
      return fail(line, "unknown register '" + std::string(name) + "'");
    if (function.registers[*instruction.guard].type != Type::Pred)
      return fail(line, "'" + std::string(name) + "' is not a predicate");
  }
  if (!parseOpcode(instruction))
    return false;
  auto position = static_cast<uint32_t>(function.instructions.size());
  if (!instruction.guard && token.is(':')) {
    advance();
    std::string_view label = instruction.opcode;
    if (token.isDirective(".branchtargets"))
      return parseBranchTargets(label);
    if (token.isDirective(".callprototype")) {
      while (!token.is(';') && token.kind != Token::Kind::End)
        advance();
      return expect(';');
    }
    if (!scopes.back().labels.emplace(label, position).second)
      return fail(instruction.line,
                  "label '" + std::string(label) + "' is defined twice");
    return true;
  }
  bool isBranch = instruction.opcode.substr(0, 3) == "bra" ||
                  instruction.opcode.substr(0, 4) == "brx.";
  while (!token.is(';')) {
    Operand &operand = instruction.operands.emplace_back();
    uint32_t line = token.line;
    if (!parseOperand(operand, isBranch, 0))
      return false;
    if (operand.kind == Operand::Kind::Label)
      scopes.back().pending.push_back(
          {position, static_cast<uint32_t>(instruction.operands.size() - 1),
           operand.text, line, false});
    if (!token.is(';') && !expect(','))
      return false;
  }
  function.instructions.push_back(std::move(instruction));
  return expect(';');
}

} // namespace gensyn::ptx
