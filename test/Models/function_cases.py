"""Name and module of each function that the tables have."""

import elementwise_cases
import network_cases
import tensor_cases
from expressions import Expression

FUNCTIONS = (elementwise_cases.ELEMENTWISE, elementwise_cases.ACTIVATIONS, tensor_cases.REDUCTIONS, tensor_cases.MOVEMENT,
             tensor_cases.PRODUCTS, network_cases.WINDOWS, network_cases.LOSSES)


def cases():
    """The name, and what makes the module, which has the names of its inputs."""
    for table in FUNCTIONS:
        for line in table.strip().splitlines():
            yield line, lambda line=line: Expression(line)
    for line in network_cases.MODULES.strip().splitlines():
        constructor, _, arguments = line.partition(" <- ")
        yield line, lambda constructor=constructor, arguments=arguments: Expression(arguments, constructor).eval()
