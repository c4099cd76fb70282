=r,r,r
szext.wrap.s32 $0, $1, $2;