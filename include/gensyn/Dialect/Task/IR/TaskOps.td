//===- TaskOps.td - what the cores of a machine do --------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TASK_IR_TASKOPS_TD
#define GENSYN_DIALECT_TASK_IR_TASKOPS_TD

include "gensyn/Dialect/Reference.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Task_Dialect : Dialect {
  let name = "task";
  let cppNamespace = "::gensyn::task";
  let summary = "What the cores of a machine do to run a frozen program";
  let description = [{
    A mapping in two forms (docs/Mapping.md). First attributes on `repro.kernel`:

    - `task.share`: the number of kernels, this one included, that may run at the same
      time and share the cores;
    - `task.kinds`: pairs of a kind of cores and a number: the kinds whose cores compute
      the kernel, where the machine has several that could, and how many of its parts each
      of their cores computes, at most;
    - `task.parts`: the size of a part along each split dimension of the kernel. Parts
      are numbered in row-major order; the last of a row may be smaller;
    - `task.tiles`: the size of what a core computes at once, within its part;
    - `task.order`: a permutation of the split dimensions: tiles are computed in the
      order of a nest of loops, the last dimension innermost. Row-major without it;
    - `task.in_place`: for each operand, then each result, true if it is accessed where it
      lies, element by element, instead of being copied to or from the core;
    - `task.repetition`: [b, r] if the kernel belongs to repetition r of block b: the
      kernels of repetitions 0, 1, ... follow each other, and the k-th ones of all are
      equal, but for what they read and write;
    - `task.cores`: the cores that compute the parts. Of n parts and c cores, core i
      computes the parts from i * n / c on. A core that is named several times computes
      the parts of each.

    They may cut a dimension only where `SplitOpInterface` says `free`, so they change
    no bit. On the module, `task.memories` has for each buffer of the plan the machine's
    memory in which it lies, `task.layouts` its layout, if that memory has parts,
    `task.weights` lists those that have the same bytes in all runs, if some were to stay
    in cores, and `task.machine` is that machine when the mapping is complete.
    Then `task.segment` ops beside the program, which list the tasks of each core: copies
    between its own and shared memory, and computations of pieces.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

class Task_Type<string name, string typeMnemonic>
    : TypeDef<Task_Dialect, name>, BuildableType<"$_builder.getType<::gensyn::task::" # name # "Type>()"> {
  let mnemonic = typeMnemonic;
}
def Task_Buffer : Task_Type<"Buffer", "buffer"> {
  let summary = "Bytes in a core's own memory";
}
def Task_Event : Task_Type<"Event", "event"> {
  let summary = "The end of a task";
}

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

def Task_Layout : AttrDef<Task_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "In which parts of a memory the bytes of a buffer lie";
  let description = [{
    A memory of several chips has a part for each. Byte b lies in part `parts[sum of
    b % period / chunk * step]`, over all levels (period, chunk, step).

    ```mlir
    // 64 rows of 1,024 bytes: halves of rows, of the first and of the last 32 of them
    #task.layout<[1024, 512, 1, 65536, 32768, 2] to [0, 1, 2, 3]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "three numbers of each level">:$levels,
                        ArrayRefParameter<"int32_t", "parts of the memory">:$parts);
  let assemblyFormat = "`<` `[` $levels `]` `to` ` ` `[` $parts `]` `>`";
  let genVerifyDecl = 1;
}

def Task_RepetitionAttr : AttrDef<Task_Dialect, "Repetition"> {
  let mnemonic = "repetition";
  let summary = "One more run of a segment, with other launches and buffers";
  let parameters = (ins ArrayRefParameter<"int32_t", "launches in place of the segment's">:$launches,
                        OptionalArrayRefParameter<"int32_t", "buffers in place of the segment's">:$buffers);
  let assemblyFormat = "`<` `[` $launches `]` (`with` ` ` `[` $buffers^ `]`)? `>`";
}

//===--------------------------------------------------------------------------===//
// Tasks
//===--------------------------------------------------------------------------===//

def Task_TaskOpInterface : OpInterface<"TaskOpInterface"> {
  let cppNamespace = "::gensyn::task";
  let description = [{
    A task of a core. Tasks of a queue (its computing, or a channel of its copy engine) start
    in the order of the text, each when what it waits for has happened.
  }];
  let methods = [
    InterfaceMethod<"The launch of the plan that it belongs to.", "uint32_t", "getLaunch">,
    InterfaceMethod<"Tasks of its core that must have ended.", "::mlir::MutableOperandRange", "getAfterMutable">,
    InterfaceMethod<"Counters that must have reached a value: pairs of counter and value.",
                    "::llvm::ArrayRef<int32_t>", "getAwaits">,
    InterfaceMethod<"Sets those.", "void", "setAwaits", (ins "::llvm::ArrayRef<int32_t>":$awaits)>,
    InterfaceMethod<"Counters that its end increments.", "::llvm::ArrayRef<int32_t>", "getSignals">,
    InterfaceMethod<"Sets those.", "void", "setSignals", (ins "::llvm::ArrayRef<int32_t>":$signals)>,
    InterfaceMethod<"Its queue on the core: 0 is that of computing, then those of the copy engine's channels.",
                    "uint32_t", "getQueue">,
    InterfaceMethod<"Its end.", "::mlir::Value", "getEnd">];
  let extraSharedClassDeclaration = [{
    /// Adds a task to those that must have ended, unless it is among them.
    void addAfter(::mlir::Value event) {
      auto after = $_op.getAfterMutable();
      for (::mlir::OpOperand &known : after)
        if (known.get() == event)
          return;
      after.append(event);
    }
    /// Removes one of those.
    void removeAfter(::mlir::Value event) {
      ::llvm::SmallVector<::mlir::Value> others;
      for (::mlir::OpOperand &after : $_op.getAfterMutable())
        if (after.get() != event)
          others.push_back(after.get());
      $_op.getAfterMutable().assign(others);
    }
  }];
}

class Task_Op<string mnemonic, list<Trait> traits = []> : Op<Task_Dialect, mnemonic, traits>;

def Task_SegmentOp : Task_Op<"segment", [SingleBlock, NoTerminator, NoRegionArguments, IsolatedFromAbove]> {
  let summary = "Launches that follow each other without a decision in between";
  let description = [{
    All tasks of a segment end before the next one starts. Its counters are 0 when it
    starts.

    A segment with `repetitions`, such as the layers of a transformer, runs once more for
    each of them, one after another, as if they were segments of their own. Launches and
    buffers that its tasks name are those of the first run; in another one those of the
    repetition are in their place, and `buffers` lists the ones that differ.

    ```mlir
    task.segment [0, 1] counters 1 {
      task.core 5 {
        %x = task.buffer 256
        %a = task.fetch %x from 0 at 0 rows [] by [] of 256 {launch = 0 : i32}
        %y = task.buffer 256
        %b = task.compute @exp_0123(%x, %y) after %a {launch = 0 : i32}
        %c = task.store %y to 1 at 0 rows [] by [] of 256 after %b {launch = 0 : i32, signals = array<i32: 0>}
      }
    }
    task.segment [2] counters 0 buffers [1, 2] repetitions [#task.repetition<[3] with [2, 3]>] {
      task.core 5 {}
    }
    ```
  }];
  let arguments = (ins Arg<DenseI32ArrayAttr, "launches of the plan, ascending">:$launches,
                       Arg<I32Attr, "the number of counters">:$counters,
                       Arg<DefaultValuedAttr<DenseI32ArrayAttr, "{}">, "buffers of the plan for which repetitions have others, ascending">:$buffers,
                       Arg<DefaultValuedAttr<TypedArrayAttrBase<Task_RepetitionAttr, "repetitions">, "{}">, "further runs">:$repetitions);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $launches `counters` $counters (`buffers` $buffers^)? (`repetitions` $repetitions^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Task_CoreOp : Task_Op<"core", [SingleBlock, NoTerminator, NoRegionArguments, HasParent<"SegmentOp">]> {
  let summary = "The tasks of a core";
  let description = [{
    Of each queue in this order. At most one per core and segment.
  }];
  let arguments = (ins Arg<I32Attr, "the number of the core in the machine">:$core);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$core attr-dict-with-keyword $body";
}

def Task_BufferOp : Task_Op<"buffer", [HasParent<"CoreOp">]> {
  let summary = "Bytes in the core's own memory";
  let description = [{
    From the first task that names them to the last. `task-plan` gives them an address.
  }];
  let arguments = (ins Arg<I64Attr, "their number">:$bytes,
                       Arg<OptionalAttr<I64Attr>, "the address in the core's memory">:$address,
                       Arg<OptionalAttr<I32Attr>, "the number of the multicast of the segment that fills it">:$multicast);
  let results = (outs Res<Task_Buffer, "the bytes">:$buffer);
  let assemblyFormat = "$bytes (`at` $address^)? (`multicast` $multicast^)? attr-dict";
}

def Task_ResidentOp : Task_Op<"resident", [HasParent<"CoreOp">]> {
  let summary = "Weights that stay in the core's own memory";
  let description = [{
    Rows of a buffer that has the same bytes in all runs, one after another in the core's
    memory from before the first run on. No task writes there. Each repetition of the
    segment has those of its buffer, `step` bytes after those of the one before.

    ```mlir
    %w = task.resident from 3 at 0 rows [] by [] of 256 to 97792 step 256 {launch = 2 : i32}
    %b = task.compute @exp_0123(%w, %y) {launch = 2 : i32}
    ```
  }];
  let arguments = (ins Arg<I32Attr, "the plan's buffer">:$shared,
                       Arg<I64Attr, "the first byte in it">:$offset,
                       Arg<DenseI64ArrayAttr, "the number of rows along each dimension">:$counts,
                       Arg<DenseI64ArrayAttr, "bytes from row to row in the plan's buffer">:$strides,
                       Arg<I64Attr, "bytes of a row">:$rowBytes,
                       Arg<I64Attr, "the address in the core's memory">:$address,
                       Arg<DefaultValuedAttr<I64Attr, "0">, "from repetition to repetition">:$step,
                       Arg<I32Attr, "the first launch that reads them">:$launch,
                       Arg<OptionalAttr<DenseI32ArrayAttr>, "links of the network that the bytes pass">:$path);
  let results = (outs Res<Task_Buffer, "the bytes">:$buffer);
  let assemblyFormat = [{
    `from` $shared `at` $offset `rows` $counts `by` $strides `of` $rowBytes
    `to` $address (`step` $step^)? attr-dict
  }];
}

class Task_TaskOp<string mnemonic, list<Trait> traits = []>
    : Task_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<Task_TaskOpInterface>, HasParent<"CoreOp">], traits)> {
  dag taskArguments = (ins Arg<Variadic<Task_Event>, "tasks that must have ended">:$after,
      Arg<I32Attr, "the launch that it belongs to">:$launch,
      Arg<DefaultValuedAttr<DenseI32ArrayAttr, "{}">, "pairs of a counter and the value that it must have reached">:$awaits,
      Arg<DefaultValuedAttr<DenseI32ArrayAttr, "{}">, "counters that its end increments">:$signals);
  let results = (outs Res<Task_Event, "its end">:$end);
}

class Task_CopyOp<string mnemonic> : Task_TaskOp<mnemonic> {
  dag copyArguments = !con((ins Arg<Task_Buffer, "the core's bytes">:$buffer,
      Arg<I32Attr, "the plan's buffer">:$shared,
      Arg<I64Attr, "the first byte in it">:$offset,
      Arg<DenseI64ArrayAttr, "the number of rows along each dimension">:$counts,
      Arg<DenseI64ArrayAttr, "bytes from row to row in the plan's buffer">:$strides,
      Arg<I64Attr, "bytes of a row">:$rowBytes,
      Arg<OptionalAttr<DenseI32ArrayAttr>, "links of the network that the bytes pass">:$path,
      Arg<DefaultValuedAttr<I32Attr, "0">, "the channel of the copy engine">:$channel), taskArguments);
  let arguments = copyArguments;
}

def Task_FetchOp : Task_CopyOp<"fetch"> {
  let summary = "Copy from shared memory to the core's own";
  let description = [{
    Copies rows of adjacent bytes, which lie one after another in the core's memory.

    Each repetition of a segment makes a fetch that is `ahead` for the next one, with the
    buffer and the launch of that, and the last one does not make it. Before the first repetition
    it is made for that and waits for nothing. Nothing waits for it, and in its queue
    nothing else follows.

    ```mlir
    %a = task.fetch %x from 0 at 0 rows [] by [] of 256 after %b ahead {channel = 1 : i32, launch = 0 : i32}
    ```
  }];
  let arguments = !con(copyArguments, (ins Arg<UnitAttr, "made for the next repetition">:$ahead));
  let assemblyFormat = [{
    $buffer `from` $shared `at` $offset `rows` $counts `by` $strides `of` $rowBytes
    (`after` $after^)? (`ahead` $ahead^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Task_StoreOp : Task_CopyOp<"store"> {
  let summary = "Copy from the core's own memory to shared memory";
  let description = [{
    As task.fetch, in the other direction.
  }];
  let assemblyFormat = [{
    $buffer `to` $shared `at` $offset `rows` $counts `by` $strides `of` $rowBytes
    (`after` $after^)? attr-dict
  }];
}

def Task_MulticastOp : Task_TaskOp<"multicast"> {
  let summary = "Copy from shared memory to the memory of several cores";
  let description = [{
    As task.fetch, to each `task.buffer` of the segment that has its number, on any core.
    The path is a tree, each link after the one that leads to its beginning. Who reads
    the bytes waits for a counter that it increments, and it waits for counters of those
    who used the memory before.

    ```mlir
    %m = task.multicast 3 from 0 at 0 rows [] by [] of 256 {awaits = array<i32: 1, 2>, launch = 0 : i32, signals = array<i32: 0>}
    ```
  }];
  let arguments = !con((ins Arg<I32Attr, "its number, which no other one of the segment has">:$number,
      Arg<I32Attr, "the plan's buffer">:$shared,
      Arg<I64Attr, "the first byte in it">:$offset,
      Arg<DenseI64ArrayAttr, "the number of rows along each dimension">:$counts,
      Arg<DenseI64ArrayAttr, "bytes from row to row in the plan's buffer">:$strides,
      Arg<I64Attr, "bytes of a row">:$rowBytes,
      Arg<OptionalAttr<DenseI32ArrayAttr>, "links of the network that the bytes pass">:$path,
      Arg<DefaultValuedAttr<I32Attr, "0">, "the channel of the copy engine">:$channel), taskArguments);
  let assemblyFormat = [{
    $number `from` $shared `at` $offset `rows` $counts `by` $strides `of` $rowBytes
    (`after` $after^)? attr-dict
  }];
}

def Task_ComputeOp : Task_TaskOp<"compute", [AttrSizedOperandSegments]> {
  let summary = "Computation of a piece of a kernel";
  let description = [{
    Runs a piece on the core. `body` is a function of the module that is one
    `repro.kernel` on tiles. Its operands and results are `buffers`, in order, except
    those of which `in_place` has the number of a buffer of the plan instead of -1.
    `faults` has for each fault word of the kernel an array: the slot, then begin, size
    and extent of each dimension of the tensor among whose elements it counts.
  }];
  let arguments = !con((ins Arg<FlatSymbolRefAttr, "the piece">:$piece,
      Arg<Variadic<Task_Buffer>, "operands and results in the core's memory">:$buffers,
      Arg<DefaultValuedAttr<DenseI32ArrayAttr, "{}">, "for each argument a buffer of the plan, or -1; empty: none">:$inPlace,
      Arg<OptionalAttr<ArrayAttr>, "where fault words count">:$faults,
      Arg<OptionalAttr<ArrayAttr>, "for each argument links of the network, none unless it is in place">:$paths), taskArguments);
  let assemblyFormat = "$piece `(` $buffers `)` (`after` $after^)? attr-dict";
}

#endif
