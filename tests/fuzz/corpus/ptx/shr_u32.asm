=r,r,r
shr.u32 $0, $1, $2;