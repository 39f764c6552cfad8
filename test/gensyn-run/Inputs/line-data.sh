# Six samples of the line t = 2 x, as a safetensors file on stdout.
header='{"target":{"dtype":"F32","shape":[6],"data_offsets":[0,24]},"x":{"dtype":"F32","shape":[6],"data_offsets":[24,48]}}'
printf "\\x$(printf %x ${#header})\\0\\0\\0\\0\\0\\0\\0%s" "$header"
# 0 2 4 1 -2 3 and half of each, as little-endian binary32.
printf '\0\0\0\0\0\0\0\x40\0\0\x80\x40\0\0\x80\x3f\0\0\0\xc0\0\0\x40\x40'
printf '\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\0\x3f\0\0\x80\xbf\0\0\xc0\x3f'
