=r,r
mov.b32 $0, $1;