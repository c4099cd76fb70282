=r,r,r
min.s32 $0, $1, $2;