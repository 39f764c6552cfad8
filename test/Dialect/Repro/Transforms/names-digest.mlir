// The names of arguments and results, and the roles of arguments, are a part of the program's identity.
// RUN: gensyn-opt %s --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.0
// RUN: sed 's/"there"/"elsewhere"/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.1
// RUN: sed 's/"here"/"nowhere"/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.2
// RUN: sed 's/"input"/"parameter"/' %s | gensyn-opt --repro-freeze | grep -o 'digest = "[0-9a-f]*"' > %t.3
// RUN: bash -c 'cat %t.0 %t.1 %t.2 %t.3 | sort -u | wc -l' | FileCheck %s
// CHECK: {{^}}4{{$}}

func.func @main(%x: tensor<4xf32> {gensyn.name = "here", gensyn.role = "input"}) -> (tensor<4xf32> {gensyn.name = "there"}) {
  %0 = repro.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
