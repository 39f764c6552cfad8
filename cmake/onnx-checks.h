// Included first in every file of the ONNX library (cmake/dependencies.sh).
//
// ONNX's inference functions index dimensions, attributes and vectors of nodes
// that nobody checked. Protobuf's debug checks make an index that is out of
// range a google::protobuf::FatalException, which is answered as any error of
// inference; the containers' checks stop the process instead of corrupting it.

#define _GLIBCXX_ASSERTIONS 1

#undef NDEBUG
#include <google/protobuf/stubs/logging.h>
#define NDEBUG 1
