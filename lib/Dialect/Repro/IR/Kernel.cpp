// repro.kernel: its syntax and verifiers.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

OperandRange KernelOp::getYielded() {
  return getBlock().getTerminator()->getOperands();
}

SmallVector<Operation *> KernelOp::getFaultingOps() {
  SmallVector<Operation *> ops;
  for (Operation &op : getBlock())
    if (auto fault = dyn_cast<FaultOpInterface>(op); fault && fault.mayFault())
      ops.push_back(&op);
  return ops;
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getSymAttr());
  printer << " (";
  llvm::interleaveComma(llvm::zip_equal(getBlock().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          auto [argument, input] = pair;
                          printer << argument << " = " << input << " : "
                                  << input.getType();
                        });
  printer << ") -> (" << getResultTypes() << ")";
  if (getScheduleAttr())
    printer << " schedule " << getScheduleAttr();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymAttrName(), getScheduleAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  if (parser.parseAttribute(name, getSymAttrName(state.name), state.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<Type> inputTypes, resultTypes;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(inputs.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    inputTypes.push_back(argument.type);
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseArrow())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseTypeList(resultTypes) || parser.parseRParen())
      return failure();
  } else if (parser.parseType(resultTypes.emplace_back())) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    Attribute schedule;
    if (parser.parseAttribute(schedule, getScheduleAttrName(state.name),
                              state.attributes))
      return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), arguments) ||
      parser.resolveOperands(inputs, inputTypes, location, state.operands))
    return failure();
  state.addTypes(resultTypes);
  return success();
}

LogicalResult KernelOp::verify() {
  Block &block = getBlock();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("has block arguments that differ from its inputs");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("must end in repro.yield");
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError("yields other types than its results have");
  return success();
}
