# fails.sh CODE COMMAND...: the command ends with this exit code, within ten seconds.
wanted=$1
shift
timeout 10 "$@"
code=$?
if [ "$code" != "$wanted" ]; then
  echo "exit code $code instead of $wanted"
  exit 1
fi
