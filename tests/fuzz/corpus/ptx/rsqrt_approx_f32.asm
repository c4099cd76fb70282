=f,f
rsqrt.approx.f32 $0, $1;