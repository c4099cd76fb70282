=f,f,f
div.rn.f32 $0, $1, $2;