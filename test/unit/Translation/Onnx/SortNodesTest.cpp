// Sorts nodes that a file has in another order.

#include "CheckModel.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

namespace gensyn {
namespace {

class SortNodes : public testing::Test {
protected:
  SortNodes() { graph.add_input()->set_name("x"); }

  void add(const std::string &result, const std::vector<std::string> &read) {
    ::onnx::NodeProto &node = *graph.add_node();
    node.set_op_type("Sum");
    node.add_output(result);
    for (const std::string &name : read)
      node.add_input(name);
  }

  /// The results in order, or the error.
  std::string sorted() {
    ImportError error;
    if (mlir::failed(sortNodes(graph, error)))
      return error.message;
    std::string order;
    for (const ::onnx::NodeProto &node : graph.node())
      order += node.output(0);
    return order;
  }

  ::onnx::GraphProto graph;
};

TEST_F(SortNodes, aNodeWaitsForAllThatItReads) {
  add("d", {"a", "b", "c"});
  add("a", {"x"});
  add("b", {"a"});
  add("c", {"x"});
  EXPECT_EQ(sorted(), "abcd");
}

TEST_F(SortNodes, whatIsInOrderStays) {
  add("b", {"x"});
  add("a", {"x"});
  add("c", {"a", "b", "a"});
  EXPECT_EQ(sorted(), "bac");
}

TEST_F(SortNodes, aCircleHasNoOrder) {
  add("a", {"b"});
  add("b", {"a"});
  EXPECT_NE(sorted().find("the graph has a cycle"), std::string::npos)
      << sorted();
}

TEST_F(SortNodes, aNameIsWrittenOnce) {
  graph.add_initializer()->set_name("w");
  graph.add_initializer()->set_name("w");
  EXPECT_EQ(sorted(), "'w' is an initializer twice");
}

} // namespace
} // namespace gensyn
