// A picture of a training run.
#ifndef GENSYN_RUNTIME_LEARNINGCURVE_H
#define GENSYN_RUNTIME_LEARNINGCURVE_H

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::runtime {

struct CurvePoint {
  double step;
  double value;
};

struct LearningCurve {
  std::string title;
  std::vector<CurvePoint> loss;
  std::vector<CurvePoint> evalLoss;
  /// Between 0 and 1; may be empty.
  std::vector<CurvePoint> accuracy;
};

/// A self-contained SVG document: the losses above, the accuracy, where there
/// is one, below, over the steps. Values that are not finite are left out.
std::string drawCurve(const LearningCurve &curve);

} // namespace gensyn::runtime

#endif
