#!/bin/sh
# Machine code as test/lib/FakeDriver takes it: ptxas -arch=sm_90 -o FILE FILE.
printf '\177ELF simulated %s\n' "${1#-arch=}" > "$3"
cat "$4" >> "$3"
