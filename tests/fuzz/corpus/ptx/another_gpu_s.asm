=r,r
v_sin_f32 $0, $1