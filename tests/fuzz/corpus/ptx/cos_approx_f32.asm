=f,f
cos.approx.f32 $0, $1;