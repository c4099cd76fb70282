=f,f
rcp.rn.f32 $0, $1;