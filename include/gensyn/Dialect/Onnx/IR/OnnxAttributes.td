// Attributes of the onnx dialect.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXATTRIBUTES_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "gensyn/Dialect/Onnx/IR/OnnxDialect.td"

def Onnx_External : AttrDef<Onnx_Dialect, "External"> {
  let mnemonic = "external";
  let summary = "Elements of a tensor in a file";
  let description = [{
    Locates the elements of a weight: `length` bytes at `offset` of `file`, little
    endian, row major, packed as in ONNX's `raw_data`. `file` is a path below the
    folder of the model, and may be the model itself. `hash` is the BLAKE3 digest of the
    bytes in hexadecimal digits.

    ```mlir
    #onnx.external<file = "model.onnx", offset = 120, length = 64, hash = "9f0c2a6d9f0c2a6d9f0c2a6d9f0c2a6d9f0c2a6d9f0c2a6d9f0c2a6d9f0c2a6d">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"path, relative to the model's folder">:$file,
    AttrParameter<"uint64_t", "first byte">:$offset,
    AttrParameter<"uint64_t", "number of bytes">:$length,
    StringRefParameter<"BLAKE3 digest of the bytes, 64 hexadecimal digits">:$hash);
  list<Verified> constraints = [
    Verified<"", "`file` is not empty.", "file is empty", ["file"]>,
    Verified<"", "`offset + length` fits 64 bits.", "offset ... plus length ... overflows", ["offset"]>,
    Verified<"", "`hash` has 64 hexadecimal digits.", "hash is not 64 hexadecimal digits", ["hash"]>];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Onnx_Symbolic : AttrDef<Onnx_Dialect, "Symbolic"> {
  let mnemonic = "symbolic";
  let summary = "Elements of a tensor that no file has";
  let description = [{
    In place of the elements of a weight whose file is absent: they follow from `name`,
    the initializer's, and `seed` where they are needed (docs/Numerics.md, random_r7).
    Floats are (`center` + n) 2^`exponent`.

    ```mlir
    #onnx.symbolic<name = "lm_head.weight", seed = 0, center = 0, exponent = -12>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the initializer">:$name,
    AttrParameter<"uint64_t", "key of the random numbers">:$seed,
    AttrParameter<"int64_t", "the middle of floats, in units of 2^exponent">:$center,
    AttrParameter<"int64_t", "exponent of the unit of floats">:$exponent);
  list<Verified> constraints = [
    Verified<"random_r7", "`center` is in [-128, 128] and `exponent` in [-64, 64].",
             "center ... or exponent ... is out of range", ["symbolic_center"]>];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
