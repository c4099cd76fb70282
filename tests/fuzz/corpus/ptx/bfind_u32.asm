=r,r
bfind.u32 $0, $1;