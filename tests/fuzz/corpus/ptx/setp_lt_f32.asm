=r,f,f
{ .reg .pred p; setp.lt.f32 p, $1, $2; selp.b32 $0, 1, 0, p; }