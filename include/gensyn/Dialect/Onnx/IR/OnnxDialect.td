// The onnx dialect itself.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXDIALECT_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXDIALECT_TD

include "mlir/IR/OpBase.td"
include "gensyn/Dialect/Reference.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::gensyn::onnx";
  let dependentDialects = ["::gensyn::program::GensynDialect"];
  let summary = "All operators of all ONNX operator sets";
  let description = [{
    On loading, the dialect registers an op for each schema of the ONNX C++ library.
    The name is `onnx.`, the domain without `ai.onnx`, the operator's name, `.v` and the
    version that introduced the schema: `onnx.Conv.v11`, `onnx.ml.Scaler.v1`. The
    version is always written, so a stored text keeps its meaning when the library is
    upgraded, and a pattern lists the versions it supports.

    ```mlir
    %y = onnx.LeakyRelu.v16(%x) {alpha = 1.000000e-02 : f32}
        : (tensor<2x8xf32>) -> tensor<2x8xf32>
    ```

    Attributes have ONNX's names; names with a dot belong to other dialects. A subgraph
    is a region that ends in `onnx.yield` and uses outer values directly. Names,
    documentation and metadata of nodes are kept in locations.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Returns the schema that an op name was registered from, or null.
    const ::onnx::OpSchema *schemaOf(::mlir::OperationName name) const {
      return schemas.lookup(name.getAsOpaquePointer());
    }
    /// The name of the op for one schema: onnx.[<domain>.]<name>.v<since>.
    static std::string opName(const ::onnx::OpSchema &schema);

  private:
    void registerSchemaOps();
    ::llvm::DenseMap<void *, const ::onnx::OpSchema *> schemas;
    ::mlir::TypeIDAllocator typeIDs;

  public:
  }];
}

#endif
