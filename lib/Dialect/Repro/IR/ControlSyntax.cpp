// if and loop: text form.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

namespace {
/// A list of `%argument = %operand : type`.
struct Bindings {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc location;

  ParseResult parseOne(OpAsmParser &parser) {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    types.push_back(argument.type);
    return success();
  }
  ParseResult parse(OpAsmParser &parser) {
    location = parser.getCurrentLocation();
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                          [&] { return parseOne(parser); });
  }
  ParseResult resolve(OpAsmParser &parser, OperationState &state) {
    return parser.resolveOperands(operands, types, location, state.operands);
  }
};
} // namespace

static void printBindings(OpAsmPrinter &printer,
                          ArrayRef<BlockArgument> arguments,
                          OperandRange operands) {
  llvm::interleaveComma(
      llvm::zip_equal(arguments, operands), printer, [&](auto pair) {
        auto [argument, operand] = pair;
        printer << argument << " = " << operand << " : " << operand.getType();
      });
}

static Type getFlagType(Builder &builder) {
  return RankedTensorType::get({}, builder.getI1Type());
}

void IfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPredicate() << " (";
  printBindings(printer, getThenBlock().getArguments(), getCaptures());
  printer << ") -> (" << getResultTypes() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false);
  // The text names the arguments once, for both regions.
  printer.shadowRegionArgs(getElseRegion(), getThenBlock().getArguments());
  printer << " else ";
  printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false);
}

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand predicate;
  Bindings captures;
  SmallVector<Type> resultTypes;
  if (parser.parseOperand(predicate) || captures.parse(parser) ||
      parser.parseArrow())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()) &&
        (parser.parseTypeList(resultTypes) || parser.parseRParen()))
      return failure();
  } else if (parser.parseType(resultTypes.emplace_back())) {
    return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), captures.arguments) ||
      parser.parseKeyword("else") ||
      parser.parseRegion(*state.addRegion(), captures.arguments) ||
      parser.resolveOperand(predicate, getFlagType(parser.getBuilder()),
                            state.operands) ||
      captures.resolve(parser, state))
    return failure();
  state.addTypes(resultTypes);
  return success();
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " trips " << getTrips();
  if (getCondition())
    printer << " while " << getCondition();
  if (getExhaust() == Exhaust::Fault)
    printer << " exhaust fault";
  printer << " (" << getIndex();
  if (!getInits().empty())
    printer << ", ";
  printBindings(printer, getCarried(), getInits());
  printer << ")";
  if (!getInvariants().empty()) {
    printer << " invariant (";
    printBindings(printer, getInvariantArguments(), getInvariants());
    printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getTripsAttrName(), getExhaustAttrName(),
                            getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  IntegerAttr trips;
  if (parser.parseKeyword("trips") ||
      parser.parseAttribute(trips, builder.getI64Type(),
                            getTripsAttrName(state.name), state.attributes))
    return failure();
  bool hasCondition = false;
  if (succeeded(parser.parseOptionalKeyword("while"))) {
    OpAsmParser::UnresolvedOperand condition;
    hasCondition = true;
    if (parser.parseOperand(condition) ||
        parser.resolveOperand(condition, getFlagType(builder), state.operands))
      return failure();
  }
  auto exhaust = Exhaust::Stop;
  if (succeeded(parser.parseOptionalKeyword("exhaust"))) {
    if (parser.parseKeyword("fault"))
      return failure();
    exhaust = Exhaust::Fault;
  }
  state.addAttribute(getExhaustAttrName(state.name),
                     ExhaustAttr::get(builder.getContext(), exhaust));

  Bindings carried, invariants;
  OpAsmParser::Argument index;
  carried.location = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseArgument(index))
    return failure();
  index.type = RankedTensorType::get({}, builder.getI64Type());
  while (succeeded(parser.parseOptionalComma()))
    if (carried.parseOne(parser))
      return failure();
  if (parser.parseRParen())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("invariant")) &&
      invariants.parse(parser))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments = {index};
  llvm::append_range(arguments, carried.arguments);
  llvm::append_range(arguments, invariants.arguments);
  Region *body = state.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*body, arguments) || carried.resolve(parser, state) ||
      invariants.resolve(parser, state))
    return failure();
  state.addAttribute(
      getOperandSegmentSizesAttrName(state.name),
      builder.getDenseI32ArrayAttr(
          {int32_t(hasCondition), static_cast<int32_t>(carried.types.size()),
           static_cast<int32_t>(invariants.types.size())}));
  state.addTypes(carried.types);
  return success();
}
