=r,r,r
{ .reg .b16 h<4>; .reg .b32 left, right, signs; mov.b32 {h0, h1}, $1; mov.b32 {h2, h3}, $2;
  and.b16 h0, h0, 0x7fff; min.u16 h0, h0, 0x3f00; shl.b16 h0, h0, 1; add.u16 h0, h0, 0x80; shr.u16 h0, h0, 8;
  and.b16 h1, h1, 0x7fff; min.u16 h1, h1, 0x3f00; shl.b16 h1, h1, 1; add.u16 h1, h1, 0x80; shr.u16 h1, h1, 8;
  and.b16 h2, h2, 0x7fff; min.u16 h2, h2, 0x3f00; shl.b16 h2, h2, 1; add.u16 h2, h2, 0x80; shr.u16 h2, h2, 8;
  and.b16 h3, h3, 0x7fff; min.u16 h3, h3, 0x3f00; shl.b16 h3, h3, 1; add.u16 h3, h3, 0x80; shr.u16 h3, h3, 8;
  mov.b32 left, {h0, h1}; mov.b32 right, {h2, h3}; prmt.b32 left, left, right, 0x6420;
  prmt.b32 signs, $1, $2, 0x7531; and.b32 signs, signs, 0x80808080; or.b32 $0, left, signs; }