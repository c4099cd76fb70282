=h,h,h
sub.u16 $0, $1, $2;