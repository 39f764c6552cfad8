//===- Passes.td - kernels to the tasks of cores ----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_MAPPING_PASSES_TD
#define GENSYN_CODEGEN_MAPPING_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar machineOption = Option<"machine", "machine", "std::string", /*default=*/"",
    "A machine that comes with the tools (\"spinnaker2-chip\"), or a machine file">;

defvar fitsTwiceOption = Option<"fitsTwice", "fits-twice", "bool", /*default=*/"true",
    "Tiles fit twice into a core's memory where that can be, so that it computes one while it copies the next">;

defvar choosesTilesOption = Option<"choosesTiles", "choose-tiles", "bool", /*default=*/"true",
    "Tiles are chosen by the estimate; else the longest dimension is halved until they fit">;

defvar tileMemoryOption = Option<"tileMemory", "tile-memory", "unsigned", /*default=*/"100",
    "Percent of a core's memory for tiles: weights that stay there have the rest">;
defvar allWeightsOption =
  Option<"all", "all", "bool", /*default=*/"false", "All weights have to have room in cores">;

def TaskSplitSumsPass : Pass<"task-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Cut sums where their order allows it, for more parts than results have";
  let description = [{
    A kernel with fewer elements than the machine has cores, or with operands too large
    for as many cores as it has elements, gains by cutting the dimensions that it sums
    over. The order says where that keeps every bit (`SplitOpInterface`): blocks of
    `blocked<B, ...>` are summed apart and joined by its outer order, lanes by halves,
    integers and extrema anywhere. Each piece becomes a kernel of its own, with what
    computes its operands, and one more kernel joins them and computes what followed the
    sum. The pass takes the cut that is fastest by the estimate, if that is at least a
    tenth faster than none, or about as fast with a third of the tiles, or if no piece of
    the whole sum fits; with `always`, any cut is. A sum whose order is a chain stays.

    ```mlir
    // before
    %y = repro.kernel "k0" (%a = %x : tensor<1x4096xf32>, ...) -> (tensor<1x256xf32>) {
      %c = repro.contract %a, %b domain <[1, 256, 4096], reduce [2]> ... order blocked<1024, sequential, sequential> ...
    // after
    %p0 = repro.kernel "k0_part0" (%a = %x : tensor<1x4096xf32>, ...) -> (tensor<1x256xf32>) {
      %s = repro.slice %a start [0, 0] limit [1, 1024] ...
      %c = repro.contract %s, %t domain <[1, 256, 1024], reduce [2]> ... order sequential ...
    ...
    %y = repro.kernel "k0_join" (%a = %p0 : tensor<1x256xf32>, ...) -> (tensor<1x256xf32>) {
    ```

    Numerics: keeps bits (contract_r2, reduce_r1, order_r2, order_r3: docs/Numerics.md, "Cuts").
    Needs: `repro.kernel`.
    Leaves: `task.share` on the kernels of pieces.
  }];
  let options = [machineOption, tileMemoryOption, Option<"always", "always", "bool", /*default=*/"false",
                                       "Cut whatever can be cut, for tests of bits">];
}

def TaskSplitPass : Pass<"task-split", "::mlir::func::FuncOp"> {
  let summary = "Cut each kernel into parts, at most one for each core";
  let description = [{
    Sets `task.parts`. Only dimensions that are `free` by `SplitOpInterface` are cut, so no
    cut changes a bit; the machine decides how often. Of the grids that give each core, or each of its share (`task.share`), at
    most one part, the pass takes the one whose largest part takes the least time by the
    estimate (`gensyn/Machine/Estimate.h`): what its work takes or what its operands and
    results take on their way while all cores copy, whichever is longer. A kernel that
    has the attribute keeps it.

    Where kinds of cores that differ can compute a kernel, the pass also sets `task.kinds`:
    those of one kind, or of several of which fast cores compute more, then smaller, parts
    than slow ones, whichever takes the least time. Two kernels one after the other that do
    not read each other share the cores evenly (`task.share`) where that is faster.

    ```mlir
    // before
    %y = repro.kernel "relu" (%a = %x : tensor<304x64xf32>) -> (tensor<304x64xf32>) {...}
    // after
    %y = repro.kernel "relu" (%a = %x : tensor<304x64xf32>) -> (tensor<304x64xf32>) {...} {task.parts = array<i64: 2, 64>}
    ```

    Numerics: keeps bits (g9: grouping of work; the verifier refuses other cuts).
    Needs: `repro.kernel`.
    Leaves: `task.parts` on every kernel, and `task.kinds` where cores differ.
  }];
  let options = [machineOption, fitsTwiceOption, choosesTilesOption, tileMemoryOption];
}

def TaskTilePass : Pass<"task-tile", "::mlir::func::FuncOp"> {
  let summary = "Cut parts into tiles that fit twice into a core's memory";
  let description = [{
    Sets `task.tiles` and `task.order`, so that a core can compute one tile while it copies
    the next. A tile is halved along the dimension that keeps the bytes to copy lowest, in
    the best order of tiles, until its operands and results fit into half of the memory
    that the machine leaves to programs,
    or into all of it where halves cannot be reached, or where few large tiles take less
    time than many small ones although nothing is copied meanwhile. An operand that does not fit however
    small the tile is, such as the table of a gather, is read where it lies
    (`task.in_place`) if the machine can do that. The pass fails, with the number of
    bytes, if it cannot. It starts from tiles and operands in place that a kernel has.

    ```mlir
    %y = repro.kernel "relu" (...) -> (tensor<304x64xf32>) {...} {task.parts = array<i64: 152, 64>, task.tiles = array<i64: 76, 64>}
    ```

    Numerics: keeps bits (g9: grouping of work; the verifier refuses other cuts).
    Needs: `task.parts`.
    Leaves: `task.tiles`, `task.order` and `task.in_place` on every kernel.
  }];
  let options = [machineOption, fitsTwiceOption, choosesTilesOption, tileMemoryOption];
}

def TaskRepeatPass : Pass<"task-repeat", "::mlir::ModuleOp"> {
  let summary = "Find blocks of kernels that repeat, to map one of them";
  let description = [{
    The layers of a transformer are equal but for the buffers of the plan that they read
    and write. Sets `task.repetition` on launches that follow each other without a decision in
    between: equal kernels with equal attributes, again and again, in which each buffer of
    the first block has one in each other block. Each block reads what the one before it
    wrote; blocks that need nothing of each other may run at the same time. Of the choices the one that leaves the
    fewest tiles to map comes first, then others beside it. A block that saves fewer than
    `least` percent of the tiles of the launches around it is not worth the barriers between
    its repetitions: they start one after another.

    ```mlir
    // before
    %y = repro.kernel "k0_add" (%a = %x : tensor<8xf32>, %b = %w0 : tensor<8xf32>) -> (tensor<8xf32>) {...}
    %z = repro.kernel "k1_add" (%a = %y : tensor<8xf32>, %b = %w1 : tensor<8xf32>) -> (tensor<8xf32>) {...}
    // after
    %y = repro.kernel "k0_add" (...) -> (tensor<8xf32>) {...} {task.repetition = array<i32: 0, 0>}
    %z = repro.kernel "k1_add" (...) -> (tensor<8xf32>) {...} {task.repetition = array<i32: 0, 1>}
    ```

    Numerics: keeps bits (g9: when and where work runs).
    Needs: the attributes of `task-tile`.
    Leaves: `task.repetition` on some kernels.
  }];
  let options = [Option<"least", "least", "unsigned", /*default=*/"10",
                        "Percent of the tiles that a block must save: with a larger value fewer blocks repeat">];
}

def TaskAssignPass : Pass<"task-assign", "::mlir::func::FuncOp"> {
  let summary = "Choose the cores that compute each kernel's parts";
  let description = [{
    Sets `task.cores`: for each kernel, in program order, those of the cores with units
    for all of its work that have the least to do by then, by the estimate; of equal ones
    those of the lowest numbers. Of kinds of cores that differ each core has as many parts
    as `task.kinds` says, one after another. Chips get parts in the ratio of their cores, so that all of
    their memories are read. Fails if no core has units for it. A kernel that has the
    attribute keeps it. A block that repeats (`task.repetition`) begins when no core has
    anything to do, and its repetitions have the cores of the first. Where weights are to stay in
    cores besides `tile-memory` percent for tiles, a kernel that reads some gets those that keep the
    least of them so far, in all repetitions; parts whose weights find no room in a core of their own
    share one that has it: up to four parts of a kernel, which are computed one after the other, or any
    number with `all`.

    Numerics: keeps bits (g9: where work runs).
    Needs: `task.parts`.
    Leaves: `task.cores` on every kernel.
  }];
  let options = [machineOption, tileMemoryOption, allWeightsOption];
}

def TaskSchedulePass : Pass<"task-schedule", "::mlir::ModuleOp"> {
  let summary = "List the tasks of each core";
  let description = [{
    Makes a `task.segment` of the launches that follow each other without a decision in
    between. For each tile a core fetches its operands, unless it has them from the tile
    before, computes, and stores its results. A launch has a counter if a later one of
    the segment reads or writes memory that it writes, or writes what it reads: each of
    its cores increments it with its last task, and the first tasks of the later launch
    that access such memory wait for all. A tile that reads none of an operand waits for
    none of it, as the old rows of a concatenation; if no tile reads any, the launch's last
    task waits. Waits that others imply are left out. Pieces
    become functions of one kernel each; equal ones are one. A block that repeats
    (`task.repetition`) becomes one segment with `repetitions`, whose tasks wait for what
    any of them has to wait for. Fails if its repetitions are not equal.

    Numerics: keeps bits (g9: when and where work runs; every access waits for those it
    depends on).
    Needs: `task.parts`, `task.cores`.
    Leaves: `task.segment` and functions of pieces beside `@main`, which stays.
  }];
  let options = [machineOption];
  let dependentDialects = ["::gensyn::task::TaskDialect"];
}

def TaskKeepWeightsPass : Pass<"task-keep-weights", "::mlir::ModuleOp"> {
  let summary = "Keep weights in the memories of the cores that read them";
  let description = [{
    A fetch of what is the same in all runs, a constant or a parameter that the program
    does not replace, becomes a `task.resident` at the beginning of the core's memory, if there is
    room for it in all repetitions of its segment besides what tiles take: `tile-memory` percent,
    for which the passes before have chosen them. What takes the most memory comes first. A core with a
    larger tile keeps nothing. With `all`, fails with the number of bytes that have no
    room, and the core that lacks the most.

    ```mlir
    // before
    %x = task.buffer 256
    %a = task.fetch %x from 3 at 0 rows [] by [] of 256 {launch = 0 : i32}
    %b = task.compute @exp_0123(%x, %y) after %a {launch = 0 : i32}
    // after
    %x = task.resident from 3 at 0 rows [] by [] of 256 to 0 {launch = 0 : i32}
    %b = task.compute @exp_0123(%x, %y) {launch = 0 : i32}
    ```

    Numerics: keeps bits (g9: where values lie).
    Needs: `task.segment` without addresses and multicasts.
    Leaves: `task.resident`, and `task.weights` on the module.
  }];
  let options = [machineOption, tileMemoryOption, allWeightsOption];
}

def TaskMulticastPass : Pass<"task-multicast", "::mlir::ModuleOp"> {
  let summary = "Copy once what cores of a chip fetch in common";
  let description = [{
    Where the network of the machine repeats packets, fetches of the same bytes by cores
    of one chip, each before the tile of the same number of the same launch, become one
    `task.multicast` of one of these cores, which take turns. It increments a counter of
    its own, and tasks that waited for the other cores' fetches wait for it: so they also
    wait for what the fetches waited for. Copies of one core keep their order, and that of
    launches and of tiles is the same on all cores, so no wait leads back to itself.

    ```mlir
    // before, on cores 5 and 6
    %a = task.fetch %x from 0 at 0 rows [] by [] of 256 {launch = 0 : i32}
    %b = task.compute @exp_0123(%x, %y) after %a {launch = 0 : i32}
    // after, on core 6
    %b = task.compute @exp_0123(%x, %y) {awaits = array<i32: 0, 1>, launch = 0 : i32}
    ```

    Numerics: keeps bits (g9: when and how values travel).
    Needs: `task.segment` without addresses.
    Leaves: `task.multicast`, and its number on the buffers that it fills.
  }];
  let options = [machineOption];
}

def TaskPlanPass : Pass<"task-plan", "::mlir::ModuleOp"> {
  let summary = "Give the buffers of cores their addresses";
  let description = [{
    A buffer is live from the first task that names it to the last one in the text. The
    next buffer goes to the memory that has been unused for the longest time, so that its
    first task, which waits for those that used that memory before, waits for old ones.
    Fails with the number of bytes if the buffers of a task do not fit. A multicast waits
    for the former users of its buffers' memory, on all cores. Where weights stay in a core,
    its buffers lie after them, in all segments.

    Numerics: keeps bits (g9: where values lie).
    Needs: `task.segment`.
    Leaves: an address on every `task.buffer`, and tasks that wait for the former users of
    their memory.
  }];
  let options = [machineOption];
}

def TaskPrefetchPass : Pass<"task-prefetch", "::mlir::ModuleOp"> {
  let summary = "Fetch what waits for nothing before what waits";
  let description = [{
    Moves each fetch that awaits no counter up, in its copy queue, past stores and past
    fetches that do, as far as the tasks that it depends on. A core's operands then arrive
    while it computes the tile before, and the weights of a kernel while it waits for the
    results of the one before. A multicast passes only tasks that come after all that
    it waits for, on whichever core, in the order of launches and tiles.

    Where the copy engine has a second channel, what waits for nothing takes that, so that
    it is not in the way of stores and of what waits. There fetches and multicasts keep the
    order of the launches.

    Numerics: keeps bits (g9: when work runs; no task passes one that it depends on).
    Needs: addresses.
    Leaves: the same tasks in another order.
  }];
  let options = [machineOption];
}

def TaskPlacePass : Pass<"task-place", "::mlir::ModuleOp"> {
  let summary = "Put the buffers of the plan into shared memories";
  let description = [{
    Sets `task.memories`: for each buffer of the plan the machine's memory in which it
    lies. In the order of how often they are accessed, the arena, inputs, outputs, values
    that are prepared, and what is kept between runs go to the nearest memory that has room
    (the machine file lists them in this order), and to one that is only read if nothing
    writes them. What repetitions of a segment have in each other's place lies in one
    memory, and in one layout. Fails, with the number of bytes, if there is not enough.

    Numerics: keeps bits (g9: where values lie).
    Needs: `repro.kernel`.
    Leaves: `task.memories` on the module.
  }];
  let options = [machineOption];
}

def TaskRoutePass : Pass<"task-route", "::mlir::ModuleOp"> {
  let summary = "Give copies their ways through the network";
  let description = [{
    Of a copy between a core and a shared memory: a shortest way between the core's node
    and the nearest port of the memory in which the buffer lies, over links that are not
    dead. Fails if there is
    none.

    Numerics: keeps bits (g9: how values travel).
    Needs: `task.segment`, `task.memories`.
    Leaves: `path` on every copy, and `task.machine` on the module: the mapping is complete.
  }];
  let options = [machineOption];
}

def TaskCompactPass : Pass<"task-compact", "::mlir::ModuleOp"> {
  let summary = "Take no more of the cores' memories than a run needs";
  let description = [{
    `task-plan` takes memory that has been unused for the longest time, since it does not
    know when tasks run, and so most of what there is. This pass simulates the mapping, and gives buffers
    new addresses, as low as possible, in memory that others have left by then: in the order
    of their beginnings, sizes, times and both, and then those that lie highest first. Their first
    tasks wait for those that used it; in the simulated run these have ended, so that it
    takes the same time. Cores whose memory does not become less keep their addresses, and
    so does a mapping of more than `most` tasks.

    Numerics: keeps bits (g9: where values lie).
    Needs: addresses, `task.memories` and `path` on every copy.
    Leaves: other addresses; tasks of each core in the order of their starts.
  }];
  let options = [machineOption, Option<"most", "most", "uint64_t", /*default=*/"65536",
                                       "Tasks: a larger mapping stays as it is">];
}

def TaskFetchAheadPass : Pass<"task-fetch-ahead", "::mlir::ModuleOp"> {
  let summary = "Fetch for the next repetition of a block";
  let description = [{
    The first fetches of a core in a segment with repetitions wait for nothing, and its first computations
    wait for them. Such a fetch of what nothing writes, such as weights, becomes
    `ahead` where that gives it more time, by the bytes that are copied meanwhile: between the
    last task of a repetition that uses its memory and the end, instead of between the beginning
    and the launch that reads it. It follows all other tasks of its queue, and waits for those who
    use its memory.

    ```mlir
    // before
    %a = task.fetch %x from 0 at 0 rows [] by [] of 256 {launch = 0 : i32}
    %b = task.compute @exp_0123(%x, %y) after %a {launch = 0 : i32}
    // after
    %b = task.compute @exp_0123(%x, %y) {launch = 0 : i32}
    %a = task.fetch %x from 0 at 0 rows [] by [] of 256 after %b ahead {launch = 0 : i32}
    ```

    Numerics: keeps bits (g9: when values travel).
    Needs: the final addresses.
    Leaves: fetches that are `ahead` at the ends of cores' tasks.
  }];
}

def TaskReduceWaitsPass : Pass<"task-reduce-waits", "::mlir::ModuleOp"> {
  let summary = "Leave out waits that the order of queues implies";
  let description = [{
    A task starts when the one before it in its queue has ended. So of the tasks that it
    waits for, those of its own queue need not be named, and of the other queue the last
    one is enough.

    Numerics: keeps bits (g9: when work runs; the same tasks have ended).
    Needs: the final order of tasks (`task-prefetch`).
    Leaves: at most one task after `after`.
  }];
}

#endif
