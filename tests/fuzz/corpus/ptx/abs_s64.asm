=l,l
abs.s64 $0, $1;