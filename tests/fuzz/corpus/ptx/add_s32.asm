=r,r,r
add.s32 $0, $1, $2;