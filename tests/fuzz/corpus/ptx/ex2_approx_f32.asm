=f,f
ex2.approx.f32 $0, $1;