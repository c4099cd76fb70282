=l,l,l
mul.lo.s64 $0, $1, $2;