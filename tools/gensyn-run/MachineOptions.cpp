// The options of the commands for machines of many cores.

#include "CommandLine.h"
#include "NumberChecks.h"

namespace gensyn::run {

void CommandLine::addBodies(CLI::App *sub) {
  sub->add_flag("--bodies", options.bodies,
                "machine:NAME: also compile the code that computes values, "
                "for --values and --backend machine:NAME");
}

CLI::Option *CommandLine::addWeights(CLI::App *sub) {
  return sub
      ->add_option("--weights", options.weights,
                   "machine:NAME: where weights lie during runs: streamed, in "
                   "shared memory (default); resident, in the memories of the "
                   "cores that read them, or an error; automatic, there as far "
                   "as they have room")
      ->check(CLI::IsMember({"streamed", "resident", "automatic"}));
}

void CommandLine::addReport(CLI::App *app) {
  app->add_option("--report", options.report,
                  "Write a page about the mapping and a simulated run, which "
                  "needs nothing else (FILE.html), or the same as JSON "
                  "(FILE.json)");
}

void CommandLine::addMap() {
  CLI::App *map =
      add(Command::Map, "map",
          "Map a program of a model to a machine of many cores, and write it "
          "to a file");
  addModel(map);
  map->add_option("--machine", options.machine,
                  "The machine: a name that gensyn-run machine lists, or a "
                  "JSON file")
      ->required();
  map->add_option("--recipe", options.recipe, "The recipe (JSON)");
  addKinds(map, "infer, grad, train or eval; default: infer, and with --recipe "
                "train, or grad if that has no optimizer")
      ->expected(1);
  map->add_option("--batch-size", options.batchSizes,
                  "Size of a symbolic first dimension; default: the recipe's")
      ->check(CLI::Validator(checkCount, "POSITIVE"))
      ->expected(1);
  CLI::Option *output =
      map->add_option("-o,--output", options.package, "The file to write");
  map->add_option("--sweep", options.sweep,
                  "Map to the machine at several values of numbers of its "
                  "file, and estimate time and energy of each: "
                  "PATH=FIRST:LAST[:COUNT],...")
      ->excludes(output);
  CLI::Option *elf = map->add_option(
      "--elf", options.elf,
      "Also link an ELF executable for each core that has tasks, and write "
      "them to this empty folder");
  elf->needs(output);
  map->add_option("--elf-object", options.elfObjects,
                  "--elf: an object with functions of the machine, in place of "
                  "those for an emulator; may be given several times")
      ->needs(elf);
  CLI::Option *block = map->add_option(
      "--block", options.block,
      "Also write the command stream of each core that has tasks "
      "and is an accelerator block to this empty folder");
  block->needs(output);
  addBodies(map);
  addWeights(map)->excludes(block);
  addReport(map);
  addAccuracy(map);
  addCrashReproducer(map);
  map->add_option("--threads", options.threads,
                  "Threads to compile on; default: one a processor")
      ->check(CLI::Range(1, 4096));
  addCompiling(map);
  addOutput(map);
}

void CommandLine::addSimulate() {
  CLI::App *simulate =
      add(Command::Simulate, "simulate",
          "Simulate a run of a mapped program, and report where time and "
          "energy go");
  addModel(simulate);
  simulate->add_option("--machine", options.machine,
                       "A model's machine, as for map; a mapped program has "
                       "its own");
  simulate->add_option("--recipe", options.recipe, "A model's recipe (JSON)");
  addKinds(simulate, "infer, grad, train or eval; default: the program in the "
                     "file, or as for map")
      ->expected(1);
  simulate
      ->add_option("--batch-size", options.batchSizes,
                   "Size of a symbolic first dimension; default: the recipe's")
      ->check(CLI::Validator(checkCount, "POSITIVE"))
      ->expected(1);
  CLI::Option *values = simulate->add_flag(
      "--values", options.values,
      "infer and grad: compute values as well, in memories of the size of the "
      "machine's");
  CLI::Option *inputs =
      simulate
          ->add_option("--inputs", options.inputs,
                       "--values: safetensors file with a tensor per graph "
                       "input (grad: and the target)")
          ->needs(values);
  CLI::Option *outputs = simulate
                             ->add_option("--outputs", options.outputs,
                                          "--values: safetensors file to write")
                             ->needs(values);
  values->needs(inputs)->needs(outputs);
  CLI::Option *record =
      simulate
          ->add_option("--record", options.record,
                       "--values: write what each core's copies bring and "
                       "take to this empty folder, for its program")
          ->needs(values);
  simulate
      ->add_option("--record-cores", options.recordedCores,
                   "The cores to record, with commas between them; default: "
                   "all")
      ->delimiter(',')
      ->needs(record);
  CLI::Option *trace =
      simulate->add_option("--trace", options.trace,
                           "Write the tasks of all cores as a timeline for "
                           "ui.perfetto.dev (JSON)");
  simulate
      ->add_option("--trace-tasks", options.traceEvents,
                   "Tasks in the timeline, at most; default: 500000")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 30))
      ->needs(trace);
  addReport(simulate);
  addAccuracy(simulate);
  addCrashReproducer(simulate);
  addWeights(simulate);
  addCompiling(simulate);
  addOutput(simulate);
}

void CommandLine::addMachine() {
  CLI::App *machine =
      add(Command::Machine, "machine",
          "List the machines that programs can be mapped to, or describe one");
  machine->add_option("name", options.machine,
                      "A name, or a JSON file; default: list all");
  machine->add_flag("--numbers", options.numbers,
                    "List the numbers of the file, with the paths that map "
                    "--sweep takes");
  addOutput(machine);
}

} // namespace gensyn::run
