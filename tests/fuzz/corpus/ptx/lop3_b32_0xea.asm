=r,r,r,r
lop3.b32 $0, $1, $2, $3, 0xea;