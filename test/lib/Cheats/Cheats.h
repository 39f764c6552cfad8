// The cheats that must lose a dispute.
#ifndef GENSYN_TEST_LIB_CHEATS_CHEATS_H
#define GENSYN_TEST_LIB_CHEATS_CHEATS_H

#include "AlteredParty.h"

#include <random>
#include <string>
#include <vector>

namespace gensyn::cheats {

/// A step of an honest run that is lied about.
struct Setting {
  proof::RunSource &honest;
  int64_t step;
  plan::EntriesResponse program;
  std::vector<runtime::WitnessedTensor> values;
  runtime::WitnessedState before, after;
  proof::StepSource::Record record;

  Setting(proof::RunSource &honest, int64_t step);
  uint64_t arguments() const { return program.entries(0).first_value(); }
  /// The entry of an op whose encoding names it so; nothing if there is none.
  std::optional<uint64_t> findOp(const std::string &name) const;
  /// A lie about one bit of an element of a value, and about the state that
  /// follows.
  Lie flip(uint64_t value, uint64_t element, int bit) const;
  /// One about some op.
  Lie flipSomething() const;
  /// A program in that of the step: a path to it, with what it has.
  struct Inner {
    std::vector<dispute::Iteration> path;
    std::shared_ptr<proof::ProgramSource> program;
    uint64_t iterations = 0;
  };
  /// The program of an iteration in the middle of an op that has some; nothing
  /// if there is none. `random`, if it is not null, chooses op and iteration,
  /// and whether to go on into an op of it.
  std::optional<Inner> findInner(std::mt19937_64 *random) const;
  /// One about an op that reads a value twice; nothing if there is none.
  std::optional<Lie> flipSquare() const;
};

/// The name of an entry's op: "repro.add".
std::string nameOf(const plan::EntriesResponse::Entry &entry);

struct Cheat {
  std::string name;
  /// Nothing where the program has nothing to lie about.
  std::function<std::optional<Lie>(const Setting &)> lie;
  AlteredParty::Alter alter;
  /// What the verdict says of who cheats as the second party. The first one is
  /// asked for evidence, so that it may lose by that before: then this is what
  /// it says, if it is not the same.
  std::string found, foundFirst = "";
};

/// About what was computed.
void addLies(std::vector<Cheat> &cheats);
/// About ops that run programs of their own.
void addNestedLies(std::vector<Cheat> &cheats);
/// About what was asked.
void addAnswers(std::vector<Cheat> &cheats);

/// Answers as the cheat of this name about a step, at a free port that is
/// printed, until the process is killed. Throws a Failure.
int serve(proof::RunSource &honest, int64_t step, const std::string &name);

} // namespace gensyn::cheats

#endif
