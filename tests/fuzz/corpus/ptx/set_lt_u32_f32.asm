=r,f,f
set.lt.u32.f32 $0, $1, $2;