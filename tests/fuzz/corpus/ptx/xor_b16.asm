=h,h,h
xor.b16 $0, $1, $2;