=r,r,r
and.b32 $0, $1, $2;