//===- Reference.td - fields of the op reference ----------------*- tablegen -*-===//
//
// docs/reference/ writes a page per dialect from ODS and from these fields, and
// checks them against the verifiers and the tests.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REFERENCE_TD
#define GENSYN_DIALECT_REFERENCE_TD

// One constraint of an op or an attribute.
//   rule       label of docs/Numerics.md, or "" where no rule is behind it
//   statement  what holds, as a sentence
//   message    the verifier's message, with ... in place of each value
//   tests      functions of test/Dialect/<Dialect> that expect the message
class Verified<string ruleLabel, string sentence, string text, list<string> functions> {
  string rule = ruleLabel;
  string statement = sentence;
  string message = text;
  list<string> tests = functions;
}

#endif
