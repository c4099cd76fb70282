=r,r
not.b32 $0, $1;