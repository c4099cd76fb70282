=r,l
popc.b64 $0, $1;