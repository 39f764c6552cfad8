// See AlteredParty.h.

#include "AlteredParty.h"

namespace gensyn::cheats {

dispute::Answer AlteredParty::ask(const dispute::Question &question) {
  dispute::Answer answer = party.ask(question);
  if (alter)
    alter(question, answer);
  return answer;
}

} // namespace gensyn::cheats
