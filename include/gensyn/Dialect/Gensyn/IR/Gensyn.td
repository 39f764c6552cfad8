//===- Gensyn.td - attributes of programs -----------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_GENSYN_IR_GENSYN_TD
#define GENSYN_DIALECT_GENSYN_IR_GENSYN_TD

include "mlir/IR/OpBase.td" // the page of a dialect without ops needs the class too

def Gensyn_Dialect : Dialect {
  let name = "gensyn";
  let cppNamespace = "::gensyn::program";
  let summary = "Attributes of the arguments and results of programs";
  let description = [{
    Has no ops. Its attributes stand on arguments and results of functions, from
    the import of a model to the plan of a program. They are strings in the text,
    which digests cover and executables contain, and are verified:

    - `gensyn.name`: the name by which users know the value;
    - `gensyn.role`: its purpose, a word of `gensyn/Executable/Role.h`: "parameter",
      "constant", "state", "average", "input", "target", "key" (the seed), "step" (steps
      done before), "output", "loss" or "metric" (a number for the log).

    ```mlir
    func.func @main(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"})
    ```
  }];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;
}

#endif
