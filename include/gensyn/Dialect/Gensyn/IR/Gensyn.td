//===- Gensyn.td - attributes of programs -----------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_GENSYN_IR_GENSYN_TD
#define GENSYN_DIALECT_GENSYN_IR_GENSYN_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Gensyn_Dialect : Dialect {
  let name = "gensyn";
  let cppNamespace = "::gensyn::program";
  let summary = "Attributes of the arguments and results of programs";
  let description = [{
    Has no ops. Its attributes stand on arguments and results of functions, from
    the import of a model to the plan of a program. They are strings in the text,
    which digests cover and executables contain, and are verified:

    - `gensyn.name`: the name by which users know the value;
    - `gensyn.role`: one of the words of `Role`.

    ```mlir
    func.func @main(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"})
    ```
  }];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;
}

// Arguments of a training step are in this order.
def Gensyn_Role : I32EnumAttr<"Role", "the purpose of a program's argument or result", [
  I32EnumAttrCase<"Parameter", 0, "parameter">,
  I32EnumAttrCase<"Constant", 1, "constant">,
  I32EnumAttrCase<"State", 2, "state">,
  I32EnumAttrCase<"Average", 3, "average">,
  I32EnumAttrCase<"Input", 4, "input">,
  I32EnumAttrCase<"Target", 5, "target">,
  I32EnumAttrCase<"Key", 6, "key">,
  I32EnumAttrCase<"Step", 7, "step">,
  I32EnumAttrCase<"Output", 8, "output">,
  I32EnumAttrCase<"Loss", 9, "loss">,
  I32EnumAttrCase<"Metric", 10, "metric">]> {
  let cppNamespace = "::gensyn::program";
}

#endif
