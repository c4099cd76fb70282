=r,r,r
shl.b32 $0, $1, $2;