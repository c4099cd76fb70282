=r,=r,r
{
.reg .b32 a<2>, b<2>;
prmt.b32 a0, 0, $2, 0x5746;
and.b32 b0, a0, 0x7f007f00;
and.b32 b1, a0, 0x00ff00ff;
and.b32 a1, a0, 0x00800080;
shr.b32  b0, b0, 1;
add.u32 b1, b1, a1;
lop3.b32 $0, b0, 0x80008000, a0, 0xf8;
shl.b32 $1, b1, 7;
}