// Attributes of the onnx dialect.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXATTRIBUTES_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "gensyn/Dialect/Onnx/IR/OnnxDialect.td"

def Onnx_External : AttrDef<Onnx_Dialect, "External"> {
  let mnemonic = "external";
  let summary = "Bytes of a tensor in a file";
  let description = [{
    Where the elements of a weight are: `length` bytes from `offset` of `file`,
    little endian, row major, packed as in ONNX's `raw_data`. `file` is relative
    to the folder of the model and lies beneath it; it may be the model itself.
    `hash` is the BLAKE3 of the bytes in hexadecimal digits.

    ```mlir
    #onnx.external<file = "model.onnx", offset = 120, length = 64, hash = "9f0c...">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"file, relative to the model's folder">:$file,
    "uint64_t":$offset,
    "uint64_t":$length,
    StringRefParameter<"BLAKE3 of the bytes, 64 hexadecimal digits">:$hash);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
