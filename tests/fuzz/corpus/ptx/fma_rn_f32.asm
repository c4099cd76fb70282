=f,f,f,f
fma.rn.f32 $0, $1, $2, $3;