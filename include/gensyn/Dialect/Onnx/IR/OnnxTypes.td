// Types of ONNX values that MLIR has no builtin type for.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXTYPES_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "gensyn/Dialect/Onnx/IR/OnnxDialect.td"

class Onnx_Type<string cppName, string mnemonic_> : TypeDef<Onnx_Dialect, cppName> {
  let mnemonic = mnemonic_;
}

def Onnx_String : Onnx_Type<"String", "string"> {
  let summary = "Element type of a tensor of strings";
}

def Onnx_Unknown : Onnx_Type<"Unknown", "unknown"> {
  let summary = "Type of a value before type inference";
}

def Onnx_Seq : Onnx_Type<"Seq", "seq"> {
  let summary = "Sequence of values of one type";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Onnx_Opt : Onnx_Type<"Opt", "opt"> {
  let summary = "Optional value";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Onnx_Sparse : Onnx_Type<"Sparse", "sparse"> {
  let summary = "Sparse tensor, by the type of the dense one";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Onnx_Map : Onnx_Type<"Map", "map"> {
  let summary = "Map from keys to values";
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
}

#endif
