=r,r,r
{
.reg .pred p<4>; .reg .b32 a<2>, b<2>; .reg .b16 c<4>; .reg .b16 max_val_f16; .reg .b32 max_val_f16x2;
mov.b16 max_val_f16,   0x3F00; mov.b32 max_val_f16x2, 0x3F003F00;
and.b32 a0, $1, 0x7fff7fff; and.b32 a1, $2, 0x7fff7fff;
setp.lt.f16x2  p0|p1, a0, max_val_f16x2; setp.lt.f16x2  p2|p3, a1, max_val_f16x2;
mov.b32 {c0, c1}, a0; mov.b32 {c2, c3}, a1;
selp.b16  c0, c0, max_val_f16, p0; selp.b16  c1, c1, max_val_f16, p1;
selp.b16  c2, c2, max_val_f16, p2; selp.b16  c3, c3, max_val_f16, p3;
mov.b32 a0, {c0, c1}; mov.b32 a1, {c2, c3};
mad.lo.u32 a0, a0, 2, 0x00800080; mad.lo.u32 a1, a1, 2, 0x00800080;
lop3.b32 b0, $1, 0x80008000, a0, 0xea; lop3.b32 b1, $2, 0x80008000, a1, 0xea;
prmt.b32 $0, b0, b1, 0x7531;
}