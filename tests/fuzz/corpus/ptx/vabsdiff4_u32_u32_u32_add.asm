=r,r,r,r
vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;