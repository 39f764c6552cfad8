// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-choose-layouts))' --check-bits=all | FileCheck %s

#image = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
#filter = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>

// CHECK-DAG: #[[$IMAGE:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[$FILTER:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1)>

// Images of 7x7 use 49 of 64 lanes. Two convolutions gain more by vectors along
// channels than two transposes cost.
// CHECK-LABEL: func.func @two
// CHECK: %[[X:.+]] = repro.transpose %arg0 [0, 2, 3, 1] : tensor<1x256x7x7xf32> to tensor<1x7x7x256xf32>
// CHECK: %[[C:.+]] = repro.contract %[[X]], %arg1 domain <[1, 256, 7, 7, 256], reduce [4]> maps [#[[$IMAGE]], #[[$FILTER]], #[[$RESULT]]]
// CHECK-SAME: -> tensor<1x7x7x256xf32>
// CHECK: %[[Y:.+]] = repro.max %[[C]], %{{.+}} : tensor<1x7x7x256xf32>
// CHECK: %[[D:.+]] = repro.contract %[[Y]], %arg2
// CHECK: %[[T:.+]] = repro.transpose %[[D]] [0, 3, 1, 2] : tensor<1x7x7x256xf32> to tensor<1x256x7x7xf32>
// CHECK: return %[[T]]
func.func @two(%x: tensor<1x256x7x7xf32>, %v: tensor<256x256xf32> {gensyn.role = "parameter"}, %w: tensor<256x256xf32> {gensyn.role = "parameter"}) -> tensor<1x256x7x7xf32> {
  %c = repro.contract %x, %v domain <[1, 256, 7, 7, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x7x7xf32>, tensor<256x256xf32> -> tensor<1x256x7x7xf32>
  %zero = repro.constant dense<0.0> : tensor<1x256x7x7xf32>
  %y = repro.max %c, %zero : tensor<1x256x7x7xf32>
  %d = repro.contract %y, %w domain <[1, 256, 7, 7, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x7x7xf32>, tensor<256x256xf32> -> tensor<1x256x7x7xf32>
  return %d : tensor<1x256x7x7xf32>
}

// One does not.
// CHECK-LABEL: func.func @one
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @one(%x: tensor<1x256x7x7xf32>, %v: tensor<256x256xf32> {gensyn.role = "parameter"}) -> tensor<1x256x7x7xf32> {
  %c = repro.contract %x, %v domain <[1, 256, 7, 7, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x7x7xf32>, tensor<256x256xf32> -> tensor<1x256x7x7xf32>
  return %c : tensor<1x256x7x7xf32>
}

// Images of 8x8 have no such lanes, and many filters hide what is copied.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @whole(%x: tensor<1x256x8x8xf32>, %v: tensor<256x256xf32> {gensyn.role = "parameter"}, %w: tensor<256x256xf32> {gensyn.role = "parameter"}) -> tensor<1x256x8x8xf32> {
  %c = repro.contract %x, %v domain <[1, 256, 8, 8, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x8x8xf32>, tensor<256x256xf32> -> tensor<1x256x8x8xf32>
  %d = repro.contract %c, %w domain <[1, 256, 8, 8, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x8x8xf32>, tensor<256x256xf32> -> tensor<1x256x8x8xf32>
  return %d : tensor<1x256x8x8xf32>
}

// Filters that are copied into panels in each run cost more than that.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @copied(%x: tensor<1x256x7x7xf32>, %v: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<1x256x7x7xf32> {
  %c = repro.contract %x, %v domain <[1, 256, 7, 7, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x7x7xf32>, tensor<256x256xf32> -> tensor<1x256x7x7xf32>
  %d = repro.contract %c, %w domain <[1, 256, 7, 7, 256], reduce [4]> maps [#image, #filter, #result]
    bounds [in, in] order sequential : tensor<1x256x7x7xf32>, tensor<256x256xf32> -> tensor<1x256x7x7xf32>
  return %d : tensor<1x256x7x7xf32>
}
