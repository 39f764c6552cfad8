"""A function of so many ops that one kernel of all would take long to compile."""
import sys

count = int(sys.argv[1])
print("func.func @chain(%v0: tensor<2xf32>) -> tensor<2xf32> {")
for i in range(count):
    print(f"  %v{i + 1} = repro.neg %v{i} : tensor<2xf32>")
print(f"  return %v{count} : tensor<2xf32>\n}}")
