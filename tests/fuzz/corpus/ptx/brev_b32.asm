=r,r
brev.b32 $0, $1;