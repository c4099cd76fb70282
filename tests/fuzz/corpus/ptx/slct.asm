=r,r,r,r
slct.b32.s32 $0, $1, $2, $3;