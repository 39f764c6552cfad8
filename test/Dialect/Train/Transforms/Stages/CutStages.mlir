// A microbatch as the segments of pipeline stages.
// RUN: split-file %s %t
// RUN: gensyn-opt %t/layers.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=2 slack=0})' | FileCheck %t/layers.mlir
// RUN: gensyn-opt %t/layers.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=1})' | FileCheck %t/layers.mlir --check-prefix=ONE
// RUN: gensyn-opt %t/layers.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=2 slack=0})' --remarks-filter=stages -o %t/out.mlir 2>&1 | FileCheck %t/layers.mlir --check-prefix=REMARK
// RUN: gensyn-opt %t/layers.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=2 interleave=2})' | FileCheck %t/layers.mlir --check-prefix=CHUNKS
// RUN: gensyn-opt %t/skip.mlir --pass-pipeline='builtin.module(train-cut-stages{stages=3 slack=0})' | FileCheck %t/skip.mlir

//--- layers.mlir
// Each stage has the gradients of its own parameters. A value of the first
// stage stays there for the way back, and is sent to the last one, too. Stages
// of three and of four products are as even as can be.
// CHECK: module attributes {train.stages = [
// CHECK-SAME: {contributions = array<i64: 0>, parameters = ["w1", "w2"], sums = array<i64: 1, 2>},
// CHECK-SAME: {contributions = array<i64>, parameters = ["w3"], sums = array<i64: 0, 3>}]}

// CHECK-LABEL: func.func @segment_0(
// CHECK-SAME: %[[X:[^:]+]]: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}
// CHECK-SAME: %[[W1:[^:]+]]: tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"}
// CHECK-SAME: %[[W2:[^:]+]]: tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"}
// CHECK-SAME: -> (tensor<4xf32> {gensyn.name = "gensyn.cut.0", gensyn.role = "output"}, tensor<4xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "output"})
// CHECK-SAME: train.donated = array<i64: -1, -1>, train.stage = 0 : i64
// CHECK: %[[H1:.+]] = repro.mul %[[X]], %[[W1]]
// CHECK: %[[H2:.+]] = repro.mul %[[H1]], %[[W2]]
// CHECK: return %[[H1]], %[[H2]]

// CHECK-LABEL: func.func @segment_1(
// CHECK-SAME: "w3"
// CHECK-SAME: "gensyn.sum.0"
// CHECK-SAME: %[[SUM3:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"}
// CHECK-SAME: %[[H2:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "input"}
// CHECK-SAME: -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"}, tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"}, tensor<4xf32> {gensyn.name = "gensyn.cut.2", gensyn.role = "output"})
// CHECK-SAME: train.donated = array<i64: 1, 2, -1>, train.stage = 1 : i64
// CHECK: %[[H3:.+]] = repro.mul %[[H2]],
// CHECK: %[[DW3:.+]] = repro.mul %[[H2]],
// CHECK: %[[NEXT:.+]] = repro.add %[[SUM3]], %[[DW3]]
// CHECK: return %{{.+}}, %[[NEXT]], %{{.+}}

// CHECK-LABEL: func.func @segment_2(
// CHECK-SAME: "x"
// CHECK-SAME: "w2"
// CHECK-SAME: "gensyn.sum.1"
// CHECK-SAME: "gensyn.sum.2"
// CHECK-SAME: "gensyn.cut.0"
// CHECK-SAME: "gensyn.cut.2"
// CHECK-SAME: -> ({{.*}}"gensyn.sum.1"{{.*}}"gensyn.sum.2"{{.*}}"gensyn.contribution.0"
// CHECK-SAME: train.donated = array<i64: 2, 3, -1>, train.stage = 0 : i64

// CHECK-NOT: @microbatch
// CHECK: func.func @update(

// ONE: func.func @segment_0(
// ONE-NOT: gensyn.cut
// ONE-NOT: @segment_1

// Two chunks for each stage: a stage's parameters are those of its chunks.
// CHUNKS: module attributes {train.stages = [
// CHUNKS-SAME: {contributions = array<i64: 0>, parameters = ["w1", "w3"], sums = array<i64: 1, 3>},
// CHUNKS-SAME: {contributions = array<i64>, parameters = ["w2"], sums = array<i64: 0, 2>}]}
// CHUNKS: func.func @segment_0({{.*}}"w1"{{.*}}train.stage = 0
// CHUNKS: func.func @segment_1({{.*}}"w2"{{.*}}train.stage = 1
// CHUNKS: func.func @segment_2({{.*}}"w3"{{.*}}train.stage = 0
// CHUNKS: func.func @segment_3({{.*}}"gensyn.sum.0"{{.*}}train.stage = 1
// CHUNKS: func.func @segment_4({{.*}}"gensyn.sum.3"{{.*}}train.stage = 0
// CHUNKS: func.func @segment_5({{.*}}"gensyn.sum.2"{{.*}}train.stage = 1
// CHUNKS: func.func @segment_6({{.*}}"gensyn.sum.1"{{.*}}train.stage = 0
// CHUNKS-NOT: @segment_7

// REMARK: remark: [Analysis] CutStages | Category:stages | Function=microbatch | KeptBytes=16, Operations=32, Ops=8, ParameterBytes=32, Percent=53.3, ReceivedBytes=16, Stage=0
// REMARK: remark: [Analysis] CutStages | Category:stages | Function=microbatch | KeptBytes=0, Operations=28, Ops=7, ParameterBytes=16, Percent=46.7, ReceivedBytes=16, Stage=1
module {
  func.func @microbatch(
      %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w1: tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
      %w3: tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"},
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"},
      %s3: tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"})
      -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.contribution.0", gensyn.role = "output"})
      attributes {train.donated = array<i64: 4, 5, 6, 7, -1>} {
    %h1 = repro.mul %x, %w1 : tensor<4xf32>
    %c = repro.neg %h1 : tensor<4xf32>
    %h2 = repro.mul %h1, %w2 : tensor<4xf32>
    %h3 = repro.mul %h2, %w3 : tensor<4xf32>
    %l = repro.mul %h3, %h3 : tensor<4xf32>
    %d3 = repro.add %h3, %h3 : tensor<4xf32>
    %dw3 = repro.mul %h2, %d3 : tensor<4xf32>
    %d2 = repro.mul %d3, %w3 : tensor<4xf32>
    %dw2 = repro.mul %h1, %d2 : tensor<4xf32>
    %d1 = repro.mul %d2, %w2 : tensor<4xf32>
    %dw1 = repro.mul %x, %d1 : tensor<4xf32>
    %n0 = repro.add %s0, %l : tensor<4xf32>
    %n1 = repro.add %s1, %dw1 : tensor<4xf32>
    %n2 = repro.add %s2, %dw2 : tensor<4xf32>
    %n3 = repro.add %s3, %dw3 : tensor<4xf32>
    return %n0, %n1, %n2, %n3, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"},
      %s3: tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "input"},
      %w1: tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
      %w3: tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"})
      -> (tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w1, %s1 : tensor<4xf32>
    %1 = repro.sub %w2, %s2 : tensor<4xf32>
    %2 = repro.sub %w3, %s3 : tensor<4xf32>
    return %0, %1, %2, %s0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

//--- skip.mlir
// Every stage reads what the first one computes, as decoders read an encoder's
// output: it is one value for all of them. What comes back is added up on the
// way.
// CHECK: module attributes
// CHECK-LABEL: func.func @segment_0(
// CHECK-SAME: -> (tensor<4xf32> {gensyn.name = "gensyn.cut.0", gensyn.role = "output"})

// CHECK-LABEL: func.func @segment_1(
// CHECK-SAME: "gensyn.cut.0", gensyn.role = "input"})
// CHECK-SAME: -> (tensor<4xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "output"})

// CHECK-LABEL: func.func @segment_2(
// CHECK-SAME: "gensyn.cut.0", gensyn.role = "input"}
// CHECK-SAME: "gensyn.cut.1", gensyn.role = "input"})
// CHECK-SAME: "gensyn.cut.2", gensyn.role = "output"}
// CHECK-SAME: "gensyn.cut.3", gensyn.role = "output"})

// CHECK-LABEL: func.func @segment_3(
// CHECK-SAME: "gensyn.cut.0", gensyn.role = "input"}
// CHECK-SAME: %[[A:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.2"
// CHECK-SAME: %[[B:[^:]+]]: tensor<4xf32> {gensyn.name = "gensyn.cut.3"
// CHECK: %[[AB:.+]] = repro.add %[[A]], %[[B]]
// CHECK: %[[SUM:.+]] = repro.add %[[AB]],
// CHECK: return %{{.+}}, %[[SUM]] :

// CHECK-LABEL: func.func @segment_4(
// CHECK-SAME: "gensyn.sum.1", gensyn.role = "state"}, %{{[^:]+}}: tensor<4xf32> {gensyn.name = "gensyn.cut.4", gensyn.role = "input"})
module {
  func.func @microbatch(
      %x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w1: tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
      %w3: tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"},
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"},
      %s3: tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"})
      -> (tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"},
          tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "state"}) {
    %e = repro.mul %x, %w1 : tensor<4xf32>
    %h2 = repro.mul %e, %w2 : tensor<4xf32>
    %g2 = repro.add %h2, %e : tensor<4xf32>
    %h3 = repro.mul %g2, %w3 : tensor<4xf32>
    %g3 = repro.add %h3, %e : tensor<4xf32>
    %l = repro.mul %g3, %g3 : tensor<4xf32>
    %dg3 = repro.add %g3, %g3 : tensor<4xf32>
    %dw3 = repro.mul %g2, %dg3 : tensor<4xf32>
    %dg2 = repro.mul %dg3, %w3 : tensor<4xf32>
    %dw2 = repro.mul %e, %dg2 : tensor<4xf32>
    %dh2 = repro.mul %dg2, %w2 : tensor<4xf32>
    %de1 = repro.add %dg3, %dg2 : tensor<4xf32>
    %de = repro.add %de1, %dh2 : tensor<4xf32>
    %dw1 = repro.mul %x, %de : tensor<4xf32>
    %n0 = repro.add %s0, %l : tensor<4xf32>
    %n1 = repro.add %s1, %dw1 : tensor<4xf32>
    %n2 = repro.add %s2, %dw2 : tensor<4xf32>
    %n3 = repro.add %s3, %dw3 : tensor<4xf32>
    return %n0, %n1, %n2, %n3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @update(
      %s0: tensor<4xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<4xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %s2: tensor<4xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"},
      %s3: tensor<4xf32> {gensyn.name = "gensyn.sum.3", gensyn.role = "input"},
      %w1: tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
      %w3: tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"})
      -> (tensor<4xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "w3", gensyn.role = "parameter"},
          tensor<4xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w1, %s1 : tensor<4xf32>
    %1 = repro.sub %w2, %s2 : tensor<4xf32>
    %2 = repro.sub %w3, %s3 : tensor<4xf32>
    return %0, %1, %2, %s0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
