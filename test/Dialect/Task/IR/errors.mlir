// RUN: gensyn-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{has buffer 4, expected one above 4}}
task.segment [0] counters 0 buffers [1, 4, 4] {
}

// -----

// expected-error @below {{has buffer -1, expected one above -1}}
task.segment [0] counters 0 buffers [-1] {
}

// -----

// expected-error @below {{repetition 2 has 1 launches, expected 2}}
task.segment [0, 1] counters 0 repetitions [#task.repetition<[2, 3]>, #task.repetition<[4]>] {
}

// -----

// expected-error @below {{repetition 1 has 0 buffers, expected 1}}
task.segment [0] counters 0 buffers [3] repetitions [#task.repetition<[2]>] {
}

// -----

// expected-error @below {{repetition 1 has buffer -3, expected at least 0}}
task.segment [0] counters 0 buffers [3] repetitions [#task.repetition<[2] with [-3]>] {
}

// -----

func.func @repetition(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has 'task.repetition' = array<i32: 1>, expected the numbers of a block and of a repetition}}
  %y = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.repetition = array<i32: 1>} {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

task.segment [0] counters 1 {
  task.core 0 {
    %x = task.buffer 64
    // expected-error @below {{is ahead, and its segment has no repetitions}}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 ahead {launch = 0 : i32}
  }
}

// -----

task.segment [0] counters 1 repetitions [#task.repetition<[1]>] {
  task.core 0 {
    %x = task.buffer 64
    // expected-error @below {{is ahead, and a task waits for it}}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 ahead {launch = 0 : i32}
    %c = task.compute @neg(%x) after %a {launch = 0 : i32}
  }
}

// -----

task.segment [0] counters 1 repetitions [#task.repetition<[1]>] {
  task.core 0 {
    %x = task.buffer 64
    // expected-error @below {{is ahead, and has counters}}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 ahead {launch = 0 : i32, signals = array<i32: 0>}
  }
}

// -----

task.segment [0] counters 1 repetitions [#task.repetition<[1]>] {
  task.core 0 {
    %x = task.buffer 64
    // expected-error @below {{is ahead, and another task follows in its queue}}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 64 ahead {launch = 0 : i32}
    %b = task.fetch %x from 0 at 0 rows [] by [] of 64 {launch = 0 : i32}
  }
}
