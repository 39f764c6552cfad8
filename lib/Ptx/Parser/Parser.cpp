// Module level of the PTX parser: directives, kernels and their headers.

#include "Parser.h"

namespace gensyn::ptx {

Parser::Parser(std::shared_ptr<const std::string> source)
    : text(std::move(source)), lexer(*text) {
  syntax.text = text;
  token = lexer.next();
}

void Parser::advance() {
  previousLine = token.line;
  token = lexer.next();
}

bool Parser::fail(uint32_t line, std::string message) {
  if (!error)
    error = Error{line, std::move(message)};
  return false;
}

bool Parser::expected(std::string_view what) {
  std::string message = "expected " + std::string(what) + ", found ";
  if (token.kind == Token::Kind::End)
    message += "the end of the text";
  else
    message += "'" + std::string(token.text.substr(0, 40)) + "'";
  return fail(token.line, std::move(message));
}

bool Parser::accept(char c) {
  if (!token.is(c))
    return false;
  advance();
  return true;
}

bool Parser::expect(char c) {
  return accept(c) || expected(std::string("'") + c + "'");
}

bool Parser::expectWord(std::string_view &word, std::string_view what) {
  if (token.kind != Token::Kind::Word)
    return expected(what);
  word = token.text;
  advance();
  return true;
}

bool Parser::expectInteger(uint64_t &value, std::string_view what) {
  if (token.kind != Token::Kind::Integer)
    return expected(what);
  value = token.bits;
  advance();
  return true;
}

bool Parser::parseSignedInteger(int64_t &value, std::string_view what) {
  bool negative = accept('-');
  uint64_t magnitude = 0;
  if (!expectInteger(magnitude, what))
    return false;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool Parser::skipBraces() {
  uint32_t start = token.line;
  if (!expect('{'))
    return false;
  for (unsigned depth = 1; depth != 0; advance()) {
    if (token.kind == Token::Kind::End)
      return fail(start, "this '{' is never closed");
    depth += token.is('{');
    depth -= token.is('}');
  }
  return true;
}

bool Parser::skipToEndOfLine() {
  uint32_t line = previousLine;
  while (token.kind != Token::Kind::End && token.line == line)
    advance();
  return true;
}

Result<Syntax> Parser::parse() {
  while (token.kind != Token::Kind::End)
    if (!parseModuleStatement())
      return *error;
  if (syntax.version.empty())
    return Error{1, "the text has no .version"};
  return std::move(syntax);
}

Result<Syntax> parseSyntax(std::string text) {
  return Parser(std::make_shared<const std::string>(std::move(text))).parse();
}

bool Parser::parseModuleStatement() {
  if (accept(';'))
    return true;
  if (token.kind != Token::Kind::Directive)
    return expected("a directive");
  bool external = false;
  while (token.isDirective(".visible") || token.isDirective(".extern") ||
         token.isDirective(".weak") || token.isDirective(".common")) {
    external |= token.text == ".extern";
    advance();
  }
  std::string_view name = token.text;
  if (token.kind != Token::Kind::Directive)
    return expected("a directive");
  uint32_t line = token.line;
  advance();

  if (name == ".version") {
    // "8.0" is lexed as a decimal number.
    if (token.kind != Token::Kind::Float64)
      return expected("a version such as 8.0");
    syntax.version = token.text;
    advance();
    return true;
  }
  if (name == ".target") {
    if (!expectWord(syntax.target, "a target such as sm_80"))
      return false;
    return skipToEndOfLine();
  }
  if (name == ".address_size") {
    uint64_t size = 0;
    if (!expectInteger(size, "64"))
      return false;
    syntax.addressSize = static_cast<unsigned>(size);
    return size == 64 || fail(line, "addresses of " + std::to_string(size) +
                                        " bits are not supported, only of 64");
  }
  if (name == ".file" || name == ".loc" || name == ".pragma" ||
      name == ".alias")
    return skipToEndOfLine();
  if (name == ".section") {
    while (token.kind == Token::Kind::Directive ||
           token.kind == Token::Kind::Word)
      advance();
    return skipBraces();
  }
  if (name == ".entry" || name == ".func")
    return parseFunction(name == ".entry");
  if (name == ".global" || name == ".const" || name == ".shared")
    return parseVariables(name == ".global"  ? Space::Global
                          : name == ".const" ? Space::Const
                                             : Space::Shared,
                          external, syntax.variables);
  return fail(line, "unknown directive '" + std::string(name) + "'");
}

bool Parser::parseParameters(std::vector<Variable> &parameters) {
  if (!expect('('))
    return false;
  while (!token.is(')')) {
    // A function's parameters may be registers too.
    if (!token.isDirective(".param") && !token.isDirective(".reg"))
      return expected("'.param'");
    advance();
    Variable &parameter = parameters.emplace_back();
    if (!parseVariable(Space::Param, /*isParameter=*/true, parameter))
      return false;
    if (!accept(','))
      break;
  }
  return expect(')');
}

bool Parser::parseTriple(std::optional<std::array<uint32_t, 3>> &triple) {
  triple = {1, 1, 1};
  for (unsigned i = 0; i != 3; ++i) {
    uint32_t line = token.line;
    uint64_t value = 0;
    if (!expectInteger(value, "a number of threads"))
      return false;
    if (value == 0 || value > 1024)
      return fail(line,
                  "a block has 1 to 1024 threads along a dimension, not " +
                      std::to_string(value));
    (*triple)[i] = static_cast<uint32_t>(value);
    if (!accept(','))
      break;
  }
  return true;
}

bool Parser::parseFunctionDirectives() {
  while (token.kind == Token::Kind::Directive) {
    std::string_view name = token.text;
    advance();
    if (name == ".reqntid" || name == ".maxntid") {
      if (!parseTriple(name == ".reqntid" ? function.requiredBlock
                                          : function.maximalBlock))
        return false;
    } else if (name == ".pragma") {
      while (token.kind == Token::Kind::String || token.is(','))
        advance();
      accept(';');
    } else if (name == ".minnctapersm" || name == ".maxnctapersm" ||
               name == ".maxnreg" || name == ".maxclusterrank" ||
               name == ".reqnctapercluster" || name == ".noreturn" ||
               name == ".explicitcluster" || name == ".blocksareclusters") {
      while (token.kind == Token::Kind::Integer || token.is(','))
        advance();
    } else {
      return fail(previousLine,
                  "unknown kernel directive '" + std::string(name) + "'");
    }
  }
  return true;
}

bool Parser::checkKernelParameters() {
  for (const Variable &parameter : function.parameters)
    if (parameter.size == 0)
      return fail(parameter.line, "parameter '" + std::string(parameter.name) +
                                      "' has no size");
  return true;
}

bool Parser::parseFunction(bool isEntry) {
  function = Function();
  function.isEntry = isEntry;
  function.line = previousLine;
  if (!isEntry && token.is('(') && !parseParameters(function.results))
    return false;
  if (!expectWord(function.name, "a function name"))
    return false;
  if (token.is('(') && !parseParameters(function.parameters))
    return false;
  if (isEntry && !checkKernelParameters())
    return false;
  if (!parseFunctionDirectives())
    return false;
  if (accept(';')) {
    function.isDeclaration = true;
  } else if (!parseBody()) {
    return false;
  }
  if (!function.isDeclaration && !defined.insert(function.name).second)
    return fail(function.line,
                "'" + std::string(function.name) + "' is defined twice");
  syntax.functions.push_back(std::move(function));
  return true;
}

} // namespace gensyn::ptx
