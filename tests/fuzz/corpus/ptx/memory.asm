=r,r
ld.global.u32 $0, [$1];