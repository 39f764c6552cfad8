// Plot of a training run.
#ifndef GENSYN_RUNTIME_TRAINING_LEARNINGCURVE_H
#define GENSYN_RUNTIME_TRAINING_LEARNINGCURVE_H

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

/// Returns a self-contained SVG document with losses above and accuracy, if
/// any, below, over the steps. Values that are not finite are omitted.
std::string drawCurve(const LearningCurve &curve);

} // namespace gensyn::runtime

#endif
