=r,l
{ .reg .pred p; .reg .b64 a<2>; setp.ne.u64 p, $1, 0; add.s64 a1, $1, 4; @!p ld.global.v2.b32 {$0, _}, [a1+-8]; st.relaxed.gpu.b32 [$1], $0; }