=r,r,r
bmsk.clamp.b32 $0, $1, $2;