// Lists of launches that follow each other without a decision in between.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_SEGMENTS_H
#define GENSYN_LIB_CODEGEN_MAPPING_SEGMENTS_H

#include "gensyn/Executable/plan.pb.h"

#include <vector>

namespace gensyn::mapping {

/// Each launch of a plan once, those that prepare first.
std::vector<std::vector<unsigned>> listSegments(const plan::Plan &plan);

} // namespace gensyn::mapping

#endif
