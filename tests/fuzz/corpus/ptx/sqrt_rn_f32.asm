=f,f
sqrt.rn.f32 $0, $1;