=f,f
tanh.approx.f32 $0, $1;