=r,r
{ .reg .b32 t; lop3.b32 t, $1, 0x000f000f, 0x64006400, 0xea; .reg .b32 m; mov.b32 m, 0x64086408; sub.f16x2 $0, t, m; }