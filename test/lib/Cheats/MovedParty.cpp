// See MovedParty.h.

#include "MovedParty.h"

namespace gensyn::cheats {

google::protobuf::RepeatedPtrField<dispute::Iteration> *
pathOf(dispute::Question &question) {
  switch (question.kind_case()) {
  case dispute::Question::kNodes:
    return question.mutable_nodes()->mutable_path();
  case dispute::Question::kEntries:
    return question.mutable_entries()->mutable_path();
  case dispute::Question::kTensor:
    return question.mutable_tensor()->mutable_path();
  case dispute::Question::kParts:
    return question.mutable_parts()->mutable_path();
  case dispute::Question::kChunk:
    return question.mutable_chunk()->mutable_path();
  case dispute::Question::kEvidence:
    return question.mutable_evidence()->mutable_path();
  case dispute::Question::kProgram:
    return question.mutable_program()->mutable_path();
  case dispute::Question::kIterations:
    return question.mutable_iterations()->mutable_path();
  default:
    return nullptr;
  }
}

dispute::Answer MovedParty::ask(const dispute::Question &question) {
  dispute::Question moved = question;
  if (move)
    move(moved);
  return liar.ask(moved);
}

} // namespace gensyn::cheats
