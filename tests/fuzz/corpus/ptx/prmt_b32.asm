=r,r,r,r
prmt.b32 $0, $1, $2, $3;