// How much memory an answer may take when it is read.
#ifndef GENSYN_LIB_PROOF_DISPUTE_ANSWERFIELDS_H
#define GENSYN_LIB_PROOF_DISPUTE_ANSWERFIELDS_H

#include <string_view>

namespace gensyn::proof {

/// Whether a serialized Answer, or a Case, has so few fields for its bytes that
/// the message takes at most some ten times these in memory: an empty entry is
/// two bytes, and forty or more when it is read. All that a party has reason to
/// answer has. What is no message is left to the parser.
bool hasFewFields(std::string_view answer);
bool hasFewFieldsInCase(std::string_view file);

} // namespace gensyn::proof

#endif
