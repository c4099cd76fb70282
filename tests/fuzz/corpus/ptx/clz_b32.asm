=r,r
clz.b32 $0, $1;