=r,r
neg.s32 $0, $1;