=l,l,l
max.u64 $0, $1, $2;