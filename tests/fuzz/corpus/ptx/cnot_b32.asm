=r,r
cnot.b32 $0, $1;