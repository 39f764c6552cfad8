"""A function of so many ops, or a sum of so many values, that one kernel of all would take long to compile or have
more pointers than a GPU's kernel has: form_long_chain.py COUNT [sum]"""
import sys

count, is_sum = int(sys.argv[1]), len(sys.argv) > 2
arguments = ", ".join(f"%a{i}: tensor<2xf32>" for i in range(count if is_sum else 0))
print(f"func.func @chain(%v0: tensor<2xf32>{', ' if is_sum else ''}{arguments}) -> tensor<2xf32> {{")
for i in range(count):
    print(f"  %v{i + 1} = " + (f"repro.add %v{i}, %a{i}" if is_sum else f"repro.neg %v{i}") + " : tensor<2xf32>")
print(f"  return %v{count} : tensor<2xf32>\n}}")
