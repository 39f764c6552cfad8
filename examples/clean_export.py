"""What the examples do to a model that PyTorch has exported."""

import onnx


def clean(path):
    """Drops what differs from machine to machine from an exported file, and checks it."""
    written = onnx.load(path)
    for thing in [written.graph, *written.graph.node, *written.graph.value_info,
                  *written.graph.input, *written.graph.output]:
        thing.ClearField("doc_string")
        thing.ClearField("metadata_props")  # the exporter's stack traces, with its paths
    onnx.checker.check_model(written, full_check=True)
    onnx.save(written, path)
