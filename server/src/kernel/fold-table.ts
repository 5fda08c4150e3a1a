/**
 * What search folds, and which characters are in words. Made by `npm run generate` of the collation for searching at base
 * strength; `server/generate/fold-table.ts` says how and `fold.ts` reads it. Words are stored as it folds them: with
 * another table, `wordsVersion` of `search.ts` is raised.
 */
export const foldTable = {
  /** The versions of the data. */
  unicode: '17.0',
  cldr: '48.0',
  /** A line for each text that characters fold into: its code points, then these characters. */
  folded: `
2p:1t 2x m.5 r.5 r.5 5k.1 g.3 p.1 5.3 z.1 8s 53d n 40 v e.1 4f.n d5 ti q pu2.1 11.1 h9c w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
2q:1u 5po p 4h q.5 md p7 q 174h w 14lx 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q 59i w w
2r:1v 3o w v.7 gr 56c 1n 1d.1 l5 17 1s g mz q pwg h81 w 14lx 1ey q q q q q q q q q 1g 1g q q q q q q q q q q q q 59b 7 w w
2s:1w 3w w u.3 go 53b o 2e 1m.1 1d.9 mq.1 14 g mz q pt2.1 hbe w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w 1e
2t:1x 3n.3 t.3 13.9 6h.3 x.1 8r 53h o 5n.9 4b.f cq 4e.1 n oj q 174h w 14lx 1ey q q q q q 26 q q q q q q q q q q q q q q q q q 59i w w
2u:1y 5sq 23 1f.1 lu p6 q pt2.1 3b h83 w 14lx 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q 59i w w
2v:1z 5x.7 5f.1 d.1 4wn h3 q 18 2p 1y.1 kp qa q pt3 z.1 hae w 14lx 1ey q q q q q q 1g q q q q q q q q q q q q q q q q q 59i w w
2w:20 64.3 6v.1 41 56 53e 6m.9 2z e7 3a.4 q6 q pwh h80 w 1n1 12yw 1ey q q 1g q 1g q q 1g 1g q q q q q q q q q q q q 59i w w
2x:21 3n.3 t.3 1l.8 4f.1 1k.3 9m 53k 19 5m.3 49.3 bq 4f.1 14 f o g ni q 174h w 14lx 1ey q q q q q 1g q q 1g q q q q q q q q q q q q q q 59i w w
2y:22 6i.1 57 5e 58k sz om q 1ib 15m6 w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
2z:23 6j.1 4x.1 5e6 o 3x 2c.5 gx tm q pu0.1 hag w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
30:24 6l.9 bj 57b 4l 2h.7 gq 3f.1 2h g n9 q 174h w 14lx 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q 59i w w
31:25 m6 53i n 6m.5 gl 4b 1o g n7 q 174h w 14lx 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q 59i w w
32:26 3n w 2a.5 4w.1 5dt 4m 2s.7 fo q 3g q6 q ptz.1 hah w 14lx 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q 59i w w
33:27 2z o.4 2 q.4 2 2c.5 27.1 1c.1 o.3 h.1 d.3 r.7 8l 53q m 4b 6 2h.7 3d.n bz 4i pc q ptq.1 haq w 1n7 12yq 1ey q q q q q q 1g q q q q q q q q q q q q q q q q q 59i w w
34:28 5pq o 48 2u.3 g3 3j q4 q 174h w 14lx 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q 59i w w b
35:29 6h5 q4 q pw4 h8d w 1n8 12yp 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q 59i w w
36:2a 76.5 53.3 4g 55 4m9 he 10 2v p 39.7 jg.2 q2 q prt.1 13.1 z.1 haj w 14lx 1ey q q q q q 1g q q 1g 1g q q q q q q q q q q q q 58x l w w
37:2b 7b.7 u 49.1 5l 5c2.1 3f.9 1e e8 tp q psy.1 z.1 1b.1 o h8i w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
38:2c 7i.3 51.1 9e 4m9 he n 7n.7 12 ed tp q psz.1 hbh w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
39:2d 3o.3 t.3 30.b 1o.1 z.9 1k.3 9c 53u n c 3w 4 3i.9 2x.d 15l q ptm.1 hau w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
3a:2e m0 54d a 7r.3 kl g nr q 1i0 15mh w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
3b:2f 7x.1 8y 4qw hv 4v 3z.9 f 184 q puk.1 h9w w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
3c:2g i3 3w 5cr.3 ee 5y g no q 174h w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
3d:2h 3o w 2 3b.2 56.1 3p 5hy.1 a 2h.7 15h q 174h w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 59i w w
3e:2i 7z.5 5kt 17 4q.5 i7 4 pz q 174h w 14lx 1ey q q q q q q q q q 1g 1g q q q q q q q q q q q q 59i w w
w:4o 7 5 4 f4.5 4n.1 5ko 2.2 c.2 e.2 e h 3a5.1 14xz
:4t gj.1r 3 3.t 81.6 7c.18 2 2.1 2.1 2 1l.5 b.a 2 10 b.k h 2u.7 2.5 3.1 2.3 y 2 v.q 4h.8 7 3 r.1 3.h 18.2 1h.1 6.8 17.1l 1l l.3 19.2 1l 1u 3.2 1l 1g.1 g.2 1l 1q.5 2.2 1l p 19 3i.4 1k 1x.2 1l 1j d.3 3i.2 53 d.7 3e.6 22.1 s 2 2 5.1 1r.1 3.1 3.1 1r 34.2 md.2 ut.1 h.b 2 a 19.5 8a.2 8p.8 3 1d.e 3.a 4.e 3.b l.4 1c 1j.8 d.2 2s 29 49.o 5 5.2 3.2 5j.9 2.6 10.a ek.4 r.4 1e.4 2.9 2p.w 2db.2 3y iz.5 2y.1 n9x.3 a.1 37.1 7u 39.1 1w r.h 1m.2 2b.3 1c 7g 2 8b fn6 8w.5 3z.2 7g.f h.f 1t.4 2.9 3k 4f.1 2i.2 ea 6b 1f1.2 15.2 4r.1 fy.3 1v.3 8u.1 26.5 1z.a 1e.3 3f.2 3i.2 1k 3 g 1f.2 35 d.2 1z.3 3 2t 2.1 7 4h a n.3 1k.1 16.6 4.4 2e 2.1 5 f.1 2p.3 o 2p.2 2 6x.2 2 3h.1 2 2z.1 b ao.1 2 75.1 7 4b.1 2c 2.4 2l.2 bo.2 3b.1 3u.3 2a.1 a2.1 2 2f 446.g 7.e 8uw 1xf.4 1o.6 xa c.1 f58.1 2.3 3ml.19 3.m f3.4 4.l 3.6 v.3 45.2 1j0.1i 5.1d 9 f n.4 2.e 1a9.6 ag 1q.3 e5.3 73.1 kh.6 32.6 241.4 gx6q v.2n 3l.6n
1e:4y 14g 40 5s bq 3k 3k 3k 3k 3k 3k i 3 2z 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g ts rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy 2b.3 as 6o 5s qf x 1a 36 4n 3k 7s w 1d aw g 7z 59 4o 3x l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa m 9 4 a 8 l 6 6 3 c0p 1tc 2o 40 f4 7k j in1 15c w 3j i v1 a a a a 1u2 c0 e8 75 k5 3u m8 1e e 28 19 2wz
1f:4z 14g 40 5s bq 3k 3k 3k 3k 3k 3k i 3 2z 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g ts rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg qf x 1a 36 4n 3k 7s w 1d aw g 7z 59 4o 3x l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 f 9 4.1 9.1 7.1 3.1 g 6 6 c0s 1tc 2o 40 f4 7k j in1 15c w 3j i v1 a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
qk:51 kn 2k9j q w q w q w q w q
1d:55 148 40 5s bq 3k 3k 3k 3k 3k 3k i 3 2z 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 9 4n g 5c 2o 40 g ts rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy 1n m.2 av 1r 4x 5s qf x 1a 2c r 4q 3k 1p w 26 31 w 1d 9d 1j g 7z 59 1g 38 3x l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xw 9 e 8 r 9 c0p 1tc 2o 40 f4 7k j in1 15c w 3j i 5 uw a a a a 1u2 c0 e8 75 k5 3u m8 1e e 28 2y8
1d.6dg.1g:58
1d.6dg.1e:59
1f.6dg.1g:5a
2p.2t:5i w 70.1 p.1 5dc 4n 1a5r
72:66
37.37:67 5vj 2k6n
2x.2y:8i.1
jg.32:95
97:96 5jb
33.2t:9e.1 wx2
9z:9y
gj:ap 1fr8
ar:aq
at:as
gk:au 5hp
aw:av
gm:ax 1fr6
gn:ay 1fr6
b0:az
3e.3b:b1
d9:b2 5gk
gp:b3 5h7 4g iy
gr:b4 5h7 qk
b6:b5
gw:b7 1fr4
gz:b8 98
h5:ba 5jj
h4:bb 5jh
bd:bc
hb:bg 5ha
he:bh 5jl
hh:bj 5jm
bn:bm
bp:bo
hs:bq 5ks 1a6g
bs:br
hv:bt 5jf 1n
bx:bw
i0:by 1fr5
i2:c1 5ja
i3:c2 5jb
c4:c3
c6:c5
ia:c7 1j.1 5hr
c9:c8
cd:cc
38.37:ce 6g 1fk6
2s.3e:ck.2 17.2 4w 1fj8
30.2y:cn.2
32.2y:cq.2
dh:dg
b9:dy
cf:dz
f1:f0
bi:f4
f7:f6 5cr
f9:f8
2s.2q:fs 9sg
35.34:ft
8rp:fu
fw:fv
be:fx
8rq:fy
g2:g1
ao:g3
i1:g4 5f6
i4:g5 5f9
g7:g6
g9:g8
gb:ga
gd:gc
gf:ge
2s.ia:is 1fja
2s.i9:it 1fj8
38.hv:iv 1fk7
38.gl:iw 1fk3
2u.97:ix 1fjb 16k0
h2:j5 wl5
hl:j8
hn:j9
ht:ja
id:kk
oh:og
oj:oi
on:om
qh:oq g 6 9 h 5 r 5eu.f 1j 2i.2 4.4 2eom q w q w q w q w q
s3:ov
q9:p2 b r 5ec.f 2p g.f x.4 2.4 2 2ep8 q w q w q w q w q
qd:p4 d o 20 5cr.5 3.5 2d 2e 2ep0 q m a q m a q m a q m a q m
qf:p5 e n 5f6.f 1x s.f z.2 2.1 3 2 2eoy q w q w q w q w q
qn:p8 j 19 5f8.5 3.5 17 3k 2eny q w q w q w q w q
qt:pa n 6 5 r 2 5.2 5fg.7 2 2 2 2 r 2u.2 4.4 2eoi q w q w q w q w q
qx:pb q 11 5g2.f d 10.f 1v.2 2.1 3 2 2eo4 q w q w q w q w q
qa:pe 1q 51p 9 2f5v q w q w q w q w q
qb:pf 53f 9 ra.1 2eek q w q w q w q w q
qc:pg 53f 2f64 q w q w q w q w q
qe:pi 2k9j q w q w q w q w q
qg:pk 1l z 53f 2f3k a g k c a g k c a g k c a g k c a g k
qi:pm 2e 2k75 q j d q j d q j d q j d q j
qj:pn 2k9j q w q w q w q w q
ql:pp 2k9j q w q w q w q w q
qm:pq 2k9j q w q w q w q w q
qo:ps 1i 5t2 3 2eew q g g q g g q g g q g g q g
qp:pt 28 513 ho.1 7 2eoc q e i q e i q e i q e i q e
qr:pv v 1c 7 2k75 p.1 w p.1 w p.1 w p.1 w p.1
qs:pw 2k9j q w q w q w q w q
qu:py 1b 51n 9 2f6c q 8 o q 8 o q 8 o q 8 o q 8
qv:pz 52y 9 2f6c q w q w q w q w q
qw:q0 2k9j q w q w q w q w q
qi.q9.qh:r3 8
rd:rc
rf:re
rh:rg 2kfi.1
rj:ri
rl:rk
rn:rm
rp:ro
rr:rq
rt:rs
rv:ru
rx:rw
rz:ry
s8:s7
sb:sa
or:sd
os:se
ot:sf
tx:sg.1 k 1n.1 3p.1 84g 2dry x
uq:si
tv:sj g 1s 1p.1 85t 2dsh x j
us:sk w34
ut:sl 2m3o
uu:sm.1 28 w0v 1pzq s 13
uw:so 2m2t
ux:sp
uy:sq
uz:sr
u2:ss e 1u 87e 2dsj x
u0:st b 1x 3p.3 vww 1pz7 x
ub:su l 1n 40.5 vwk 1pze u
v3:sv 2m3f
ts:sw 5c.3 84j 2dru x
tt:sx 89b 2dsh x
tu:sy 4tq 3fl 2dsh x
tw:t0 4tp 3fm 2dsh x
ty:t2 4r.1 q.1 83r 2dsi x
tz:t3 5j.1 83q 2dsi x
u1:t5
u3:t7 898 2dsj x
u4:t8 898 2dsj
u5:t9 50b 38x
u6:ta 5k.1 4nv 3fs nsu.6 16.3 1py9 w
u7:tb 898 2dsi w
u8:tc 898 2dsi
u9:td 4te 3fu 2dsi v
ua:te 4te.1 3ft 2dsi
uc:tg w3e 1pyc u
ud:th 896 2dsk u
ue:ti 896 2dsk u
uf:tj 5p.1 83g 2dsk u
ug:tk 896 2dsk u
uh:tl 896
ui:tm 4t8 r8y 10 1pzd
uj:tn 5p.1 vwg 1pzi v
uk:to w26 z
ul:tp 5b.1 2lwb
um:tq 899 2dse
un:tr
v5:v4 w0r
v7:v6 4rp 3g3
v9:v8 w1n
vb:va 87r
vd:vc
vf:ve 87o
vh:vg 87n
vj:vi
vl:vk
vn:vm 876
vp:vo 2.1
vt:vs
vv:vu
vx:vw
vz:vy
w1:w0
wb:wa
wd:wc
wf:we
wj:wi
wl:wk
wn:wm
wp:wo
wr:wq
wt:ws
wv:wu
wx:ww
wz:wy
x1:x0
x3:x2
x5:x4
x7:x6 2lz5
x9:x8
xb:xa 2ly9
xd:xc 2lz1
xf:xe
xh:xg
xj:xi
xl:xk
xn:xm
xp:xo
xr:xq
y7:xs 2lxs
xw:xv
xy:xx
y0:xz
y2:y1
y4:y3
y6:y5
yd:yc
yh:yg 2.1 2lww
yp:yo
yx:yw 2.1 2lwj
zb:za
zf:ze
zh:zg
zj:zi
zl:zk
zn:zm
zp:zo
zr:zq
zt:zs
zv:zu
zx:zw
zz:zy
101:100
103:102
105:104
107:106
109:108
10b:10a
10d:10c
10f:10e
10h:10g
10j:10i
10l:10k
10n:10m
10p:10o
10r:10q
10t:10s
10v:10u
129:10x
12a:10y
12b:10z
12c:110
12d:111
12e:112
12f:113
12g:114
12h:115
12i:116
12j:117
12k:118
12l:119
12m:11a
12n:11b
12o:11c
12p:11d
12q:11e
12r:11f
12s:11g
12t:11h
12u:11i
12v:11j
12w:11k
12x:11l
12y:11m
12z:11n
130:11o
131:11p
132:11q
133:11r
134:11s
135:11t
136:11u
137:11v
138:11w
139:11x
13a:11y
12d.136:13b
15m:15n 1cg9
15p:15q 1cg8
15r:15s
15v:15w
15x:15y
15l.15g.15h.15g:167
15h.15h:168
15h.15l:169
15l.15l:16a
17r:17m.1 2 gb.i 17 1cb3.1 90.3 3.1 5.1 1baq 3k
18o:17o 5d bj 1cld.1 2v.1 1b87 3k w
18p:17q 10 4c bj.1 1c2q.1 38 1f e1.3 2r.5 34h 183o w w w w w
17t:18n 1cpe ca.1 2d.3 1b94 1s w
1c:19c 40 5s bq 3k 3k 3k 3k 3k 3k i 32 3k 3k 2y 3k 28 j 7h 28 1g0 g w 8m 3u 4w g 5c 2o 40 g tc g ve l 26g nbt j4 1c 5s w 2o bk gf4 hm ly 1ow g me 3u 1y 4a 80 9s 3k ao 34 g a 2e c0 34 io 2o 74 28 1s a8 d0g 1tc 2o 40 f4 7k ink 15c w z2 a a a a 1u2 c0 e8 75 nz 1iz.1 25g
1g:19g 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg rc 1a.1 7s 3k 7s w 1d aw g 7z 59 4o 3x l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 9 5 a 8 4.3 d 6.1 m c0b 1tc 2o 40 f4 7k ink 15c w 3j i v1 a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
1h:19h 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy 1k 5 7 g k aa 1o as rc 1b 28 5k 88 en 1m g 7z 59 8l l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 9 5 a 8 k 7.1 l c0b 1tc 2o 40 f4 7k ink 15c w 3j i 2 uz a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
1i:19i 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g 73 kg 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg 10f oh g 7z du l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 e o e t c0b 1tc 2o 40 f4 7k ink 15c w 3j vj a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
1j:19j 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg 10f oh g 7z du l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 e o.2 15 c0b 1tc 2o 40 f4 7k ink 15c w 3j vj a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
1k:19k 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg 10f oh g 7z du l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 e q.1 14 c0b 1tc 2o 40 f4 7k ink 15c w 3j vj a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
1l:19l 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 9 7r 28 k8 vs g w 8m 3u 4w g 5c 2o 40 g tc g rj 45 ht a a 1p3 nb4 j4 1c 5s w 2o bk gf4 dy d6 cg 10f oh g 7z du l 3u 1y 4a g 7k 9s 3k ao 34 g a 2e c0 34 io 2o 9 6v 28 1s a8 xa 7 6 9 e r.3 11 c0b 1tc 2o 40 f4 7k ink 15c w 3j vj a a a a 1u2 c0 e8 75 k5 3u m8 1e 2m 19 2wz
17l:19w 3t au 4 1cl5
17l.17r:19x
17l.18o:19y
17l.1c7:19z 1ch2
17l.18p:1a0
1cl:1c0 1cdg.1
1c1:1c2 1cdg.3
1ci:1cj 1cd7.3
18l:1dq 1cyr.3 1b8o w 1s w w
1eb:1ec q
1ej:1ek
1er:1es
1eu:1ev
1ea:1f1
1ed:1f3
1jq:1k8
1jr:1k9
1jt:1ka
1cc:1qh 1c1f.3
1t4:1t5
1tc:1td
1tf:1tg
1wk.1xp:1xq
2eu.2fh.2eo.2f4:2fw
2eg.2fh:2fx
2ie.2j1.2i8.2io:2jg
2i0.2j1:2jh
2m3:2m4 h
2ls.2m3:2mm 1a
2lq.2m3:2ms
2lr.2m3:2mt
2lw.2m3:2mu
2lf.2m3:2nu
2lk.2m3:2nv
2lu.2m3:2nx
2lv.2m3:2ny
2l1.2m3:2nz
2wb.2vt:2xo
2wb.2w1:2xp
31k.324:2yo
31e:31m
33m.31t.328:31z
33n.31t.328:321
33h:33u
33l:33v
33m:33w
36z:370
36m.37d.36m:37j
8w0:3a8
8w1:3a9
8w2:3aa
8w3:3ab
8w4:3ac
8w5:3ad
8w6:3ae
8w7:3af
8w8:3ag
8w9:3ah
8wa:3ai
8wb:3aj
8wc:3ak
8wd:3al
8we:3am
8wf:3an
8wg:3ao
8wh:3ap
8wi:3aq
8wj:3ar
8wk:3as
8wl:3at
8wm:3au
8wn:3av
8wo:3aw
8wp:3ax
8wq:3ay
8wr:3az
8ws:3b0
8wt:3b1
8wu:3b2
8wv:3b3
8ww:3b4
8wx:3b5
8wy:3b6
8wz:3b7
8x0:3b8
8x1:3b9
8x3:3bb
8x9:3bh
3bw:3cs 2ao
3cw.3cw:3cx 4o 689 14s0
3cz.3cz:3d0 6d0 14s0
3d3.3d3:3d4 6d7 14s0
3d5.3d5:3d6 4x 68b 14s0
3d8.3d8:3d9 6d8 14s0
3fl.3g5:3fm 6b2 14s3
3fn.3g5:3fo 6b2 14s3
3fp.3g5:3fq 6b2 14s3
3fr.3g5:3fs 6b2 14s5
3ft.3fl:3fu 6b2 14s5
3ft.3fl.3g5:3fv 6b2 14s5
3ft.3g5:3fw 6b2 14s5
3fy.3fp:3fz 6b2 14s7
3fy.3fp.3g5:3g0 6b2 14s7
3fy.3g5:3g1 6b2 14s7
3g3.3g5:3g4 6b2 14s9
3cw:3hk 689 8f 14jl
3cw.3d5:3hm 689 14s0
3cy:3hn 689 8d 14jn
3cy.3d8:3ho 689 14s0
3cy.3de:3hp 689 14s0
3cz:3hq 689 8b 14jp
3d1:3hr 68a 8a 14jq
3d1.3cw:3hs 68a 14s0
3d1.3d2:3ht 68a 14s0
3d1.3d3:3hu 68a 14s0
3d1.3d5:3hv 68a 14s0
3d1.3dc:3hw 68a 14s0
3d1.3dd:3hx 68a 14s0
3d1.3de:3hy
3d2:3hz 68a 83 14jx
3d3:3i0 68a 83 14jx
3d3.3d5:3i1
3d5:3i2 68b 81 14jz
3d7:3i4 68b 80 14k0
3d8:3i5 68b 80 14k0
3da:3i6 68c 7z 14k1
3db:3i7 68c 7z 14k1
3dc:3i8 68c 7z 14k1
3dd:3i9 68c 7z 14k1
3de:3ia 68c 7z 14k1
xv4:3vk
xv5:3vl
xv6:3vm
xv7:3vn
xv8:3vo
xv9:3vp
xva:3vq
xvb:3vr
xvc:3vs
xvd:3vt
xve:3vu
xvf:3vv
xvg:3vw
xvh:3vx
xvi:3vy
xvj:3vz
xvk:3w0
xvl:3w1
xvm:3w2
xvn:3w3
xvo:3w4
xvp:3w5
xvq:3w6
xvr:3w7
xvs:3w8
xvt:3w9
xvu:3wa
xvv:3wb
xvw:3wc
xvx:3wd
xvy:3we
xvz:3wf
xw0:3wg
xw1:3wh
xw2:3wi
xw3:3wj
xw4:3wk
xw5:3wl
xw6:3wm
xw7:3wn
xw8:3wo
xw9:3wp
xwa:3wq
xwb:3wr
xwc:3ws
xwd:3wt
xwe:3wu
xwf:3wv
xwg:3ww
xwh:3wx
xwi:3wy
xwj:3wz
xwk:3x0
xwl:3x1
xwm:3x2
xwn:3x3
xwo:3x4
xwp:3x5
xwq:3x6
xwr:3x7
xws:3x8
xwt:3x9
xwu:3xa
xwv:3xb
xww:3xc
xwx:3xd
xwy:3xe
xwz:3xf
xx0:3xg
xx1:3xh
xx2:3xi
xx3:3xj
xx4:3xk
xx5:3xl
xx6:3xm
xx7:3xn
xx8:3xo
xx9:3xp
xxa:3xq
xxb:3xr
3y0:3xs
3y1:3xt
3y2:3xu
3y3:3xv
3y4:3xw
3y5:3xx
4gw:4gx
4gy:4h0.1
4h2:4h3
4h4:4h5 3.2
4he:4hf.3
4hm:4hn.2
4hq:4hr.1
4ht:4hu
4hv:4hw
4hx:4hy
4i2:4i3.3 s
4i7:4i8.1
4ia:4ib.1
4i0:4id
4if:4ig.1
4ii:4ij
4ik:4il
4iu:4iv.1
4hl:4ix
4hx.4ii:4j2
4if.4if:4j3
4h2.4h2:4j4
4y0.4yx:4yl
4y3.4yy:4ym
524.52u:53y
524.52u.535:53z
56u.57k.56u:578
55y:57c.1
56j:57e.1
57n:57o
i5:5a8 skp
5cq.5dw.5cs:5e4
5fn:5h6
5fu:5ha
5g9:5hb
5hc:5hd
5he:5hf.1
5hh:5hi
5hj:5hk
5hl:5hm
5hn:5ho.1
5hq:5hr
5hu:5hv
5hw:5hx
5hy:5hz
5i0:5i1.1
5i3:5i4
5i6:5i7
5if:5ig
5ii:5ij
5ik:5il
5im:5in
92x:5mw r7m.1
5my:5mx
3bk:5n4
3bl:5n5
3bm:5n6
3bn:5n7
3bo:5n8
3bp:5n9
3bq:5na
3br:5nb
3bs:5nc
3bt:5nd
3bu:5ne
3bv:5nf
3bx:5nh
3by:5ni
3bz:5nj
3c0:5nk
3c1:5nl
3c2:5nm
3c3:5nn
3c4:5no
3c5:5np
3c6:5nq
3c7:5nr
3c8:5ns
3c9:5nt
3ca:5nu
3cb:5nv
3cc:5nw
3cd:5nx
3ce:5ny
3cf:5nz
3cg:5o0
3ch:5o1
3ci:5o2
3cj:5o3
3ck:5o4
3cl:5o5
3cm:5o6
3cn:5o7
3co:5o8
3cp:5o9
3cq:5oa
3ct:5od
3cu:5oe
3cv:5of
5pl:5pm.2 2.3 9
gg:5s4 2zv
gh:5s5 4i 2va
5qa:5s6
5qg:5sc
5qh:5se
5qu:5sk
5qv:5sl
5r1:5sp
5r9:5ss
38.2w:5tm
gi:5uj 2xh
gl:5ul
gs:5un r9o
gv:5up
gx:5uq r9m
h1:5ur r8q
h6:5uu r9k
5tn:5uv
il:5uw r9m
h9:5ux
5tx:5uy
in:5uz 1f
hd:5v0 2wy
hc:5v1
hf:5v3
hg:5v4 1d
hk:5v6
hu:5v7 r9u
bv:5v9
5r0:5vc
i8:5vg
i9:5vh
2p.33:5w5 r4v.1
2p.3a:5w6 r4y.3
gy:5wb 1a5z
5ql:5wf
2p.ji:61m
30.30:64a.1
64d:64c
64f:64e
x.x:6d8
x.1r:6dl
17:6ey g 176n mx 4p
6qa:6ez g
1p:6f0 g 17tm 53
34.38.37:6g7
36.37:6g8
2p.1b.2r:6io
2p.1b.37:6ip 24
4w.2r:6ir
2r.1b.33:6it
2r.1b.39:6iu
4w.2u:6ix
32.33:6ja
37.31:6jk
38.2t.30:6jl
38.31:6jm
6ku:6k2
15c:6k5 171o
15d:6k6
15e:6k7
15f:6k8 171m
2u.2p.3c:6kb
6q9:6kg
1d.6dg.1j:6kw
1d.6dg.1l:6kx
1d.6dg.1d.1c:6ky
1d.6dg.1f:6kz
1e.6dg.1f:6l0
1d.6dg.1h:6l1
1e.6dg.1h:6l2
1f.6dg.1h:6l3
1g.6dg.1h:6l4
1d.6dg.1i:6l5
1h.6dg.1i:6l6
1d.6dg.1k:6l7
1f.6dg.1k:6l8
1h.6dg.1k:6l9
1j.6dg.1k:6la
1d.6dg:6lb
2x.2x:6ld g
2x.2x.2x:6le g
2x.3a:6lf g
3a.2x:6lh g
3a.2x.2x:6li g
3a.2x.2x.2x:6lj g
2x.3c:6lk g
3c.2x:6lm g
3c.2x.2x:6ln g
6mc:6mb
1c.6dg.1f:6mh
6mo:6my 17wv
6mq:6mz 17ww
6ms:6ni
6og:6od
6ok:6oe
6oi:6of
6pv:6pw
6q0:6q1
6q3:6q4
6qr:6qs
6qt:6qu
6qz.6qz:6r0
6qz.6qz.6qz:6r1
6r2.6r2:6r3
6r2.6r2.6r2:6r4
6rg:6rl
6rn:6ro
6rp:6rr
6rs:6rt
6sh:6si
6rx:6st
1o:6su 17g6 54
1q:6sv 17g6 55
6sk:6sw
6sl:6sx
6sy:6t0
6sz:6t1
6t2:6t4
6t3:6t5
6t6:6tc
6t7:6td
6te:6tg
6tf:6th
6ti:6tk
6tj:6tl
6ua:6uk
6ug:6ul
6uh:6um
6uj:6un
6t8:6w0
6t9:6w1
6tt:6w2
6tu:6w3
6uq:6wa
6ur:6wb
6us:6wc
6ut:6wd
1d.1c:76x 45 ht a a 245
1d.1d:76y 3l
1d.1e:76z 3l
1d.1f:770 3l
1d.1g:771 3l
1d.1h:772 3l
1d.1i:773 3l
1d.1j:774 3l
1d.1k:775 3l
1d.1l:776 3l
1e.1c:777 3l 2mt
14.1d.15:778
14.1e.15:779
14.1f.15:77a
14.1g.15:77b
14.1h.15:77c
14.1i.15:77d
14.1j.15:77e
14.1k.15:77f
14.1l.15:77g
14.1d.1c.15:77h
14.1d.1d.15:77i
14.1d.1e.15:77j
14.1d.1f.15:77k
14.1d.1g.15:77l
14.1d.1h.15:77m
14.1d.1i.15:77n
14.1d.1j.15:77o
14.1d.1k.15:77p
14.1d.1l.15:77q
14.1e.1c.15:77r
1d.1a:77s
1e.1a:77t
1f.1a:77u
1g.1a:77v
1h.1a:77w
1i.1a:77x
1j.1a:77y
1k.1a:77z
1l.1a:780
1d.1c.1a:781
1d.1d.1a:782
1d.1e.1a:783
1d.1f.1a:784
1d.1g.1a:785
1d.1h.1a:786
1d.1i.1a:787
1d.1j.1a:788
1d.1k.1a:789
1d.1l.1a:78a
1e.1c.1a:78b
14.2p.15:78c 2iyc
14.2q.15:78d 2iyc
14.2r.15:78e 2iyc
14.2s.15:78f 2iyc
14.2t.15:78g 2iyc
14.2u.15:78h 2iyc
14.2v.15:78i 2iyc
14.2w.15:78j 2iyc
14.2x.15:78k 2iyc
14.2y.15:78l 2iyc
14.2z.15:78m 2iyc
14.30.15:78n 2iyc
14.31.15:78o 2iyc
14.32.15:78p 2iyc
14.33.15:78q 2iyc
14.34.15:78r 2iyc
14.35.15:78s 2iyc
14.36.15:78t 2iyc
14.37.15:78u 2iyc
14.38.15:78v 2iyc
14.39.15:78w 2iyc
14.3a.15:78x 2iyc
14.3b.15:78y 2iyc
14.3c.15:78z 2iyc
14.3d.15:790 2iyc
14.3e.15:791 2iyc
6qz.6qz.6qz.6qz:8b0
1m.1m.1p:8dw
1p.1p:8dx
1p.1p.1p:8dy
8q8:8ow 2e4g
8q9:8ox 2e4g
8qa:8oy 2e4g
8qb:8oz 2e4g
8qc:8p0 2e4g
8qd:8p1 2e4g
8qe:8p2 2e4g
8qf:8p3
8qg:8p4 2e4g
8qh:8p5 2e4g
8qi:8p6 2e4g
8qj:8p7 2e4g
8qk:8p8 2e4g
8ql:8p9 2e4g
8qm:8pa 2e4g
8qn:8pb 2e4g
8qo:8pc 2e4g
8qp:8pd 2e4g
8qq:8pe 2e4g
8qr:8pf 2e4g
8qs:8pg 2e4g
8qt:8ph 2e4g
8qu:8pi 2e4g
8qv:8pj 2e4g
8qw:8pk 2e4g
8qx:8pl
8qy:8pm
8qz:8pn 2e4g
8r0:8po 2e4g
8r1:8pp 2e4g
8r2:8pq 2e4g
8r3:8pr 2e4g
8r4:8ps 2e4g
8r5:8pt 2e4g
8r6:8pu
8r7:8pv 2e4g
8r8:8pw 2e4g
8r9:8px
8ra:8py 2e4g
8rb:8pz 2e4g
8rc:8q0 2e4g
8rd:8q1 2e4g
8re:8q2 2e4g
8rf:8q3
8rg:8q4
8rh:8q5
8ri:8q6
8rj:8q7
8rl:8rk
h7:8rm p30
5tp:8rn
hp:8ro 17b8
8rs:8rr
8ru:8rt
8rw:8rv
8s3:8s2
8s6:8s5
fz:8se
g0:8sf
8sh:8sg
8sj:8si
8sl:8sk
8sn:8sm
8sp:8so
8sr:8sq
8st:8ss
8sv:8su
8sx:8sw
8sz:8sy
8t1:8t0
8t3:8t2
8t5:8t4
8t7:8t6
8t9:8t8
8tb:8ta
8td:8tc
8tf:8te
8th:8tg
8tj:8ti
8tl:8tk
8tn:8tm
8tp:8to
8tr:8tq
8tt:8ts
8tv:8tu
8tx:8tw
8tz:8ty
8u1:8u0
8u3:8u2
8u5:8u4
8u7:8u6
8u9:8u8
8ub:8ua
8ud:8uc
8uf:8ue
8uh:8ug
8uj:8ui
8ul:8uk
8un:8um
8up:8uo
8ur:8uq
8ut:8us
8uv:8uu
8ux:8uw
8uz:8uy
8v1:8v0
8v3:8v2
8v5:8v4
8v7:8v6
8t1.8sh.8sz:8v8
8vg:8vf
8vi:8vh
8vn:8vm
8yp:8z3
u9.ua:92t
fg6:96o 3m
ghu:96p 49
fh7:96q
fh6:96r
fh5:96s 3k ie
fjv:96t
g3m:96u 3q
g68:96v 3s
g74:96w 3t
g76:96x
ggs:96y 3y
gh5:96z 3y
i6n:970.1 4c
i76:972 2 4a
i77:973 2
ik3:976
inu:977 4g
itt:978
its:979 4k
ix0:97a
iwz:97b 4l
jf0:97c
jzp:97d
k4h:97f
k4l:97g 4r nd
kco:97h 4s n5 2gfh
l8a:97i
lal:97j
lch:97k
ldh:97l
ldm:97m
m7g:97n
mjv:97o.1
ffw:97q
ml7:97r 51
mnh:97s
mtn:97t
n7v:97u 58
nhq:97v 5d
ny2:97w 5g
ny3:97x
oah:97y 5j
oop:97z
p0f:980
p5f:981 2.1
p5e:982 3
p6y:986.1 5f
p6z:988
paa:989
pds:98a
pdr:98b 5h
pe1:98c 5h
poc:98d 5k
prt:98e.2
qj2:98h
qxw:98i
r5s:98j
r5r:98k
r7l:98l
r82:98m.1 5o
rkw:98o
rvh:98p
rzn:98q 5u
sbq:98r
sdy:98s.2
sk1:98v 5v
tc5:98w
tiv:98x 5y
tiw:98y
tj3:98z
tm0:990
tng:991 5w
tnh:992
tt4:993 5x
tw2:994
u06:995
u45:996
u6m:997
u72:998
u73:999 62
u74:99a.1
uar:99c
uc6:99d 5z
ui4:99e
ujs:99f 60
unw:99g 65
uws:99h
v8f:99i
vat:99j 65
vc6:99k
vd0:99l
vem:99m
vgq:99n 6e
vgw:99o
vgy:99p 6d
vi7:99q
vil:99r 6c
vix:99s
vj0:99t.1 6a
vj3:99v
feo:9a8 ia 6m 2gfd
ffs:9a9
fgf:9ab
fid:9ad
fik:9ae i5 6m 2ger
fj4:9af
fju:9ag if
g1r:9ah 1re1
g2t:9ai
g2z:9aj os
g46:9al
g4r:9am
g6t:9ao
gbf:9aq
ge1:9ar
get:9as
gey:9at
gfs:9au
gg1:9av 81 gh
gja:9az
gjs:9b0
gkj:9b1
h5j:9b2
h7j:9b3 og
hkb:9b4
hky:9b5
hl6:9b6
hlh:9b7
hlz:9b8
ho3:9b9 om
i1c:9ba
i2o:9bb
i60:9bc
i7s:9bf
i9a:9bg
i9d:9bh
ijf:9bi
ijp:9bj
ik1:9bk
ike:9bl
inm:9bm
inz:9bo
ir8:9bp
iri:9bq
irv:9br
is3:9bs
iu9:9bu
iur:9bv
jd4:9bx
jee:9by
jez:9bz 2h1t
jzj:9c0
jzo:9c1
k1z:9c2 lg
k2f:9c3
k2s:9c4
k3d:9c5
k4g:9c6
kc0:9c8
kdk:9ca n7
l5s:9cb
l7m:9cc
l89:9cd
l9v:9ce
laj:9cf
las:9cg
laz:9ch
lcf:9ci
lck:9cj
ldg:9ck mw
m7f:9cl mu
mju:9cm
mk6:9cn
mkb:9co
mkf:9cp
mkn:9cq
ml5:9cr
mng:9ct
mtg:9cu
mtl:9cv
n30:9cw
n3a:9cx
n4o:9cy
n4v:9cz 2h1b
n54:9d0
n5c:9d1
n82:9d3
nee:9d4
nel:9d5
nfy:9d6
ngf:9d7
nob:9d9
noi:9da
noz:9db
o1k:9dd
o1q:9de
o6s:9df
o97:9dg
okz:9di
ooo:9dj
p4m:9dk
p5d:9dl
p8d:9dn
pa9:9do
pak:9dp
paq:9dq
pbn:9dr
pnn:9du
pnu:9dv
po3:9dw
pos:9dy
pp7:9dz
ppb:9e0
pri:9e1
prm:9e2
prs:9e3
qj1:9e4
qjv:9e5
qww:9e6
qx8:9e7
qxv:9e8
r5q:9e9
r63:9ea
r9c:9ec
rp3:9ed
rpi:9ee
rpx:9ef
rqw:9eg
rrx:9eh
rxg:9ei
rxs:9ej 2h05
s6j:9el
s7e:9em
sd7:9en
sds:9eo
sdx:9ep
sp5:9er
ssm:9es
sss:9et
ssx:9eu ko
tj4:9ew
trq:9ey
trt:9ez
tw1:9f1
twe:9f2
twi:9f3
twp:9f4
tzf:9f5
u0d:9f6
u0j:9f7
u0x:9f8
u5k:9f9
u6z:9fa
uc9:9fd
ucs:9fe
ul4:9fg
ulb:9fh
un9:9fi
unj:9fj
unm:9fk
uoq:9fm
uzp:9fn
vb3:9fp
vc5:9fq
vcr:9fr
vcz:9fs
vd9:9ft
vdd:9fu
veh:9fv
vel:9fw
vf2:9fx
vf7:9fy
vfk:9fz
vgb:9g0
vj4:9g5
9jr.9kx:9hi
9ip:9iq
9ir:9is
9hu:9iu
gg4:9ix
gg5:9iy
9ku.9jt:9j0
9j5:9j6 2n.1 fi 14ev a
9j7:9j8 2n.1 fh 14ev a
9j9:9ja 26 h.1 26 da 14ev a
9jb:9jc 2n.1 ff 14ev a
9jd:9je 2n.1 fe 14ev a
9jf:9jg 21 m.1 21 dc 14f5
9jh:9ji 2n.1 fc 14f5
9jj:9jk 2n.1 8w 6f 14f5
9jl:9jm 1w r.1 1w de 14f5
9jn:9jo 2n.1 f9 14f5 z3s z
9jp:9jq 2n.1 f8 14f5 1bwn
9jr:9js 2n.1 8p 6i 14f5
9jt:9ju 2n.1 8o 6i 14f5
9jv:9jw 2n.1 f5 14f5
9jx:9jy 2n.1 f4 14f5
9jz:9k0 2n.1 f3 14f5
9k1:9k2 2n.1 f2 14f5
9k3:9k4.1 2m.2 f0 14em j
9k6:9k7 2n.1 ez 14f5 1bww
9k8:9k9 2n.1 8a 6o 14f5
9kf:9kg.1 2m.2 84 6s 14f5
9ki:9kj.1 2m.2 82 6s 14f5
9kl:9km.1 2m.2 80 6s 14f5
9ko:9kp.1 2m.2 7y 6s 14f5
9kr:9ks.1 2m.2 7w 6s 14f5
9kz:9l0 2n.1 en 14e1 14
9l1:9l2 2n.1 em 14e1 14
9l3:9l4 2n.1 el 14e1 14
9la:9lb 2n.1 8 ec 14f5
9lp:9lq
9l3.9l6:9lr
9ka:9my ey 14f5
9kb:9mz ey 14f5
9kc:9n0 88 6q 14f5
9kd:9n1 ey 14f5
9ke:9n2 ey 14f5
9ku:9ni eo 14f5
9kv:9nj eo 14f5
9kw:9nk 7u 6u 14f5
9kx:9nl eo 14f5
9ky:9nm eo 14f5
9l5:9nt 7m 6z 14f5
9l6:9nu 7m 6z 14f5
9l7:9nv 7m 6z 14f5
9l8:9nw 7m 6z 14f5
9l9:9nx 7m 6z 14f5
9lc:9o0 8 ec 23is k
9ld:9o1 8 ec 23is k
9le:9o2 8 ec 14dk z58 k
9lf:9o3 14tm z4a
9od:9oe
9jn.9k8:9of
9p8:9pq
3dm:9q8 14s0
3dt:9qc 14s0
3fl:9qn 14s3
3fn:9qp 14s3
3fp:9qr 14s3
3fr:9qt 14s5
3ft:9qv 14s5
3fx:9qz 14s7
3fy:9r0 14s7
3g2:9r4 14s7
3g3:9r5 14s9
3g5:9r7 14s9
3fk:9r8 14qk
3dg:9r9
3dh:9ra
3if:9rb
3ig:9rc
3ik:9rd
3im:9re
3ir:9rf
3iv:9rg
3ix:9rh
3do:9ri
3j1:9rj
3j3:9rk
3dp:9rl
3dq:9rm
3ds:9rn
3du:9ro
3dv:9rp
3dz:9rq
3e1:9rr
3e3:9rs
3e4:9rt
3e5:9ru
3e6:9rv
3e7:9rw
3ea:9rx
3ee:9ry
3eo:9rz
3ev:9s0
3f0:9s1
3jl:9s2
3jm:9s3
3fb:9s4
3fc:9s5
3fd:9s6
3gk:9s7
3gl:9s8
3go:9s9
3gx:9sa
3gy:9sb
3h0:9sc
3ha:9sd
3hd:9se
fex:9sk 6m 2gfc
h5n:9sl 6m
fey:9sm 7i
ffx:9sn 7i 2geg
fez:9so 7i
n5e:9sp
ffd:9sr
fep:9ss
hm1:9st 2gl6
h80:9su
9ol:9sw
9p3:9sx
9ow:9sy
9ot:9sz o
9t0:9t1
9p7:9t3
9pk:9t4 3
9p6:9t5
9pj:9t6 9
9pa:9ta
9pc:9tb
9om:9tg
9oq:9th
9ou:9ti
9ov:9tj
14.3cw.15:9vk
14.3cy.15:9vl
14.3cz.15:9vm
14.3d1.15:9vn
14.3d2.15:9vo
14.3d3.15:9vp
14.3d5.15:9vq
14.3d7.15:9vr
14.3d8.15:9vs
14.3da.15:9vt
14.3db.15:9vu
14.3dc.15:9vv
14.3dd.15:9vw
14.3de.15:9vx
14.xz4.15:9vy
14.yvs.15:9vz
14.zc4.15:9w0
14.108s.15:9w1
14.10p4.15:9w2
14.115g.15:9w3
14.1224.15:9w4
14.12ys.15:9w5
14.13f4.15:9w6
14.14bs.15:9w7
14.14s4.15:9w8
14.158g.15:9w9
14.15os.15:9wa
14.1654.15:9wb
14.13p8.15:9wc
14.1350.13i8.3cy.15:9wd
14.1350.16f8.15:9we
14.feo.15:9wg
14.fik.15:9wh
14.fex.15:9wi
14.h5n.15:9wj
14.fis.15:9wk
14.g31.15:9wl
14.fer.15:9wm
14.g2z.15:9wn
14.fh9.15:9wo
14.gg1.15:9wp
14.kco.15:9wq
14.m7f.15:9wr
14.ldg.15:9ws
14.kdk.15:9wt
14.ssx.15:9wu
14.h7j.15:9wv
14.k4l.15:9ww
14.kkq.15:9wx
14.kcp.15:9wy
14.ny6.15:9wz
14.glp.15:9x0
14.mm1.15:9x1
14.rs1.15:9x2
14.nz1.15:9x3
14.gc4.15:9x4
14.fkz.15:9x5
14.gos.15:9x6
14.i1y.15:9x7
14.nhf.15:9x8
14.flt.15:9x9
14.rt3.15:9xa
14.ggk.15:9xb
14.nzh.15:9xc
14.fm9.15:9xd
14.pnu.15:9xe
14.po3.15:9xf
gun:9xg
inw:9xh
oen:9xj
1f.1c:9xm g
1g.1c:9xn 2y
1h.1c:9xo 37
1i.1c:9xp
1k.1c:9xr
34.38.2t:9xs
1e.1d:9xt
1e.1e:9xu
1e.1f:9xv
1e.1g:9xw
1e.1h:9xx
1e.1i:9xy
1e.1j:9xz
1e.1k:9y0
1e.1l:9y1
1f.1d:9y3
1f.1e:9y4
1f.1f:9y5
1f.1g:9y6
1f.1h:9y7
xz4:9ym
yvs:9yn
zc4:9yo
108s:9yp
10p4:9yq
115g:9yr
1224:9ys
12ys:9yt
13f4:9yu
14bs:9yv
14s4:9yw
158g:9yx
15os:9yy
1654:9yz
14bs.3d2.y5c:9z0
13p8.13cs.3g5:9z1
138w:9z2
fis:9z8
g31:9z9
fer:9za
fh9:9zc
kkq:9zl
kcp:9zm 2gf8
ny6:9zn
glp:9zo
mm1:9zp
rs1:9zq
nz1:9zr
gc4:9zs
o2g:9zt
n5j:9zu
six:9zw
g16:9zx
ghc:9zy
lig:9zz
u11:a00
fm9:a01
g49:a02
l7n:a03
ijq:a07 2ged
gkz:a08 2gee
gfv:a09
i3b:a0a
i1y:a0b
nhf:a0c
flt:a0d
rt3:a0e
ggk:a0f
hlo:a0g
1f.1i:a0h
1f.1j:a0i
1f.1k:a0j
1f.1l:a0k
1g.1d:a0m
1g.1e:a0n
1g.1f:a0o
1g.1g:a0p
1g.1h:a0q
1g.1i:a0r
1g.1j:a0s
1g.1k:a0t
1g.1l:a0u
1d.kco:a0w
1e.kco:a0x
1f.kco:a0y
1g.kco:a0z
1h.kco:a10
1i.kco:a11
1j.kco:a12
1k.kco:a13
1l.kco:a14
1d.1c.kco:a15
1d.1d.kco:a16
1d.1e.kco:a17
2w.2v:a18
2t.36.2v:a19
2t.3a:a1a
30.38.2s:a1b
fl0.gp8:a2n
9j5.9kf.9oc.9k8:a2o
9j5.9l7.9kl.9j5:a2p
9j5.9lf.9ko.9j5:a2q
9j5.9oc.9l7:a2r
9j7.9kb.9lf.9jj:a2s
9j7.9lf.9k1:a2t
9j9.9jd.9lf:a2u
9jb.9jt.9jj.9oc.9k8:a2v
9jb.9oc.9jf.9oc:a2w
9jd.9lf.9jt:a2x
9jd.9oc.9kw:a2y
9jf.9j7.9l6:a2z
9jf.9l5.9k3.9k8:a30
9jf.9l9.9l6.9oc:a31
9jf.9l9.9lf:a32
9jf.9lf.9ku:a33
9jh.9jf:a34
9jh.9kb.9oc:a35
9jh.9l1.9l6.9oc:a36
9jh.9l7.9jz.9oc:a37
9jh.9l9:a38
9jh.9l9.9jj.9l5.9kw:a39
9jh.9l9.9kx.9oc.9k8.9l7:a3a
9jh.9l9.9la.9k3.9k8:a3b
9jj.9l5.9kw:a3c
9jj.9l5.9kw.9k8.9lf:a3d
9jj.9l7.9jv.9j7.9l9:a3e
9jj.9l9.9oc.9kd:a3f
9jl.9oc.9jt:a3g
9jn.9l7.9ka:a3h
9jn.9oc.9kr:a3i
9jp.9j7.9jj.9l7:a3j
9jp.9lf.9k1.9oc.9kw:a3k
9jr.9l6.9lf.9jj:a3l
9jv.9lf.9k1:a3m
9jv.9lf.9k8:a3n
9jz.9oc.9jt:a3o
9k6.9jr:a3p
9k8.9l7:a3q
9k8.9lf:a3r
9ka.9ke:a3s
9ke.9k3.9k8:a3t
9kf.9j7.9k3:a3u
9kf.9oc.9jv.9lf.9k8:a3v
9kf.9oc.9k3:a3w
9kf.9oc.9l8.9l7:a3x
9ki.9j5.9jt.9k8.9l7:a3y
9ki.9jj.9l7:a3z
9ki.9jn:a40
9ki.9l7:a41
9kl.9j5.9l5.9k3.9k8:a42
9kl.9j7.9oc.9k8:a43
9kl.9k3.9jr.9jb.9l7:a44
9kl.9l5.9lf:a45
9ko.9jj.9jz.9oc.9l7:a46
9ko.9jx:a47
9ko.9kb.9ki:a48
9ko.9l7.9k3:a49
9ko.9lf.9jt:a4a
9ko.9oc.9jr:a4b
9ko.9oc.9jz:a4c
9kr.9j7.9lf.9k8:a4d
9kr.9l7.9k8:a4e
9kr.9lf:a4f
9kr.9lf.9k8:a4g
9kr.9oc.9l7:a4h
9kr.9oc.9lf:a4i
9ku.9j7.9jj.9l9:a4j
9ku.9j7.9l7:a4k
9ku.9k3.9kf:a4l
9ku.9l7.9jj:a4m
9ku.9lf.9jr.9l3.9lf:a4n
9kv.9jj.9l9.9lf:a4o
9kv.9l6:a4p
9kv.9l6.9kf.9oc.9l7:a4q
9kx.9jf:a4r
9kx.9jf.9k8.9lf:a4s
9kx.9oc.9k8.9l7:a4t
9kz.9oc.9k8:a4u
9kz.9oc.9l7:a4v
9l1.9j5.9lf:a4w
9l6.9k3.9k8.9l7:a4x
9l6.9l5:a4y
9l7.9ki.9oc:a4z
9l7.9oc.9kl.9l7:a50
9l8.9kw:a51
9l8.9lf.9k8.9jl.9lf:a52
9la.9k3.9k8:a53
1c.m9l:a54
1d.m9l:a55
1e.m9l:a56
1f.m9l:a57
1g.m9l:a58
1h.m9l:a59
1i.m9l:a5a
1j.m9l:a5b
1k.m9l:a5c
1l.m9l:a5d
1d.1c.m9l:a5e
1d.1d.m9l:a5f
1d.1e.m9l:a5g
1d.1f.m9l:a5h
1d.1g.m9l:a5i
1d.1h.m9l:a5j
1d.1i.m9l:a5k
1d.1j.m9l:a5l
1d.1k.m9l:a5m
1d.1l.m9l:a5n
1e.1c.m9l:a5o
1e.1d.m9l:a5p
1e.1e.m9l:a5q
1e.1f.m9l:a5r
1e.1g.m9l:a5s
2w.34.2p:a5t
2s.2p:a5u
2p.39:a5v mv7.1
2q.2p.36:a5w
33.3a:a5x
34.2r:a5y
2s.31:a5z
2s.31.1e:a60
2s.31.1f:a61
2x.39:a62
inn.jdc:a63
k6l.gp8:a64
hlz.l7n:a65
k5q.lh7:a66
kkq.irz.fmi.ny6:a67
34.2p:a68 15 2g2r
32.2p:a69
qk.2p:a6a
31.2p:a6b
2z.2p:a6c
2z.2q:a6d
31.2q:a6e 26
2v.2q:a6f
2r.2p.30:a6g
2z.2r.2p.30:a6h
34.2u:a6i
32.2u:a6j
qk.2u:a6k
qk.2v:a6l
31.2v:a6m
2z.2v:a6n
2w.3e:a6o
2z.2w.3e:a6p
31.2w.3e:a6q
2v.2w.3e:a6r
38.2w.3e:a6s
qk.30:a6t
31.30:a6u
2s.30:a6v
2z.30:a6w
2u.31:a6x
32.31:a6y
qk.31:a6z
31.31:a70
2r.31:a71
2z.31:a72 1c
31.31.1e:a73
2r.31.1e:a74
31.1e:a75
2z.31.1e:a76
31.31.1f:a77
2r.31.1f:a78
31.1f:a79
2z.31.1f:a7a
31.6qd.37:a7b
31.6qd.37.1e:a7c
2z.34.2p:a7e
31.34.2p:a7f
2v.34.2p:a7g
36.2p.2s:a7h
36.2p.2s.6qd.37:a7i
36.2p.2s.6qd.37.1e:a7j
34.37:a7k
32.37:a7l
qk.37:a7m
31.37:a7n
34.3a:a7o
32.3a:a7p
qk.3a:a7q
31.3a:a7r 2 2g0i
2z.3a:a7s
34.3b:a7u
32.3b:a7v
qk.3b:a7w
31.3b:a7x 2
2z.3b:a7y
2z.qx:a80
31.qx:a81
2p.1a.31.1a:a82
2q.35:a83
2r.2r:a84
2r.2s:a85 2fzc
2r.6qd.2z.2v:a86
2r.33.1a:a87
2v.3d:a89
2w.2p:a8a
2w.34:a8b
2x.32:a8c
2z.2z:a8d
2z.38:a8f
30.31:a8g
30.32:a8h
30.33.2v:a8i
30.3c:a8j
31.2x.30:a8l
31.33.30:a8m
34.2w:a8n
34.1a.31.1a:a8o
34.34.31:a8p
34.36:a8q
37.36:a8r
37.3a:a8s
3b.2q:a8t
3a.6qd.31:a8u
2p.6qd.31:a8v
1d.k4l:a8w
1e.k4l:a8x
1f.k4l:a8y
1g.k4l:a8z
1h.k4l:a90
1i.k4l:a91
1j.k4l:a92
1k.k4l:a93
1l.k4l:a94
1d.1c.k4l:a95
1d.1d.k4l:a96
1d.1e.k4l:a97
1d.1f.k4l:a98
1d.1g.k4l:a99
1d.1h.k4l:a9a
1d.1i.k4l:a9b
1d.1j.k4l:a9c
1d.1k.k4l:a9d
1d.1l.k4l:a9e
1e.1c.k4l:a9f
1e.1d.k4l:a9g
1e.1e.k4l:a9h
1e.1f.k4l:a9i
1e.1g.k4l:a9j
1e.1h.k4l:a9k
1e.1i.k4l:a9l
1e.1j.k4l:a9m
1e.1k.k4l:a9n
1e.1l.k4l:a9o
1f.1c.k4l:a9p
1f.1d.k4l:a9q
2v.2p.30:a9r
wns:wsw
woa:wsx
wp3:wsy
wlo.wsr:wsz
wm6.wsr:wt0
wmr.wsr:wt1
wnb.wss:wt2
wnm.wsr:wt3
wns.wss:wt4
wnu.wss:wt5
wo0.wsr:wt6
wp1.wsr:wt7
wqc.wsr:wt8
wqz.wsr:wt9
wr5.wss:wta
wrc.wsr:wtb
woe:wtm
wr5:wtn
wu9:wu8
wub:wua
wud:wuc
wuf:wue
92w:wug.1
wul:wuk
wun:wum
wup:wuo 1q1o
wur:wuq
wut:wus
930:wuu.1
wux:wuw
wuz:wuy
wv1:wv0
wv3:wv2
wv5:wv4
wv7:wv6
wv9:wv8
wvb:wva
ww1:ww0
ww3:ww2
ww5:ww4
ww7:ww6
ww9:ww8 1pz6
wwb:wwa
wwd:wwc
wwf:wwe
wwh:wwg
wwj:wwi
wwl:wwk
wwn:wwm
x0j:x0i
x0l:x0k
x0n:x0m ty
38.3e:x0o.1
x0r:x0q
x0t:x0s
x0v:x0u
2p.2p:x0y.1 j0t
2p.3d:x18.1
x1b:x1a
x1d:x1c
x1f:x1e
x1h:x1g
x1j:x1i
x1l:x1k
x1n:x1m
x1p:x1o
33.33:x1q.1
x1t:x1s
x1v:x1u
x1x:x1w
x1z:x1y
x21:x20
x25:x24
x27:x26
3a.3d:x28.1
x2b:x2a
x2d:x2c
x2f:x2e
x2h:x2g
x2j:x2i
x2l:x2k
5w2:x2m.2
x33:x32
x35:x34
x3g:x3f
x3l:x3k
x3n:x3m
x3r:x3q
x3t:x3s
h8:x4d iy6
im:x4g
hz:x4h
xub:x4j
5wp:x4k.1
x4n:x4m
x4p:x4o
x4r:x4q
x4t:x4s
x4v:x4u
x3o:x50
5u6:x52
x54:x53
x56:x55
h0:x57 ix2
x59:x58
x5b:x5a
x5d:x5c
x5f:x5e
x5h:x5g
x5j:x5i
x5n:x5m
bf:x5o
x6e:x6d
xde:xdf.4
xij:xik
xis:xit
5ws:xtk
xtj:xul
xua:xun
2s.i8:xuu i76
38.hu:xuv i86
2u.2u:1dkw
2u.2x:1dkx
2u.30:1dky
2u.2u.2x:1dkz
2u.2u.30:1dl0
37.38:1dl1.1
12s.12u:1dlf
12s.12d:1dlg
12s.12j:1dlh
132.12u:1dli
12s.12l:1dlj
15u:1dls
15g:1dlv
15o:1dlx
160:1dlz
162:1dm0
15c.15o:1dn3
19t:1dn4.1
1a3:1dn6.3
1a6:1dna.3
1a8:1dne.3
1a2:1dni.3
1a7:1dnm.3
1a1:1dnq.3
1b8:1dnu.3
1ba:1dny.3
1ac:1do2.3
1ab:1do6.3
1ae:1doa.3
1af:1doe.3
1al:1doi.1
1ak:1dok.1
1am:1dom.1
1ag:1doo.1
1aw:1doq.1
1ap:1dos.1
1bd:1dou.3
1bj:1doy.3
1bn:1dp2.3
1bl:1dp6.3
1bu:1dpa.1 1bwe 1s
1bv:1dpc.3
1by:1dpm.3
1bh:1dqr.3
1c7:1dqv.1
1c6:1dqx.1
1c8:1dqz.1
1cb:1dr2.1
1c5:1dr4.1
1c9:1dr6.1
1cg:1dr8.3
18p.17r:1dre.1
18p.1cl:1drg.1
18p.18o:1dri.1
18p.1c7:1drk.1
18p.1c6:1drm.1
18p.1c8:1dro.1
18p.1cg:1drq.2
18p.18p:1drt.2 8.1 2d.1 e.1 18.1
18p.17w:1ds0 2d 1u 1v
18p.17x:1ds1 2d 1u 1v
18p.18l:1ds2 2e e 19 7 1v 2 h
17s.17w:1ds5 47
17s.17x:1ds6 47
17s.17y:1ds7 47
17s.18l:1ds8 2s 1f 1u
17s.18p:1ds9.1 2s.1
17u.17w:1dsb 46
17u.17x:1dsc 46
17u.17y:1dsd 46
17u.18l:1dse 2s 1e 1r
17u.18p:1dsf.1 2s.1
17v.17w:1dsh
17v.18l:1dsi 2u 1a 1r
17v.18p:1dsj.1 2u.1
17w.17x:1dsl 42
17w.18l:1dsm 42
17x.17w:1dsn 42
17x.18l:1dso 42
17y.17w:1dsp 42
17y.17x:1dsq
17y.18l:1dsr 41
183.17w:1dss 41 3r
183.17x:1dst 41 3r
183.17y:1dsu 41 3r
183.18l:1dsv 41 1j
185.17x:1dsw 41
185.18l:1dsx 42
186.17w:1dsy 42
186.17x:1dsz 42
186.17y:1dt0 42
186.18l:1dt1 42
187.17x:1dt2 42
187.18l:1dt3 7g 7
188.18l:1dt4 41 3m
189.17w:1dt5 41
189.18l:1dt6 41
18a.17w:1dt7 41
18a.18l:1dt8 41
18h.17w:1dt9 41
18h.17x:1dta 41
18h.17y:1dtb 41
18h.18l:1dtc 41
18h.18p:1dtd.1 22.1
18i.17x:1dtf 3z
18i.18l:1dtg 3z
18i.18p:1dth.1 20.1
18j.17r:1dtj 21
18j.17w:1dtk 3w
18j.17x:1dtl 3w
18j.17y:1dtm 3w
18j.18k:1dtn 1y 1y 10
18j.18l:1dto 1y 1y 10
18j.18p:1dtp.1 1x.1
18k.17w:1dtr 3u
18k.17x:1dts 3u
18k.17y:1dtt 3u
18k.18l:1dtu 1v 1z x
18k.18p:1dtv.1 1u.1
18l.17w:1dtx 3t
18l.17x:1dty 3t
18l.17y:1dtz 3t
18l.18l:1du0 1t 20
18l.18p:1du1.1
18m.17w:1du3 3r
18m.17x:1du4 3r
18m.17y:1du5 3r
18m.18l:1du6 1q 21 p
18m.18p:1du7.1 1q.1
17t.17w:1du9 3q
17t.18l:1dua 3q
17t.18p:1dub.1
18p.17y:1duf 1u 1v
180:1duj gg.1 1bak 3k w
181:1duk gh.1 1bad 3k w
18p.181:1dus 19
18p.182:1dut 19
18p.18m:1duv 19
17s.181:1duy
17s.182:1duz
17s.18m:1dv1
17u.181:1dv4
17u.182:1dv5
17u.18m:1dv7
17v.181:1dva
17v.182:1dvb
17v.18m:1dvd
18l.17r:1dvs
18m.181:1dvu
18m.182:1dvv
18m.18m:1dvx
18p.17t:1dwb 1v 2 h
17s.17t:1dwg 1u
17u.17t:1dwl 1r
185.17y:1dwy
18k.17t:1dxp
18m.17t:1dxy p
17v.17t:1dye
183.17t:1dyg 21
184.18l:1dyh z s 8
184.17t:1dyi 20
187.18p:1dyt.1 r.1
189.18p:1dyv.1 r.1
18a.18p:1dyx.1 r.1
183.18p:1dyz.1 r.1
184.18p:1dz1.1 r.1
17x.18p:1dz3.1 r.1
17w.18p:1dz5.1 r.1
17y.18p:1dz7.1 r.1
185.18p:1dz9.1 r.1
186.18p:1dzb.1 r.1
184.17w:1dzd s 8 a
184.17x:1dze s 8 a
184.17y:1dzf s 8 a
184.181:1dzh s
183.181:1dzi s
185.181:1dzj s
186.181:1dzk s
17u.17w.18l:1e1c
17u.17x.17w:1e1d.1
17u.17x.18l:1e1f
17u.17y.18l:1e1g
17u.18l.17w:1e1h
17u.18l.17x:1e1i
17u.18l.17y:1e1j
17w.18l.17x:1e1k.1
17x.18l.18p:1e1m.1
183.17x.17w:1e1o
183.17w.17x:1e1p
183.17w.18p:1e1q
183.18l.17x:1e1r.1
183.18l.17w:1e1t
183.18l.18l:1e1u.1
185.17x.17x:1e1w.1
185.18l.18l:1e1y 2n
184.17x.18l:1e1z.1
184.17w.18p:1e21
184.18l.17y:1e22.1
184.18l.18l:1e24.1
186.17x.18p:1e26 1p
186.17y.18l:1e27.1
187.18l.17x:1e29.1
187.18l.18l:1e2b
187.18l.18p:1e2c
189.17w.18l:1e2d 27
189.18l.18l:1e2e.1
189.18l.18p:1e2g 1q
18a.18l.18l:1e2h
18a.18l.18p:1e2i.1
18h.17y.18l:1e2k.1
18i.18l.17x:1e2m 1i
18i.18l.18l:1e2n
18k.17x.18l:1e2o 1h
18k.17x.18p:1e2p.1
18k.17w.17w:1e2r.1
18k.17y.18l:1e2t.1
18k.18l.17x:1e2v.1
18l.17x.17w:1e2x
18l.17x.18l:1e2y
18l.17x.18p:1e2z
18l.17w.17x:1e30
18l.17w.18l:1e31
18l.17y.17w:1e32
18l.17y.18l:1e33
18l.17w.17y:1e36
17t.18l.17w:1e37
17t.18l.18l:1e38
18m.17x.18l:1e39
18m.17x.18p:1e3a t
18m.17w.18l:1e3b.1
18m.17w.18p:1e3d 1a
18m.18l.18p:1e3e.1
18p.18l.18l:1e3g.1
17s.17y.18p:1e3i
17u.17w.18p:1e3j.1
17u.17y.18p:1e3l.1
17u.18l.18p:1e3n.1
17w.18l.18p:1e3p 2
17w.17x.18p:1e3q o
183.17y.18p:1e3s u
185.17x.18p:1e3t
184.17x.18p:1e3u
18k.17w.18p:1e3w
18k.18l.18p:1e3x
18p.17x.18p:1e3y
18p.17w.18p:1e3z
18p.18l.18p:1e40
18l.18l.18p:1e41
18i.18l.18p:1e42
18j.18l.18p:1e47
18m.17w.17x:1e48 5
18l.17y.18p:1e49
18k.17w.18l:1e4a 2
18j.18l.18l:1e4b 8
17x.17w.18p:1e4f
18l.17w.18p:1e4g
18h.18l.18p:1e4h
17s.17x.18p:1e4i
185.18k.1ci:1e5s
18i.18k.1ci:1e5t
17r.18k.18k.17t:1e5u
17r.18j.17s.181:1e5v
18l.17x.18l.17z:1e5w
185.18k.189.18l:1e5x
181.183.18o.18k:1e5y
189.18k.18p.17t:1e5z
18o.183.18k.18l:1e60
185.18k.18p:1e61
185.18k.18p.w.17r.18k.18k.17t.w.189.18k.18p.17t.w.18o.183.18k.18l:1e62
17w.18k.w.17w.18k.17r.18k.17t:1e63
181.1cc.17r.18k:1e64
10:1e95 4b
17s:1ea7.3 1ban w 1s w w
17u:1ead.3 1bb1 w 1s w w
17v:1eah.3 1bay w 1s w w
17w:1eal.3 1baa w w w w w
17x:1eap.3 1bab w w w w w
17y:1eat.3 1ban w w w w w
17z:1eax.1 1ba1 3k w
182:1eb3.1 1b9y 3k w
183:1eb5.3 1ba2 w w w w w
184:1eb9.3 1ba4 w w w w w
185:1ebd.3 1b9x w w w w w
186:1ebh.3 1ba1 w w w w w
187:1ebl.3 1b9g 2o w w
188:1ebp.3 1b9u 2o w w
189:1ebt.3 1b9f w w w w w
18a:1ebx.3 1b9n w w w w w
18h:1ec1.3 1b98 w 1s w w
18i:1ec5.3 1b96 w w w w w
18j:1ec9.3 1b8u w 1s
18k:1ecd.3 1b8r w w 1s w
18m:1ecl.3 34u 183r w w w w w
18k.17r:1ed1.7
2m:1ef2
2o:1ef4
3g:1efw
3i:1efy
9oc:1egg
4i:1ejk
4j:1ejl
4s:1ejm
4m:1ejo
4l:1ejp
6g9:1ejq
7b6:1ejs
6mp:1eju
6mr:1ejw
7fk:1ejx
7gr:1ejy
1f80:1f92
1f83:1f93
1f87:1f94
1f8d:1f95
1f8h:1f96
1fe0:1fcw
1fe1:1fcx
1fe2:1fcy
1fe3:1fcz
1fe4:1fd0
1fe5:1fd1
1fe6:1fd2
1fe7:1fd3
1fe8:1fd4
1fe9:1fd5
1fea:1fd6
1feb:1fd7
1fec:1fd8
1fed:1fd9
1fee:1fda
1fef:1fdb
1feg:1fdc
1feh:1fdd
1fei:1fde
1fej:1fdf
1fek:1fdg
1fel:1fdh
1fem:1fdi
1fen:1fdj
1feo:1fdk
1fep:1fdl
1feq:1fdm
1fer:1fdn
1fes:1fdo
1fet:1fdp
1feu:1fdq
1fev:1fdr
1few:1fds
1fex:1fdt
1fey:1fdu
1fez:1fdv
1ff0:1fdw
1ff1:1fdx
1ff2:1fdy
1ff3:1fdz
1fiw:1fhs
1fix:1fht
1fiy:1fhu
1fiz:1fhv
1fj0:1fhw
1fj1:1fhx
1fj2:1fhy
1fj3:1fhz
1fj4:1fi0
1fj5:1fi1
1fj6:1fi2
1fj7:1fi3
1fj8:1fi4
1fj9:1fi5
1fja:1fi6
1fjb:1fi7
1fjc:1fi8
1fjd:1fi9
1fje:1fia
1fjf:1fib
1fjg:1fic
1fjh:1fid
1fji:1fie
1fjj:1fif
1fjk:1fig
1fjl:1fih
1fjm:1fii
1fjn:1fij
1fjo:1fik
1fjp:1fil
1fjq:1fim
1fjr:1fin
1fjs:1fio
1fjt:1fip
1fju:1fiq
1fjv:1fir
1fo7:1fn4
1fo8:1fn5
1fo9:1fn6
1foa:1fn7
1fob:1fn8
1foc:1fn9
1fod:1fna
1foe:1fnb
1fof:1fnc
1fog:1fnd
1foh:1fne
1foj:1fng
1fok:1fnh
1fol:1fni
1fom:1fnj
1fon:1fnk
1foo:1fnl
1fop:1fnm
1foq:1fnn
1for:1fno
1fos:1fnp
1fot:1fnq
1fou:1fnr
1fov:1fns
1fow:1fnt
1fox:1fnu
1foz:1fnw
1fp0:1fnx
1fp1:1fny
1fp2:1fnz
1fp3:1fo0
1fp4:1fo1
1fp5:1fo2
1fp7:1fo4
1fp8:1fo5
k0:1g1t
k1:1g1u
ih:1g1w
5u9:1g25
go:1g26
gu:1g27
ij:1g2c
ik:1g2e
h3:1g2f
hw:1g2g
iy:1g2h
iz:1g2i
2mmc:1g2k
x3i:1g2l
ha:1g2m
2mmd:1g2n
i6:1g2o
2mme:1g2p
hi:1g2r
hj:1g2s
hm:1g2u
2mmg:1g2v
hq:1g2x
8s1:1g34
i7:1g36
ip:1g37
iq:1g38
ig:1g39
cg:1g3a
ch:1g3b
ci:1g3c
2mmi:1g3d
2mn2:1g3e
1g8d:1g8e
1g8w:1g8x
1g8y:1g8z
1g92:1g93
1g98:1g99
1g9a:1g9b
1g9c:1g9d
1g9e:1g9f
1g9g:1g9h
1g9o:1g9p
1gg6:1gg7 v
1gga:1ggb u
1ggc:1ggd t
1gge:1ggf s
1ggj:1ggk r.1
1ggo:1ggp r
1ggq:1ggr q
1gg0:1ggw
1gg1:1ggx
1gg2:1ggy
1gg3:1ggz
1gg4:1gh0
1gg5:1gh1
1gg8:1gh3
1gg9:1gh4
1ggg:1gh8
1ggh:1gh9
1ggi:1gha
1ggl:1ghd
1ggm:1ghe
1ggn:1ghf
1ggs:1ghi
1ggt:1ghj
1gp3:1gp4
1grx:1gry
1gxs:1gxt
1gxv:1gxw
1gxz:1gy0
1gy1:1gy2
1gy3:1gy4
1gy5:1gy6
1gy7:1gy8
1gy9:1gya
1gyc:1gyd
1gye:1gyf
1gyg:1gyh
1gyi:1gyj
1gyk:1gyl
1gym:1gyn
1gys:1gyt
1gyu:1gyv
1gyw:1gyx
1gyy:1gyz
1gz1:1gz2
1gz6:1gz7
1gz8:1gz9
1gza:1gzb
1gzc:1gzd
1gze:1gzf
1gzj:1gzk
1gzl:1gzm
1gzn:1gzo
1gzp:1gzq
1h34:1h1c.1 1s
1h36:1h1e
1h37:1h1f
1h38:1h1g
1h39:1h1h
1h3a:1h1i
1h3b:1h1j
1h3c:1h1k
1h3d:1h1l.2 1r.1
1h3g:1h1o
1h3h:1h1p
1h3i:1h1q
1h3j:1h1r
1h3k:1h1s.1 1s
1h3m:1h1u
1h3n:1h1v
1h3o:1h1w
1h3p:1h1x
1h3q:1h1y
1h3r:1h1z
1h3s:1h20
1h3t:1h21
1h3u:1h22
1h3v:1h23.1 1s
1h3x:1h25.2 1r.1
1h40:1h28
1h41:1h29
1h42:1h2a.1 1s
1h44:1h2c
1h45:1h2d
1h46:1h2e
1h47:1h2f
1h48:1h2g
1h49:1h2h
1h4a:1h2i.1 1s
1h4c:1h2k.1 1s
1h4e:1h2m
1h4f:1h2n
1h4g:1h2o
1h4h:1h2p
1h4i:1h2q
1h80:1h74
1h81:1h75
1h82:1h76
1h83:1h77 h w
1h84:1h78
1h85:1h79
1h86:1h7a
1h87:1h7b
1h88:1h7c
1h89:1h7d
1h8a:1h7e
1h8b:1h7f
1h8c:1h7g
1h8d:1h7h
1h8e:1h7i
1h8f:1h7j
1h8g:1h7k
1h8h:1h7l 4 w
1h8i:1h7m
1h8j:1h7n
1hj4:1hj5
1hj6:1hj7
1hj9:1hja
1hji:1hjj.1
1hjm:1hjn
1hjp:1hjq.1
1hju:1hjv.1
1hjm.1hjs:1hk7
1hkx:1hl1
1hpi.1hpl:1hpy
1huh:1hui
1huj:1huk
1hut:1huz
1iha:1ihb
1ite:1ivs.1
1itf:1ivu
1itg:1ivv
1iuq:1ivw
1iur:1ivx
1j44:1j45
1j4l:1j4m
1j48:1j4q
1jgg:1jfk
1jgh:1jfl
1jgi:1jfm
1jgj:1jfn
1jgk:1jfo
1jgl:1jfp
1jgm:1jfq
1jgn:1jfr
1jgo:1jfs
1jgp:1jft
1jgq:1jfu
1jgr:1jfv
1jgs:1jfw
1jgt:1jfx
1jgu:1jfy
1jgv:1jfz
1jgw:1jg0
1jgx:1jg1
1jgy:1jg2
1jgz:1jg3
1jh0:1jg4
1jh1:1jg5
1jh2:1jg6
1jh3:1jg7
1jh4:1jg8
1jh5:1jg9
1jh6:1jga
1jh7:1jgb
1jh8:1jgc
1jh9:1jgd
1jha:1jge
1jhb:1jgf
1jqj:1jqy 2
1jqi:1jqz
1jqk:1jr1
1jql:1jr2
1jss:1jt2 b
1jst:1jt3 b
1jsv:1jt4 b
1jsx:1jt5 b
1jrw:1jt6
1jrx:1jt7
1js0:1jt8
1jsb:1jt9
1jsf:1jta
1jsg:1jtb
1jsk:1jtc
1jsq:1jth
1kbq:1kcm.1
20dc:20cg
20dd:20ch
20de:20ci
20df:20cj
20dg:20ck
20dh:20cl
20di:20cm
20dj:20cn
20dk:20co
20dl:20cp
20dm:20cq
20dn:20cr
20do:20cs
20dp:20ct
20dq:20cu
20dr:20cv
20ds:20cw
20dt:20cx
20du:20cy
20dv:20cz
20dw:20d0
20dx:20d1
20dy:20d2
20dz:20d3
20e0:20d4
20e1:20d5
20e2:20d6
20e3:20d7
20e4:20d8
20e5:20d9
20e6:20da
20e7:20db
20fv:20f4
20fw:20f5
20fx:20f6
20fy:20f7
20fz:20f8
20g0:20f9
20g1:20fa
20g2:20fb
20g3:20fc
20g4:20fd
20g5:20fe
20g6:20ff
20g7:20fg
20g8:20fh
20g9:20fi
20ga:20fj
20gb:20fk
20gc:20fl
20gd:20fm
20ge:20fn
20gf:20fo
20gg:20fp
20gh:20fq
20gi:20fr
20gj:20fs
20hw:20hy
20i8:20ib
20ir:20it
20jh:20jj
g2a:20oj
2djz:2dk2
8h:2kys
fr:2kyt
6pz:2kzl 1m 1m 1m 1m
6pu:2l0b 1m 1m 1m 1m
2s.2mmw:2mmq
38.5u3:2mmv
2s.5ui:2mmx
38.5ug:2mn0
2oma:2olc
2omb:2old
2omc:2ole
2omd:2olf
2ome:2olg
2omf:2olh
2omg:2oli
2omh:2olj
2omi:2olk
2omj:2oll
2omk:2olm
2oml:2oln
2omm:2olo
2omn:2olp
2omo:2olq
2omp:2olr
2omq:2ols
2omr:2olt
2oms:2olu
2omt:2olv
2omu:2olw
2omv:2olx
2omw:2oly
2omx:2olz
2omy:2om0
2omz:2om1
2on0:2om2
2on1:2om3
2on2:2om4
2on3:2om5
2on4:2om6
2on5:2om7
2on6:2om8
2on7:2om9
19q:2plo 2o
1b5:2plq 2o
19r:2plr 1s
1c.1a:2q68
1c.18:2q69
1d.18:2q6a
1e.18:2q6b
1f.18:2q6c
1g.18:2q6d
1h.18:2q6e
1i.18:2q6f
1j.18:2q6g
1k.18:2q6h
1l.18:2q6i
9hw.37.9hx:2q7e
3b.3e:2q7i
2w.3a:2q8a
37.2s:2q8c
34.34.3a:2q8e
3b.2r:2q8f 1s
31.2r:2q96
31.2s:2q97
31.36:2q98
2x.2r:2qa3
37.2p:2qa5
2p.2q:2qa6
2s.2y:2qa8
2r.30:2qa9
2r.33.33.30:2qaa
2x.2s:2qac
33.2z:2qaf
3a.37:2qai
1f.2s:2qaj
1e.2z:2qal
1g.2z:2qam
1k.2z:2qan
1e.1e.1a.1e:2qaq
2w.2r:2qau
37.2w.3a:2qay
3a.33.2s:2qb0
9kr.9jf:2qdc
9jn.9jn:2qdd
i1j:2qdt
gjw:2qdu
hlm:2qdx
r8j:2qdy
fj8:2qe0
k68:2qe1
mch:2qe2
k2h:2qe3
g99:2qe4
ivg:2qe5
g3x:2qe6
k34:2qe7
g7x:2qe8
oqq:2qe9
rs9:2qeb
hkg:2qec
gmx:2qed
lxw:2qee
jh1:2qef
jmd:2qeg
si2:2qej
jk7:2qen
jf7:2qep
o01:2qeq
o6y:2qer
glk:2qes
lts:2qet
n5f:2qew
gaa:2qex
gxi:2qey
sp9:2qez
9hw.kdo.9hx:2qf4
9hw.fex.9hx:2qf5
9hw.fik.9hx:2qf6
9hw.i2x.9hx:2qf7
9hw.m9l.9hx:2qf8
9hw.jf7.9hx:2qf9
9hw.nh3.9hx:2qfa
9hw.gd9.9hx:2qfb
9hw.k0n.9hx:2qfc
ivr:2qfk
gkv:2qfl
`,
  /** Folded characters that a text may have as the two that Unicode maps them to. */
  pairs: `
2sz 3k
`,
  /** Folded characters: all in words, and of these the marks and those written without spaces between words. */
  letters: `
1c.9 14.p 3o 1f 7 j s p 3 2 3 4 6 3 4.2 3 5 2 3 2.1 2 7 2 3.2 2 2.4 q 8 1k 4 2 2 f.3 5 3.1 2 5 2 2 2
2.2b 8.5 a.8 5.b r 2 3n 2 4 4.2 1g.g 2.6 g 2 2 2 2 2 2 2 2 2 2 2 4 5 3.1 1g.v 3 2.2 2.3 4 2 2 2 2 2
2 2 2 2 2 2 4 2 2 2 2 a 2 2 4 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 5 2 2 2 2 2.1 6 4 8 8 e 4
2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 16 7.12 2 20.a 2.1 2 2.2 2 2.3 1i.1 6.o 2.5 2.1
11.1 2.2 6.1y 2 2.f 3 p.1 b.2 3 h 2.1 2.6 2.6 2.1 2.4 x.2s p.t d.1 b.n 3.1 11.o 8.a v.6 h.c 2.q
1o.10 2.6 2.1 2.6 2.j 5.2 9.3 e.f 5.7 3.1 3.l 2.6 2 4.3 4.7 3.1 3.2 a 9.3 d.1 3.5 3 9.5 5.1 3.l 2.6
2 3 3.1 5.4 5.1 3.2 4 b m.3 g.8 2.2 2.l 2.6 2.1 2.4 4.8 2.2 2.2 3 g.3 m c.7 3.1 3.l 2.6 2.1 2.4 4.7
3.1 3.2 9.1 8.4 e.6 c 2.5 4.2 2.3 4.1 2 2.1 4.1 4.2 4.b 5.4 4.2 2.3 3 7 p.2 j.7 2.2 2.m 2.f 4.7 2.2
2.3 8.1 2.2 6.3 t 5.7 2.2 2.m 2.9 2.4 4.7 2.2 2.3 8.1 8 2.3 e.1 i.8 2.2 2.15 2.7 2.2 2.2 b.c d.8 d.h
4.n 2.8 2 3.6 4 5.5 2 2.7 j.1 e.1k 7.6 1n.1 2 2.4 2.n 2 2.m 3.4 2 o.1 2p.2 2.3 2.3 2.3 2.3 2.3 2.b
3.1 5.1 2 6.3 3 4 4.a 2.3 2.3 2.3 2.3 2.3 2.b 20.17 2.8 4.5 i.1r b.3 1f.16 3.3 2.1 2.2 2 2.1 2.2b 2
2 2 2 4.1 4.1 2.1e s.3p 2.3 3.6 2 2.3 3.14 2.3 3.w 2.3 3.6 2 2.3 3.e 2.1k 2.3 3.1u o.a 4.f 2x.5 4.h7
3.g 2.p 6 2.1 3 2 2.1 4.3 5.3 4 3 2 2 2.3 5 3 4.1 3 2 2.8 b.7 8.l a.l c.j d.c 2.2 2.1 d.1f 3.f d 5 5
1w.2g 8.16 6.1x b.s 4.b 5.8 o.t 3.4 c.17 5.p 1j.r 5.1f 2.2 5.2 2.3 2.e 1g 2m.1a 2.m 1k.18 c.2 3 2 3
2 2 2 3 2.2 2 2 2 3 2.1 2.5 2 2.1 2 2 2.3 d.1i n.2 b.z d 2n c.1 a.17 4 c 1c.c 4.v 1k n 3 4w.1 2 2m 2
gf 1e.2 2 2.2 23s.1b 2 4.1 2 2 2 5 2.1 2.5 6 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 9 2 5 a 3.11 2 6 3.1j p.m a.6 2.6 2.6 2.6 2.6 2.6 2.6 2.6
q.1 3 1f d2 18 2 2 6 6 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 3 2 2.5 3 3 3 3 3.5 2 2 2.5 2.3 a 2n.1 8.14
2 39 2 6.1 3.2 6.2 2.3 3z c2.533 1t.h3g 1w.19 3.7g 1h 2 2 2 6 2 2 2 2 4 2 2 2 2 2 2 2 o 2 2 2 2 2 2
2 2 2 2 2 2 9.27 14.8 4 2 2 4 2 2.2 e 2 2 2 2 2 2 2 4 2 2 2 2 4 2 4 2 2 2 2 2 4.7 7 2 7 4 2.1 2 2.2
2 2 m 8 2 2 2 2 9 2 3 2 2 2 2 2 4 r.1 3.g 2.r 5 4.5 b.1f f.1u 1a 9 2.2 b.w 6.z d.s 8.13 2.5 2 2.a f
h.f b.4 2.1i a.d j.m 4.1w 2 2 p.2 3.f 3.4 b.5 3.5 3.5 a.6 2.6 2.7 2.x 6.5 3 8.3e 3 j.8mb d.m 5.1c
6qb.1 2 2.1 b 2 2.1 3.2 15j.b 2.p 2.i 2.1 2.e 3.d z.3e m.z d.1 3.3 2.5 2.7 9.i 2.4 j 6t.s 4.1c q.h
5.v 3.1 a.t 6.11 b.t 3.z 5.7 4.2 2b.39 1n.z 5.13 9.1f 1g.a 2.e 2.6 2.1 4.1f d.8m a.l b.7 49.5 3 2.17
2.1 4 3.m 6.i 2.7 8.2 2 2.2 2.4 2 2 2 2 2.6 2 f.2 1d.i 2.1 8.o 2.2 7.p 7.p 13.6 2.2 2 2 2.3 2.3 2
2.3 t.3 a.6 3.1d 2.1 6 4.3 2.2 2.s a 5.4 o.s 2 2.s 2.1 x.7 2.r 9.2 h.19 2.6 b.l 7.m a.l s.2 29 2.1
2.2 2 2 2 2 2 2.1 2 2 2 2 2 2.4 2 2 2 2.1 2.3 2 2 2 2 2.3 2 2 2 2.1 3c 2.7 3.4 2.9 2 3.2 2.6 2 2.4
a.13 13.5 q 6.k 6e.l 2.15 7.1 h.2 3 1l 2 2.1 2.7 3.1 2.1 3.2 8.4 a.k e.2 s.h 1b.k 5.2 l.l e.1v l.a
b.5 a 4.m 2 2.d 2.d 9 e.o r.1d g.3 9.y 4 d.1t a c 2 e.a c.h 2.w 2 a.2 1r.6 2 2.3 2.e 2.9 8.1a 2.8 2
r.7 3.1 3.l 2.6 2.1 2.4 4.7 3.1 3.2 3 7 6.6 t.9 2 3 2.11 2.9 2 3 2.2 5 2.1 2 19.1u 5.3 l.2 v.1q 4
2.1 2 55.1h 3.3 4 1t.1o 3 5 1o.16 3.9 2 20.4 2.f 2.2 4.e f.1 5.6 56.1i 3 3r.v b.8 d.7 3 3.7 2.1 2.t
2.1 5.5 2m.7 3.19 3.3 3.1 2.1 s.1e 2 j 9.1h k 4 j.20 2w.7 2h.w w.8 2.18 2.3 4.1 z.9 6.t 3.l 2.b 24.6
2.1 2.17 4 2.1 2 5.1 r.5 2.1 2.10 2.1 2.1 3.1 o.17 79.m c 2.c 2.14 4.4 32 g.k 18.pl 49.1 13.e o.5f
219.2o g.tr i.5 q.32y 6.g6 5a2.18 2.1 1ch.fs 8.u i.26 i.t j.1b h.3 o.6 2.k 6.i c1.18 6s.v b.9 14.o
19.5 2.b 2.g 2.o 2.a 5.1k 8.g 1t.1 2 h.2 a.5p1 16.v 2q.36 6pq.3 2.6 2.1 2.81 27.az 1s5.2y 6.c 4.8
8.9 4dt.9 n.9 3a.8 2a8.g 2.3 2 2.1 2.1 7.5 d2.18 b.6 h 8y.t j.17 dh.r 6d.t 3 5s.u 2.l 9.1 69.6 2.3
2.1 2.e 2.5g 2m.x 8 mn.14 b.2 4.1 2e.z a.6 3pf.wyn x.3dp 3.4gd 3.5rk g.h9 3hf.3t6
6.6jt
`,
  marks: `
1ie.a 2u.1 4 7z.1 3.h 6.2 b.1 2j.6 3.1 3.2 a b.1 2j.4 5.1 3.2 4 10 21.7 2.2 2.2 l.1 2j.6 3.1 3.2 9.1
b.1 2j.4 4.2 2.3 a 2v.6 2.2 2.3 8.1 c.1 2j.6 2.2 2.3 8.1 c.1 2g 3.6 2.2 2.2 b b.1 2v 5.5 2 2.7 j.1
1q 3.5 3c 3.8 51.1 2 6.3 3 4 9.5 2.3 2.3 2.3 2.3 2.3 2.b 37 2.8 4.5 o.3 5.2 2.2 3.6 4.3 e.b 2 b.3
19x.3 t.2 u.1 v.1 1v.f d 4z.1 z 3b.b 5.8 67.4 1m.2 5.2 2.3 2.e 5e.f 2l.c 1m 2.1 2 2 2.3 1d.i bg n 3
364.1 3 o3q 4 t.4 5 3s.g 1n 13.4 t.c 2p 2.a 11 1w.d d 9.1 1a.2 1f 2.2 3.1 6 19.4 6.1 6l.7 3 il0.2
2.1 6 1f mi jz.e 16 3.1 b 1d.9 9 2t.d h.1 31.d e 2m.7 2 c 4f.8 2 2c.6 3.1 3.2 a b.1 2d.8 2 3 2.2 5 2
2t.d 32.e 4 6l.6 3.3 4 35.c 3 32.9 2v.e 75.a 3 6v.5 2.1 5.1 2 2 3z.6 3.3 3 4 t.9 16 j a.a 1q 5j.7
5k.7 2.3 4 2b.l 2.b 3h.5 4 2.1 2 5.1 1x.4 2.1 2.1 3 9o.3 1q.6 4.4 d0c.e 2.1 2sg 2.1i 8.3 nkh 3 8.1
6
`,
  unspaced: `
2rl.1k 7.6 1n.1 2 2.4 2.n 2 2.m 3.4 2 o.1 81.17 2.8 4.5 i.1r b.3 1cz.1f 3.f d 5 5 4rt 1i 6 2 2 2 2 2
2 2 2 2 2 2 2 2 2 2 2 2 3 2 2.5 3 3 3 3 3.5 2 2 2.5 2.3 a 2o lf.533 1t.g73 1y9.f b.4 2q.m 4.5 fpr.1
2 2.1 b 2 2.1 3.2 n96 h.2 cmy.3 2.6 2.1 2.81 fkv.wyn x.3dp 3.4gd 3.5rk g.h9 3hf.3t6
6.6jt
`,
  /** Folded characters that are words by themselves. */
  symbols: `
10 7 h.2 w 2 s 2 10.4 3 3 2 2.1 12 w cr.3 d.5 7.1 6.6 2 2.g 3a 3l 3w 7f.2 3b.2 3 3.1 5r b 7h 8.1 3t
a2.1 7.1 6u 3j 3n.7 3p 5s 16 5i 5e.2 g 2.2 3.5 l 2 2 3q.7 2.5 2.1 6.3 5i.1 kx.9 k4 a6 9x 4g.v 9u.9
a.8 y0 e 26.6 3.o 1v 4 c 3.1 6.1 4 2 2 2 5 c 7.3 6.2 3 1n.1 5.9 3.h 2.t 4.1f 2.3 2.1 2.m 2 2.4 3 3.f
2.1 2.1 2 2.n 2.9 6.1 3.1 3.5 3.1 3.1 3.x 5.1b 5.5 5.p 5.s 3.72 n.a 52.h3 19.1c 3.u b.b6 n.1q 5.v
3.d 2.2u 4.2s 2.46 3.3t 6e.5 9y.1 bj.f 5 e.1 d g 7 6.2 9d.1 1b.11 a 40 5dt.1r h3l.1i fu.m a.1 2w.1
4e.3 b.3 fy.2 6a f.1 fuv.w a6.f 1t.1 1j.7 1a.2 e5.1 8q.8 1m.g 3.2 2.c 4 1c.18 1a3.1 106.1 8y.7 1nr
1p2.s evf.3 6 g2f 31g.5x 11.2 4.c3 7.m g.g 2o.37 1p.6t b.12 3.1g d.2 n.1 8.t 5.c 7.15 m.1t 4 57.2e
x6.e7 1k.3 1f.7 2.d 2.1 1c9 c0 1wt 4 3i ci.1 7j.17 5.2r d.e 3.e 2.e 2.10 o.2 w 1q.2 10 2.1 2.1 3 4.1
2.1 3.2 2 2 1l.p 2p.5 4b.6y 6.k8 4.g 4.c 4.61 7.b 5 g.b 5.1j 9.9 7.13 9.t 3.b 5.1 f.8 14.9j 9.d 3.c
4.a 4.1k 2 5.f 3.b 5.9 8.42 2.2j b
`,
};
