// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s

// Roles and names are strings in the text, as executables contain them.
// CHECK: func.func @main(%{{.+}}: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"}) -> (tensor<4xf32> {gensyn.name = "y", gensyn.role = "output"})
func.func @main(%w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"})
    -> (tensor<4xf32> {gensyn.name = "y", gensyn.role = "output"}) {
  return %w : tensor<4xf32>
}
