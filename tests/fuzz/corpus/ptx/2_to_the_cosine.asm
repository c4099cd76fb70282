=r, r
{
  .reg .f32 c;  // a comment, 'quoted'
  cos.approx.f32 c, $1;
  ex2.approx.f32 $0, c;
}