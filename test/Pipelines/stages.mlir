// RUN: gensyn-translate --onnx-to-mlir %inputs/cases/mlp-relu-sum/model.onnx -o %t.onnx.mlir
// RUN: gensyn-opt %t.onnx.mlir --gensyn-onnx-pipeline -o %t.repro.mlir
// RUN: FileCheck %s --check-prefix=REPRO < %t.repro.mlir
// RUN: gensyn-opt %t.repro.mlir --gensyn-train-pipeline='kind=train recipe={{"loss":{"kind":"softmax_cross_entropy","logits":"logits","target":"target"},"optimizer":{"kind":"SGD","lr":0.1}}}' -o %t.train.mlir
// RUN: FileCheck %s --check-prefix=TRAIN < %t.train.mlir
// RUN: gensyn-opt %t.train.mlir --gensyn-freeze-pipeline -o %t.frozen.mlir
// RUN: FileCheck %s --check-prefix=FROZEN < %t.frozen.mlir
// RUN: gensyn-opt %t.frozen.mlir --gensyn-kernel-pipeline -o %t.kernels.mlir
// RUN: FileCheck %s --check-prefix=KERNELS < %t.kernels.mlir

// Every stage starts from what the one before printed.

// REPRO-LABEL: func.func @main(
// REPRO-SAME: gensyn.name = "x", gensyn.role = "input"
// REPRO-SAME: gensyn.role = "parameter"
// REPRO-NOT: onnx.
// REPRO: repro.contract
// REPRO: return

// TRAIN: gensyn.donated
// TRAIN-LABEL: func.func @main(
// TRAIN-NOT: train.
// TRAIN: return

// FROZEN: repro.digest = "{{[0-9a-f]+}}", repro.numerics = 1
// FROZEN: repro.contract {{.*}} order sequential

// KERNELS-LABEL: func.func @main(
// KERNELS: repro.kernel "k1_contract" (%[[X:.*]] = %{{.*}}, %[[W:.*]] = %
// KERNELS-NEXT: %[[Y:.*]] = repro.contract %[[X]], %[[W]]
// KERNELS-NEXT: repro.yield %[[Y]]
// KERNELS: return
