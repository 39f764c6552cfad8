// Cheats about what was asked: answers that do not go together.

#include "Cheats.h"

#include "gensyn/Executable/Support/Error.h"

namespace gensyn::cheats {

using dispute::Answer;
using dispute::Question;

/// Beside a lie about one element, without which nobody would ask.
static void add(std::vector<Cheat> &cheats, std::string name, std::string found,
                AlteredParty::Alter alter, std::string foundFirst = "") {
  cheats.push_back({std::move(name),
                    [](const Setting &setting) -> std::optional<Lie> {
                      return setting.flipSomething();
                    },
                    std::move(alter), std::move(found), std::move(foundFirst)});
}

static void flip(std::string &bytes, size_t at = 0) {
  if (at < bytes.size())
    bytes[at] = char(bytes[at] ^ 1);
}

/// An op of the program that computes something else.
static void replaceOp(std::string &module) {
  for (const auto &[from, to] :
       {std::pair("repro.add", "repro.sub"),
        std::pair("repro.mul", "repro.add"),
        std::pair("repro.sub", "repro.add"),
        std::pair("repro.div", "repro.mul"), std::pair("f32", "f64")})
    if (size_t at = module.find(from); at != std::string::npos) {
      while ((at = module.find(from)) != std::string::npos)
        module.replace(at, std::string(from).size(), to);
      return;
    }
}

static void addTrees(std::vector<Cheat> &cheats) {
  add(cheats, "forged-path", "by another tree", [](auto &, Answer &answer) {
    if (answer.has_entries())
      flip(*answer.mutable_entries()->mutable_siblings());
  });
  add(cheats, "shorter-path", "by another tree", [](auto &, Answer &answer) {
    if (answer.has_entries() && answer.entries().siblings().size() >= 32)
      answer.mutable_entries()->mutable_siblings()->resize(
          answer.entries().siblings().size() - 32);
  });
  add(cheats, "longer-path", "by another tree", [](auto &, Answer &answer) {
    if (answer.has_entries())
      answer.mutable_entries()->mutable_siblings()->append(32, 'x');
  });
  add(cheats, "entry-of-another-index", "by another tree",
      [](auto &, Answer &answer) {
        if (answer.has_entries())
          answer.mutable_entries()->set_entries(0, answer.entries().entries(0) +
                                                       "x");
      });
  add(cheats, "tree-of-another-size", "by another tree",
      [](auto &, Answer &answer) {
        if (answer.has_entries())
          answer.mutable_entries()->set_size(answer.entries().size() + 1);
      });
  // Its digest is the one of the nodes' level, if leaves had no mark.
  add(cheats, "node-read-as-a-leaf", "by another tree",
      [](auto &, Answer &answer) {
        if (answer.has_entries() && answer.entries().siblings().size() >= 32) {
          dispute::EntriesAnswer &entries = *answer.mutable_entries();
          entries.set_entries(0, entries.entries(0) +
                                     entries.siblings().substr(0, 32));
          entries.set_siblings(entries.siblings().substr(32));
          entries.set_size((entries.size() + 1) / 2);
        }
      });
  add(cheats, "parts-of-another-tree", "a part of a tree that is not",
      [](auto &, Answer &answer) {
        if (answer.has_nodes())
          flip(*answer.mutable_nodes()->mutable_digests(), 3);
      });
  add(cheats, "fewer-parts", "a part of a tree that is not",
      [](auto &, Answer &answer) {
        if (answer.has_nodes())
          answer.mutable_nodes()->mutable_digests()->resize(
              answer.nodes().digests().size() - 32);
      });
  add(cheats, "digests-that-are-none", "with digests that are none",
      [](auto &, Answer &answer) {
        if (answer.has_nodes())
          answer.mutable_nodes()->mutable_digests()->pop_back();
      });
  add(cheats, "parts-of-another-value", "parts of a value that are not",
      [](auto &, Answer &answer) {
        if (!answer.has_parts())
          return;
        flip(*answer.mutable_parts()->mutable_digests());
        flip(*answer.mutable_parts()->mutable_last_chunk());
      });
  add(cheats, "value-of-another-type", "describes another value",
      [](auto &, Answer &answer) {
        if (answer.has_tensor())
          answer.mutable_tensor()->set_element_type("i32");
      });
  add(cheats, "value-of-absurd-shape", "has a value that is no tensor",
      [](auto &, Answer &answer) {
        if (answer.has_tensor())
          answer.mutable_tensor()->mutable_shape()->Add(int64_t(1) << 62);
      });
}

static void addEvidence(std::vector<Cheat> &cheats) {
  auto alter = [&](const char *name, const char *found,
                   std::function<void(dispute::EvidenceAnswer &)> change) {
    add(
        cheats, name, "claims",
        [change](auto &, Answer &answer) {
          if (answer.has_evidence())
            change(*answer.mutable_evidence());
        },
        found);
  };
  alter("another-op", "gives an op",
        [](auto &evidence) { replaceOp(*evidence.mutable_module()); });
  alter("op-that-is-no-text", "gives an op that cannot be read",
        [](auto &evidence) { evidence.set_module("module { func.func @"); });
  alter("op-of-another-place", "gives an op that is not in the program",
        [](auto &evidence) { evidence.set_entry(evidence.entry() + 1); });
  alter("op-that-reads-other-values", "gives an op that is not in the program",
        [](auto &evidence) {
          auto &operand = *evidence.mutable_operands(0);
          operand.set_value(operand.value() + 1);
        });
  alter("op-behind-its-result", "names an op that does not compute",
        [](auto &evidence) { evidence.set_first_value(uint64_t(1) << 40); });
  alter("two-tensors-for-one-value", "gives two tensors for one value",
        [](auto &evidence) {
          for (int i = 0; i < evidence.operands_size(); ++i)
            for (int j = 0; j < i; ++j)
              if (evidence.operands(i).constant().empty() &&
                  evidence.operands(j).constant().empty() &&
                  evidence.operands(i).value() == evidence.operands(j).value())
                flip(*evidence.mutable_tiles(j)->mutable_elements());
        });
  // It is about an op that reads a value twice.
  cheats.back().lie = [](const Setting &setting) {
    return setting.flipSquare();
  };
  alter(
      "altered-operand", "parts of an operand that do not have",
      [](auto &evidence) { flip(*evidence.mutable_tiles(0)->mutable_data()); });
  alter("operand-of-another-digest", "operands that are not the values",
        [](auto &evidence) {
          flip(*evidence.mutable_tiles(0)->mutable_elements());
        });
  alter("another-part-of-the-operand", "other parts of an operand",
        [](auto &evidence) {
          if (evidence.tiles(0).chunks().empty())
            return;
          auto &range = *evidence.mutable_tiles(0)->mutable_chunks(0);
          range.set_begin(range.begin() + 1);
          range.set_end(range.end() + 1);
        });
  alter("part-of-absurd-length", "other parts of an operand",
        [](auto &evidence) {
          if (!evidence.tiles(0).chunks().empty())
            evidence.mutable_tiles(0)->mutable_chunks(0)->set_end(UINT64_MAX);
        });
  alter("right-tile-for-a-wrong-operand", "gives ", [](auto &evidence) {
    // The proof is one of the op's other operand, or of none.
    auto &tiles = *evidence.mutable_tiles();
    if (tiles.size() > 1 && tiles[0].elements() != tiles[1].elements())
      tiles.SwapElements(0, 1);
    else
      flip(*evidence.mutable_value_siblings());
  });
  alter("forged-operand", "operands that are not the values",
        [](auto &evidence) {
          if (evidence.value_siblings().empty())
            evidence.mutable_value_siblings()->append(32, 'x');
          else
            flip(*evidence.mutable_value_siblings());
        });
  alter("no-operands", "another number of operands",
        [](auto &evidence) { evidence.clear_tiles(); });
}

static void addConduct(std::vector<Cheat> &cheats) {
  add(cheats, "two-answers-to-one-question", "tells another step",
      [asked = 0](const Question &question, Answer &answer) mutable {
        if (question.has_step() && ++asked > 0)
          answer.mutable_step()->set_loss(answer.step().loss() + 1);
      });
  add(cheats, "another-question", "answers another question",
      [](const Question &question, Answer &answer) {
        if (question.has_tensor())
          answer.mutable_chunk();
      });
  add(cheats, "empty-answer", "answers another question",
      [](const Question &question, Answer &answer) {
        if (question.has_nodes())
          answer.Clear();
      });
  add(cheats, "stalling", "does not answer",
      [](const Question &question, Answer &) {
        if (question.has_step())
          throw Failure(ExitCode::OutOfResources, "no answer in 60 s");
      });
  add(cheats, "endless-answer", "bytes in all",
      [](const Question &question, Answer &answer) {
        if (question.has_step())
          answer.mutable_step()->mutable_program_digest()->resize(size_t(9)
                                                                  << 20);
      });
  add(cheats, "points-out-of-order", "whose steps do not ascend",
      [](const Question &, Answer &answer) {
        if (answer.has_run())
          answer.mutable_run()->mutable_points()->SwapElements(0, 1);
      });
  add(cheats, "facts-of-another-run", "does not commit to its facts",
      [](const Question &, Answer &answer) {
        if (answer.has_run())
          answer.mutable_run()->mutable_facts()->append(" ");
      });
  add(cheats, "a-point-changed-after-the-challenge", "and committed to",
      [](const Question &, Answer &answer) {
        if (answer.has_run())
          flip(*answer.mutable_run()
                    ->mutable_points(answer.run().points_size() - 1)
                    ->mutable_state());
      });
  add(cheats, "claims-of-fewer-steps", "claims something of",
      [](const Question &, Answer &answer) {
        if (answer.has_steps())
          answer.mutable_steps()->mutable_claims()->RemoveLast();
      });
}

void addAnswers(std::vector<Cheat> &cheats) {
  addTrees(cheats);
  addEvidence(cheats);
  addConduct(cheats);
}

} // namespace gensyn::cheats
