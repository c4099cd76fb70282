=r,r
cvt.s32.s8 $0, $1;