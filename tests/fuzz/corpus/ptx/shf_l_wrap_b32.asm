=r,r,r,r
shf.l.wrap.b32 $0, $1, $2, $3;