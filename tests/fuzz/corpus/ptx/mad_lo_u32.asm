=r,r,r,r
mad.lo.u32 $0, $1, $2, $3;