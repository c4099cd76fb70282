=r,r
griddepcontrol.wait; mov.b32 $0, $1;