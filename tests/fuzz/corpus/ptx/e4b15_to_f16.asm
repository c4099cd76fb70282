=r,=r,r
{
  .reg .b32 low, high, rest;
  prmt.b32 low, $2, 0, 0x1404;   prmt.b32 high, $2, 0, 0x3424;
  and.b32 rest, low, 0x7f007f00;   shr.u32 rest, rest, 1;   and.b32 low, low, 0x80008000;   or.b32 $0, low, rest;
  and.b32 rest, high, 0x7f007f00;  shr.u32 rest, rest, 1;   and.b32 high, high, 0x80008000; or.b32 $1, high, rest;
}