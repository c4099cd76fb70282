=f,f
sin.approx.f32 $0, $1;