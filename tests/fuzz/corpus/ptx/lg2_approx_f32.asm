=f,f
lg2.approx.f32 $0, $1;