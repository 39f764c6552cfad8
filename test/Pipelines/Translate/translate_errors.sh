# translate_errors.sh FOLDER INPUTS: prints gensyn-translate's message and exit code for each kind
# of error.
mkdir -p "$1" && cd "$1" || exit 1
inputs=$2
run() {
  gensyn-translate "$@"
  echo "exit $?"
}
echo garbage > syntax.mlir
echo 'func.func @main() { func.call @absent() : () -> () return }' > verifier.mlir
echo 'module {}' > none.mlir
model=$inputs/bad/ok.onnx
cp "$model" model.onnx
echo '{}' > recipe.json
program="--onnx-to-ptx model.onnx --batch-size=2"

echo usage
run --onnx-to-mlir --onnx-to-ptx none.mlir
run none.mlir
run --onnx-to-mlir none.mlir --bogus
run --onnx-to-ptx --sm=abc model.onnx
run --onnx-to-ptx --kind=foo model.onnx
run --onnx-to-ptx --accuracy=foo model.onnx

echo texts
for to in onnx ptx; do
  run --mlir-to-$to syntax.mlir
  run --mlir-to-$to verifier.mlir
done
run --mlir-to-ptx none.mlir

echo files
run --mlir-to-ptx absent.mlir
run --onnx-to-mlir model.onnx -o absent/out
(gensyn-translate --onnx-to-mlir model.onnx > /dev/full; echo "exit $?")
(gensyn-opt none.mlir > /dev/full; echo "exit $?")

echo outputs
run $program --plan=same --header=same -o out
run $program --plan=./same -o same
run $program --header=out.h -o out.h.constants
run $program --plan=plan.json --header=model.onnx -o out
run $program --kind=train --recipe=recipe.json --plan=plan.json --header=recipe.json -o out
run $program --plan=plan.json --header=absent/out.h -o out
(gensyn-translate $program --plan=plan.json > /dev/full; echo "exit $?")
ls
run $program --plan=plan.json --header=out.h -o out
run $program --plan=/dev/null -o /dev/null
ls
