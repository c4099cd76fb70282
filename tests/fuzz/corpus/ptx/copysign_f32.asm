=f,f,f
copysign.f32 $0, $1, $2;