=r, r

{
 // double quotes to pacify the linter
 cos.approx.f32 $0, $1;
 ex2.approx.f32 $0, $0;
}
