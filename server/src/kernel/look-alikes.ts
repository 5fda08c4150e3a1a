/**
 * What characters look like, from `confusables.txt` of UTS 39 and the names of letters. Made by `tools/look-alikes.ts` from
 * data files of Unicode (© Unicode, Inc., Unicode License v3, https://www.unicode.org/license.txt). `skeleton.ts` reads it.
 */
export const lookAlikes = {
  /** The version of Unicode. */
  unicode: '17.0.0',
  /**
   * A line for each text that characters look like: its code points in base 36, then those of the characters, each as the
   * difference from the one before.
   */
  table: `
10.6hs:2q6n
11k.13:414
11k.53:40q
11k:3mo dq 2qj 49 ppv 1nio
11w:8u8 14 160o
121:jj k
12:x2w
12d.2x:13b
12p:3o4
12s.12d:1dlg
12s.12j:1dlh
12s.12l:1dlj
12s.12u:1dlf
13.13.13.13:6dz
13.13.13:6d0 3
13.13:y ig z h 8 l8 2 4in nd 1 2 k 3 34d 14vz
13.14s:1dmh
13.2q:ap
13.2s:ay
13.32:95
13.34:bo
13.38:bw
13.3d:c3
132.12u:1dli
13:2o 2c ed 2 1 1 1 a 2 1 15 3k g d2 3 3g q e9 1 2fp hu 1rl 2 1c e 1 q 1 2 n 3 qqf ha3 1l m4x 1
13q:14d
13s:14e
13t:148
13u:144
14.14:948
14.1e.15:779
14.1e.33.15:77r
14.1f.15:77a
14.1g.15:77b
14.1h.15:77c
14.1i.15:77d
14.1j.15:77e
14.1k.15:77f
14.1l.15:77g
14.2p.15:78c 2iyc
14.2q.15:78d 2iyc
14.2r.15:78e 2iyc
14.2s.15:78f 2iyc
14.2t.15:78g 2iyc
14.2u.15:78h 2iyc
14.2v.15:78i 2iyc
14.2w.15:78j 2iyc
14.2x.15:78k
14.2y.15:78l 2iyc
14.2z.15:78m 2iyc
14.30.15:778 1f 2iy9 3
14.30.1e.15:77j
14.30.1f.15:77k
14.30.1g.15:77l
14.30.1h.15:77m
14.30.1i.15:77n
14.30.1j.15:77o
14.30.1k.15:77p
14.30.1l.15:77q
14.30.30.15:77i
14.30.33.15:77h
14.32.15:78p 2iyc
14.33.15:78q 2iyc
14.34.15:78r 2iyc
14.35.15:78s 2iyc
14.36.15:78t 2iyc
14.36.32.15:78o 2iyc
14.37.15:78u 2iyc 8
14.38.15:78v 2iyc
14.39.15:78w 2iyc
14.3a.15:78x 2iyc
14.3b.15:78y 2iyc
14.3c.15:78z 2iyc
14.3cw.15:9vk
14.3cw.3fl.15:9vy
14.3cy.15:9vl
14.3cy.3fl.15:9vz
14.3cz.15:9vm
14.3cz.3fl.15:9w0
14.3d.15:790 2iyc
14.3d1.15:9vn
14.3d1.3fl.15:9w1
14.3d2.15:9vo
14.3d2.3fl.15:9w2
14.3d3.15:9vp
14.3d3.3fl.15:9w3
14.3d5.15:9vq
14.3d5.3fl.15:9w4
14.3d7.15:9vr
14.3d7.3fl.15:9w5
14.3d7.3ft.3d8.3fp.3cy.15:9wd
14.3d7.3ft.3de.3fy.15:9we
14.3d8.15:9vs
14.3d8.3fl.15:9w6
14.3d8.3fy.15:9wc
14.3da.15:9vt
14.3da.3fl.15:9w7
14.3db.15:9vu
14.3db.3fl.15:9w8
14.3dc.15:9vv
14.3dc.3fl.15:9w9
14.3dd.15:9vw
14.3dd.3fl.15:9wa
14.3de.15:9vx
14.3de.3fl.15:9wb
14.3e.15:791 2iyc
14.9oc.15:9wg
14.fer.15:9wm
14.fex.15:9wi 2gin
14.fh9.15:9wo
14.fik.15:9wh 2gip
14.fis.15:9wk
14.fkz.15:9x5
14.flt.15:9x9
14.fm9.15:9xd
14.g2z.15:9wn
14.g31.15:9wl
14.gc4.15:9x4
14.gd9.15:2qfb
14.gg1.15:9wp
14.ggk.15:9xb
14.glp.15:9x0
14.gos.15:9x6
14.h5n.15:9wj
14.h7j.15:9wv
14.i1y.15:9x7
14.i2x.15:2qf7
14.jf7.15:2qf9
14.k0n.15:2qfc
14.k4l.15:9ww
14.kco.15:9wq
14.kcp.15:9wy
14.kdk.15:9wt
14.kdo.15:2qf4
14.kkq.15:9wx
14.ldg.15:9ws
14.m7f.15:9wr
14.m9l.15:2qf8
14.mm1.15:9x1
14.nh3.15:2qfa
14.nhf.15:9x8
14.ny6.15:9wz
14.nz1.15:9x3
14.nzh.15:9xc
14.pnu.15:9xe
14.po3.15:9xf
14.rs1.15:9x2
14.rt3.15:9xa
14.ssx.15:9wu
14:7s8 a 1pe 14iy e5
15.15:949
15:7s9 a 1pe 14iy e6
15c.14o:1dm7
15c.14s:1dm8
15c.15o:1dn3
15c:6k5 171o
15d:6k6
15e:6k7
15f:6k8 171m
15g:1dlv
15n:1dlw
15o:1dlx
15p:1dly
15u:1dls
160:1dlz
161.14s.lj:1dm5
161.14s:1dmx
161.lj:1dm3
162:1dm0
16:19p 541 cp 18g8
17.6f6:8br
17.le:8bn
17.lf:8bo
17.lj:6qc
17.lm:8bm
17.mb:8bp
17.mo:8bq
170:19o 7uu
17:4j1 3ag 179i 193i
17f:94l
17j:94e
17l.1hiy:1dp
17l:1e9s
17s.17w:1ds5 47
17s.17x.18p:1e4i
17s.17x:1ds6 47
17s.17y.18p:1e3i
17s.17y:1ds7 1w 2b 1g
17s.181:1duy
17s.182:1duz
17s.18l:1ds8 2s 1f 1u
17s.18m:1dv1
17s.18p:1ds9 1 2s 1
17s.190:1pd
17s.1cr:1g1
17s.1cy:1py
17s.33:1dwg 1u
17s:1ea7 1 1 1 1ban w 1s w w
17t:1c3 5nm 17am 1
17u.17w.18l:1e1c
17u.17w.18p:1e3j 1
17u.17w:1dsb 46
17u.17x.17w:1e1d 1
17u.17x.18l:1e1f
17u.17x:1dsc 46
17u.17y.18l:1e1g
17u.17y.18p:1e3l 1
17u.17y:1dsd 46
17u.181:1dv4
17u.182:1dv5
17u.18l.17w:1e1h
17u.18l.17x:1e1i
17u.18l.17y:1e1j
17u.18l.18p:1e3n 1
17u.18l:1dse 2s 1e 1r
17u.18m:1dv7
17u.18p:1dsf 1 2s 1
17u.33:1dwl 1r
17u.li:1q7
17u:1a2 1cdg 1 1 1 ms 1 1 1 1bb1 w 1s w w
17w.17x.18p:1e3q o
17w.17x:1dsl 42
17w.18k.w.17w.18k.30.18k.33:1e63
17w.18l.17x:1e1k 1
17w.18l.18p:1e3p 2
17w.18l:1dsm 42
17w.18p:1dz5 1 r 1
17w:1eal 1 1 1 1baa w w w w w
17x.17w.18p:1e4f
17x.17w:1dsn 42
17x.18l.18p:1e1m 1
17x.18l:1dso 42
17x.18p:1dz3 1 r 1
17x.190:1a9 6p
17x.1cr:1ad
17x:1eap 1 1 1 1bab w w w w w
17y.17w:1dsp 42
17y.17x:1dsq
17y.18l:1dsr 41
17y.18p:1dz7 1 r 1
17y:1eat 1 1 1 1ban w w w w w
17z.179:1ag 1ce8 1
17z.1cr:1am 1 1cdz 1
17z.le:1da
17z.mc.mb:1pq
17z:1eax 1 tz 1ag2 3k w
180.19s:1duj
180:1eaz 1 1bak 3k w
181.179:1ap 1ce3 1
181.183.18o.18k:1e5y
181.18p.30.18k:6gx 17p7
181.190:1gs
181.19s:1duk
181.1cr:1aw 1cdu 1
181.le:1db
181.li.lj:1q1
181.li:1aq
181:1eb1 1 1bad 3k w
182.le:1pu
182:1eb3 1 1b9y 3k w
183.17w.17x:1e1p
183.17w.18p:1e1q
183.17w:1dss 41 3r
183.17x.17w:1e1o
183.17x:1dst 41 3r
183.17y.18p:1e3s u
183.17y:1dsu 41 3r
183.181:1dzi s
183.18l.17w:1e1t
183.18l.17x:1e1r 1
183.18l.18l:1e1u 1
183.18l:1dsv 41 1j
183.18p:1dyz 1 r 1
183.1cr.17w.18p:1e21
183.1cr.17w:1dzd s 8 a
183.1cr.17x.18l:1e1z 1
183.1cr.17x.18p:1e3u
183.1cr.17x:1dze s 8 a
183.1cr.17y:1dzf s 8 a
183.1cr.181:1dzh s
183.1cr.18l.17y:1e22 1
183.1cr.18l.18l:1e24 1
183.1cr.18l:1dyh z s 8
183.1cr.18p:1dz1 1 r 1
183.1cr.33:1dyi 20
183.1cr:184 1d35 1 1 1 1ba4 w w w w w
183.33:1dyg 21
183.le:1ha
183:1eb5 1 1 1 1ba2 w w w w w
185.17x.17x:1e1w 1
185.17x.18p:1e3t
185.17x:1dsw 41
185.17y:1dwy
185.181:1dzj s
185.18k.189.18l:1e5x
185.18k.18p.w.30.18k.18k.33.w.189.18k.18p.33.w.18o.183.18k.18l:1e62
185.18k.18p:1e5s 9
185.18l.18l:1e1y 2n
185.18l:1dsx 42
185.18p:1dz9 1 r 1
185.1cr:1b2
185.mc.mb:1pr
185:1ebd 1 1 1 ty 1afz w w w w w
186.17w:1dsy 42
186.17x.18p:1e26 1p
186.17x:1dsz 42
186.17y.18l:1e27 1
186.17y:1dt0 42
186.181:1dzk s
186.18l:1dt1 42
186.18p:1dzb 1 r 1
186:1ebh 1 1 1 1ba1 w w w w w
187.17x:1dt2 42
187.18l.17x:1e29 1
187.18l.18l:1e2b
187.18l.18p:1e2c
187.18l:1dt3 7g 7
187.18p:1dyt 1 r 1
187.1cr:1b3
187:1ebl 1 1 1 tg 1ag0 2o w w
188.18l:1dt4 41 3m
188:1ebp 1 1 1 1b9u 2o w w
189.17w.18l:1e2d 27
189.17w:1dt5 41
189.18k.18p.33:1e5z
189.18l.18l:1e2e 1
189.18l.18p:1e2g 1q
189.18l:1dt6 41
189.18p:1dyv 1 r 1
189:173 1d4q 1 1 1 1b9f w w w w w
18:54 11x 2m 52n q8v
18a.17w:1dt7 41
18a.18l.18l:1e2h
18a.18l.18p:1e2i 1
18a.18l:1dt8 41
18a.18p:1dyx 1 r 1
18a:1ebx 1 1 1 1b9n w w w w w
18h.17w:1dt9 41
18h.17x:1dta 41
18h.17y.18l:1e2k 1
18h.17y:1dtb 41
18h.18l.18p:1e4h
18h.18l:1dtc 41
18h.18p:1dtd 1 22 1
18h:1bb 1d0q 1 1 1 1b98 w 1s w w
18i.17x:1dtf 3z
18i.18k.18p:1e5t
18i.18l.17x:1e2m 1i
18i.18l.18l:1e2n
18i.18l.18p:1e42
18i.18l:1dtg 3z
18i.18p:1dth 1 20 1
18i:1ec5 1 1 1 1b96 w w w w w
18j.17w:1dtk 3w
18j.17x:1dtl 3w
18j.17y:1dtm 3w
18j.18k:1dtn 1y 1y 10
18j.18l.18l:1e4b 8
18j.18l.18p:1e47
18j.18l:1dto 1y 1y 10
18j.18p:1dtp 1 1x 1
18j.1cr:1bh 52 1ca8 1 1 1
18j.30:1dtj 21
18j.li:1qa
18j:1bd 1 1cdg 1 1 1 nc 1 1 1 1b8u w 1s
18k.17w.17w:1e2r 1
18k.17w.18l:1e4a 2
18k.17w.18p:1e3w
18k.17w:1dtr 3u
18k.17x.18l:1e2o 1h
18k.17x.18p:1e2p 1
18k.17x:1dts 3u
18k.17y.18l:1e2t 1
18k.17y:1dtt 3u
18k.18l.17x:1e2v 1
18k.18l.18p:1e3x
18k.18l:1dtu 1v 1z x
18k.18p:1dtv 1 1u 1
18k.1cr:1br
18k.30.191:1ed5 1
18k.30.19w:1ed3 1
18k.30.lf:1ed1 1
18k.30:1ed7 1
18k.33:1dxp
18k.li:1bp
18k:1ecd 1 1 1 1b8r w w 1s w
18l.17w.17x:1e30
18l.17w.17y:1e36
18l.17w.18l:1e31
18l.17w.18p:1e4g
18l.17w:1dtx 3t
18l.17x.17w:1e2x
18l.17x.18l.17z:1e5w
18l.17x.18l:1e2y
18l.17x.18p:1e2z
18l.17x:1dty 3t
18l.17y.17w:1e32
18l.17y.18l:1e33
18l.17y.18p:1e49
18l.17y:1dtz 3t
18l.18l.18p:1e41
18l.18l:1du0 1t 20
18l.18p:1du1 1
18l.1cr:1pj
18l.1hiy:1dq
18l.30:1dvs
18l:1ech 1 1 1 1b8o w 1s w w
18m.179:1go
18m.17w.17x:1e48 5
18m.17w.18l:1e3b 1
18m.17w.18p:1e3d 1a
18m.17x.18l:1e39
18m.17x.18p:1e3a t
18m.17x:1du4 3r
18m.17y:1du5 3r
18m.181:1dvu
18m.182:1dvv
18m.18l.18p:1e3e 1
18m.18l:1du6 1q 21 p
18m.18m:1dvx
18m.18p:1du7 1 1q 1
18m.33:1dxy p
18m.li:1gp
18m:1ecl 1 1 1 34u 183r w w w w w
18o.183.18k.18l:1e60
18o.190:17o
18o.19s:1c8 1cer 1
18o.19w:19y 1czz 1
18o.1cr:1cb 1cer 1
18o.le:1c9 1cex 1
18o.li:1c6 1cer 1
18o.lv.19w:19z 1ch2
18o.lv:1c7 1ceo 1
18o:1pt 1cn0 1 s6 1ag1 3k w
18p.179.li:1q8
18p.179:1a1 1u 1cbv 1 1 1 1j 1 1 1
18p.17w.18p:1e3z
18p.17w:1dud 3p
18p.17x.18p:1e3y
18p.17x:1due 3p
18p.17y:1duf 3p
18p.181:1dw1
18p.182:1dw2
18p.18l.18l:1e3g 1
18p.18l.18p:1e40
18p.18l:1dug 1n 22 j
18p.18m:1dw4
18p.18p:1duh 1 1n 1
18p.190:17q hu 1c08 1
18p.19s:1dul 1f
18p.19w.17w:1ds0 47
18p.19w.17x:1ds1 47
18p.19w.17y:1dw9
18p.19w.181:1dus
18p.19w.182:1dut
18p.19w.18l:1ds2 2s 1g 1x
18p.19w.18m:1duv
18p.19w.18o.19s:1dro 1
18p.19w.18o.li:1drm 1
18p.19w.18o.lv:1drk 1
18p.19w.18o:1dri 1
18p.19w.18p:1drt 1 1 8 1 2s 1
18p.19w.1a3:1drq 1 1
18p.19w.30:1dre 1
18p.19w.33:1drg 1 4u 1x
18p.19w:1a0 1d01 1 1 1
18p.1cr.17w:1dsh
18p.1cr.181:1dva
18p.1cr.182:1dvb
18p.1cr.18l:1dsi 2u 1a 1r
18p.1cr.18m:1dvd
18p.1cr.18p:1dsj 1 2u 1
18p.1cr.1cy:1pz
18p.1cr.33:1dye
18p.1cr.li:1q6
18p.1cr:17v k 1r 1r k 3l 1c78 1 1 1 n4 1 1 1 1bay w 1s w w
18p.33:1dy6 j
18p.le:18d
18p.li.lj:1q2
18p.li:1ce 3s
18p.lm:1ov
18p:18q 10 24 i 6 dn 1bz5 1 f 1 1l 1 j 1 1 1 kw 1 1 1 1 1 1b85 j 1 c w k c j d w
18s:1r9 3 9
18t:1rm
18w:lz lf
19.1a:wla
19.lj:6rc 22i 1 14s6
19.lk:93u
19.lv:8bt
19.mb:8bu
191:19b
19:k7 sd 4zg 1 1 1 1c cv 138 10k 1 15el
19e:1de w65
19f:1df 2n6e
19g:1dg
19i:1di
19l:1dl ha 1hml
19s:lp
19t:1dn4 1
1a.18:wl7
1a.1a.1a:6cm
1a.1a:6cl q8l
1a3:1cg 1caq 1 1 1 3z 1 1 1
1a7:1dnm 1 1 1
1a8:1dne 1 1 1 3u2
1a:19c 40 h 1 4yq q8k 7q jsy 13bx
1ab:1do6 1 1 1
1ac:1do2 1 1 1
1ae.li:1q9
1ae:1doa 1 1 1
1af:1doe 1 1 1
1ai.179:1aj
1ak:1dok 1
1al:1doi 1
1av.179:1gx
1b.1b.1b:8hn
1b.1b:8hp
1b.lg:8ae
1b5.1cr:1b8 4 1cci 1 1 1
1b5:19r gc 1 2nvm 1 1s v
1b6.1cr:1pg
1b:4l1 1sc 3 cx nw gq fh jy 1 fw 8g 4b 79 5m4 24mz
1ba:1dny 1 1 1
1bg:1gi
1bj.1cr:1bo
1bj:1ps 1bz6 1 1 1
1bl:1dp6 1 1 1
1bn:1dp2 1 1 1
1c5:1dr4 1
1cr:59w 17r
1e.18:2q6b
1e.1a:77t
1e.1e.k4l:a9h
1e.1e.m9l:a5q
1e.1f.k4l:a9i
1e.1f.m9l:a5r
1e.1g.k4l:a9j
1e.1g.m9l:a5s
1e.1h.k4l:a9k
1e.1i.k4l:a9l
1e.1j.k4l:a9m
1e.1k.k4l:a9n
1e.1l.k4l:a9o
1e.30.k4l:a9g
1e.30.m9l:a5p
1e.33.1a:78b
1e.33.k4l:a9f
1e.33.m9l:a5o
1e.k4l:a8x
1e.kco:a0x
1e.m9l:a56
1e.mt:cb
1e7z:1ef2
1e9e.18x:1dum
1e9g.18x:1dun
1e9i.18x:1duo
1e9j.18x:1dyq
1e9k.18x:1dup
1e9l.18x:1dyr
1e9m.18x:1duq
1e9n.18x:1dys
1e9o.19s:1dur
1e:br g1 3br sqt 4r 2z 1lzs 25a a a a a 73u
1ehq:9ln
1ehr:9lo
1f.18:2q6c
1f.1a:77u
1f.30.k4l:a9q
1f.33.k4l:a9p
1f.k4l:a8y
1f.kco:a0y
1f.m9l:a57
1f.me:wo
1f3c:6tx 1gs om1 1uha
1f3w:7gd 2clz 7ao
1f40:89i
1f9e:1fbl
1f9v:1fbn
1f:c7 2t e3 5l w9 ao 6nn 14 8 o7y 1t mcf h2p iig 103 157 a a a a 73u
1fa2:1kxk
1fde:x3u
1fei:x3v
1fg:1fm
1fgm:1fhc
1g.18:2q6d
1g.1a:77v
1g.53:46o
1g.k4l:a8z
1g.kco:a0z
1g.m9l:a58
1g4:1gn 8y
1g:3wu 1fj5 zlx 25a a a a a 73u
1ggu:7j9 1h3o
1gly.1gly:1glz
1h.18:2q6e
1h.1a:77w
1h.k4l:a90
1h.kco:a10
1h.m9l:a59
1h1e:1h4s
1h2d:1h4q
1h:cc 1j3z zlm 25a a a a a 73u
1hiy:nc
1i.18:2q6f
1i.1a:77x
1i.k4l:a91
1i.kco:a11
1i.m9l:a5a
1i:rw 1x 33x 4x0 1 9 1am1 zkx 25a a a a a 73u
1ik4.1iki.1ij6:1ij7
1ik4.1iki.1ijc:1ijd
1ik4.1iki.1ijn:1ijo
1ik4.1iki.1ijt:1iju
1ik4.1iki.1ijw:1ijx
1ik4.1iki.1ijy:1ijz
1ikr.1ikr:1iks
1ite:1ivs 1
1itf:1ivu
1itg:1ivv
1iuq:1ivw
1iur:1ivx
1iyp.1iyp:1iyq
1j.18:2q6g
1j.1a:77y
1j.k4l:a92
1j.kco:a12
1j.m9l:a5b
1j:1fiq 3xw zld 10b 14z a a a a 73u
1jvp.1jvp.1jvz:1jvt
1jvp.1jvp.1jw0:1jvu
1jvp.1jvp:1jvs
1jvp.1jvz:1jvq
1jvp.1jw0:1jvr
1jvv.1jvv.1jvz:1jvy
1jvv.1jvv:1jvx
1jvv.1jvz:1jvw
1jw3.1jvz:1jw4
1jw3.1jw0:1jw5
1jw3.1jw3.1jvz:1jw7
1jw3.1jw3.1jw0:1jw8
1jw3.1jw3:1jw6
1jz6:1ue 6j
1jz7:1uf 6j
1jz8:1tz 74
1k.18:2q6h
1k.1a:77z
1k.k4l:a93
1k.kco:a13
1k.m9l:a5c
1k5d.1k5d:1k5e
1k8a:1k8i
1k:f6 1 1jb 3k 49 1d07 13vi 25a a a a a 3bh 3sd
1l.18:2q6i
1l.1a:780
1l.k4l:a94
1l.kco:a14
1l.m9l:a5d
1l:1yl 3e 75 ed 671 1 o83 mda w a zkz 25a a a a a 73u
1m.1m.1p:8dw
1m.6mq:8ac
1m:k0 14 i9 1m 8w 1 e7 ao 2g9 7r 6 1n5 d8 ptz i4 h47 6i 62n
1n:ou
1o.1o.1o:6vs
1o.1o:6sq
1o.53:405 2vl 1y6 1
1o:jm 3g6 hm 1vr 1f9 2caw
1p.1p.1p:8dy
1p.1p:8dx
1p.59u:8ly
1p.6i8:8dq
1p.le:6s9
1p.li:6sa
1p.lj:6s0
1p.lm:6s7
1p.mb.lj:6s1
1p.ob:6se
1p:3y8 56o gw mzj
1q.1o:8f9
1q.1q.1q:6vt
1q.1q:6sr 1it
1q.53:401
1q:jn 3g0 2dj 1f9 1sr4 jjs
1r.1r:6dj
1r.x:6dk
1r:g1 2b 1d5 20h t31
1s5.1tm:1v7
1s5.1tq.1jz8:1sj
1s5.1tq.1tm:1v8
1s5.1tq.1ty:1si
1s5.1tq.1u0:1sk
1s5.1tq.li:1sh
1s5.1tq:1s6
1s5.1ty:1s4
1s5.1u7:1v9
1s5.li:1v6
1s9:204
1sf.1jz8:1sg
1sf.1ty:1se
1sf.li:1sd
1sv:1zz
1sw:200
1sy:20b
1t0.1u5.1t0:1zw
1t6.1u5.1sv.1jz8:1zj
1t6.1u5.1sv.1xb:1zb
1t6.1u5.1sv.20w:1zc
1t6.1u5.1sv:22a
1t6:207
1t9:20e
1ta:20o
1tc.1u5.1s7:1s8
1th:1zp
1tl:20l
1tm:1i2z 1w5
1tp:24d
1tq.1tm:1tn
1tq.li:1u1
1tt:24h
1tu:24i
1ty:217
1u0:214
1u5:219 3k
1us.1us:1ut
1us:x80
1uw:240 1k
1uy:25m
1v2:25q
1v4:25s 5h8 1a8f 7g
1v5:k9 22d
1vn:1z7 e8 3k 3k 3k j9 1fgp
1vp.1xa:1vq
1vv.1xf:1y8 1
1w8:1imq
1wa:1ims
1wc:1imu
1we:1imw
1wf:1imx
1wh:1imz
1wj:1ine
1wk:1in2
1wl:1in3
1wm:1in4
1wn:1in5
1wo:1in6
1wq:1in7
1ws:1ind
1wu:1inb
1wv:1inc
1ww:1yo 1gor
1wy:1in1
1x3:1inh
1x4:1ini
1x9:1io4
1xa:1ink
1xb:1tr 74 1gmq
1xj.1xa:1inw
1xj.1xz:1iny
1xj:1int
1xp:1io2
1xz:1inx
1yf:1ioh
1yg:1ioi
1yk:1iom
1z9.1u0:1zk
1z9.20u:1za
1z9.218:1zo
20hs:6kj
20oj:g2a
22b.1jz6:1zd
22b.1jz7:1ze
22t.24e.24l:235
22t.24e.24n:237
22t.24e.24o:238
22t.24e:22u
22t.24l:231
22t.24n:233
22t.24o:234
26d.27y:26e
287:375
29x:2cu
2a0.2bl:2cr
2a0:2b4 e
2a1.2b7:2a2
2a1.2mv:2kq
2a1:2co 81
2a6.2b9:2d3
2a6:2ct
2a8:2ak ao
2aa.2b7:2ac
2ad:2cn
2ai.2bl:2cs
2ai.2bm:2cy
2ai:2cq
2an.2bj:2m2
2ar.2ml:2nu
2ar:2lf
2aw.2bk:2d6
2ax:2bs
2b2.2bk:2d0
2b2:2lh
2b3:2cw
2b7:2c7
2b8:2lw
2b9:2l2
2ba:2bc am
2bb:2d4
2bj:2m7 1
2bq.2a0:2bu
2bq.2b7:2bw
2bq.2bq:2mg
2bq.2ku:2kw
2bq:2me
2br.2a0:2bv
2br:2mf
2cz:2d1
2dh:2h1
2di:2h2
2dj:2h3
2dk2:fim
2dn.2f2:2g0
2do.2f2:2g1
2ds:2hc
2du.2fg:2dw 3k
2du.2fp:2dv 3k
2du:2he
2dz:2hj
2e4:2ho
2e5:2hp
2e6:2hq
2e7:2hr
2e9.mb:2ea
2eb:2hv
2ee:2hy
2ef.14s:2ed
2eg:2i0
2ek.mb:2el
2en:2i7
2eo.14s:2e8
2eo:2i8
2ep:2i9
2eq:2ia
2er:2ib
2et.2f2:2ex
2et.2f5:2em
2et.mb:2ev
2f3:2in
2f5.2f2:2f6
2f5:2ip
2f7.2f2:2f8
2f7:2ir
2fw:2jg
2g7:2jr
2g8:2js
2gf:2jz
2h8.2im:2jl
2hi.mb:2dy
2j22:2qrx
2j24:2qtf
2jei:2qnr
2jej:2qqq
2jek:2qlv
2jel:2qmm 1
2jem:2qmq
2jen:2qmr
2jfk:83j
2jg0:88l
2jx4.2jxh.2jxq:7l6
2jx4.2jxh:7l5
2k.2k:762 1pr
2k.40l:7uw
2k:6qe 14n fc 4 zt k2 5lu ysy 5w 15n7 18
2kn.2mv:2ko
2ky.2m6:2kz
2ky.2mv:2l0
2la:2n5
2li.2ml.2ls:2nf
2lk.2m9:2ks d 2o
2lk.2ml.2lk:2ng
2lk.2ml.2lq:2my
2lk.2ml:2nj c
2ls.2ml:2ne i
2ls.370.37d.2ls.370:36r
2ls.370:35s
2ls.37i:39d
2ls:2lt k1 5y
2lu.2ml:2nx
2lv.2ml:2ny
2lx.2ml.2ls:2ni
2m1.2ml.2lq:2nq
2m9:2ma 1
2m:jo 2
2n:1kq 1cnn 1 1
2oh.2q2:2oi
2oh.2qh:2oj
2oh:2ph
2ok:2pl
2or:2pi
2ow:2ps
2oy:2qy
2p.1b.2r:6io
2p.1b.37:6ip
2p.2p:x0y 1
2p.2t:5i w ry 1
2p.33:x10 1
2p.36:2rd3
2p.39:x12 1
2p.3a:x14 1 1 1
2p.3d:x18 1
2p.lc:5c w
2p.ld:5d w
2p.le.lc:61y 1
2p.le.ld:61w 1
2p.le.lf:622 1
2p.le.ll:620 1
2p.le:5e w 80 1
2p.lf:5f w
2p.lg:74 1
2p.li.lc:628 1
2p.li.ld:626 1
2p.li.lf:62c 1
2p.li.ll:62a 1
2p.li:76 1 5m 1
2p.lj.lg:dc 1
2p.lj:fa 1
2p.lk.lg:da 1
2p.lk:5g w
2p.ll:61m 8 1
2p.lm.ld:e2 1
2p.lm:5h w
2p.lr:e8 1
2p.mb.le:624 1
2p.mb.li:62e 1
2p.mb:61s 1
2p.md:5xc 1
2p.mg:78 1
2p.mq:706
2p:1t e1 m 1 8w w 2n w 322 ey 1 1ff 3z mc 99 ai 1rf a nsv 1 1aj giv w nz lgg ihi 11d dl q q q q q q q q q q q q q q q q q q q q q q q q q u q w q w q w q w q 52e w 3a
2pb:2qz
2pj:2pw
2pv.2qg:2od
2q.13:420
2q.30:tn
2q.53:41r
2q.lg:aq 1 i6
2q.lj.53:41t
2q.lj:41f 1vz 1
2q.lw:gj
2q.mb:5xg 1
2q.mp:5xi 1
2q.mt:ao ki 1 15 1
2q6l:7ai
2q6m:6nu
2q:1u 8y 5b 2e 6x 3k q 6 1zh 13k 11 8 3a 8t 20 1e4 2x k n3 31 28m 1 nrh jq 1 t h9q o0 v 2o l9x ild 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q u 1m 1m 1m 1m 534 w 3a
2qw.2q7:2qx
2qw.2qb:2r3
2r.13:av
2r.1b.33:6it
2r.1b.39:6iu
2r.6hs:2q9a
2r.6i3:6g1
2r.ld:7a 1
2r.le:7c 1
2r.li:7g 1
2r.lj:7e 1
2r.me.ld:5xk 1
2r.me:5j w qr 1
2r.mq:707
2r.mw:4i be
2r:1v 91 4z q 6 82 1k 1p 3 4 6 5 t w j 59 25v 2e p1 1t1 pq a 9 25 17 1s g af 1w4 1 r 1 nqt h0 1 2b 1 1 1c rb k ghg w nz 2o 7n k k 67 3w2 r 9 zja 1ey q q q q q q q q q 1g 1g q q q q q q q q q q q q 1m m 10 m 10 m 10 m 10 m 1g9 3lh w 3a 12c
2rco:2j23
2rm:2rn
2ro:2s4 1
2rps:6o4
2rpt:6oc
2rq:2sh
2rs:2vc
2ru:2rv
2ry:2rz
2s.13:41z
2s.3e.li:ck 1 1
2s.3e:dt 1 1 4w 2
2s.53:41n
2s.f1:is
2s.lg:b0
2s.li:7i 1
2s.lj:5xm 1
2s.lw:gn
2s.mb:5xo 1
2s.me:5xs 1
2s.mg:gm
2s.ml:5xu 1
2s.mp:5xq 1
2s.mt.mp:6gb
2s.mt:5s 1s 1 3c
2s0l:7kn
2s0n:7kt
2s1:2s7
2s:1w 93 46 kg 2x 2t2 1z 3s a7 c 1ej 2w k g qc 1 14 g pxw 1 l0 1 q0 1l61 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 1p4 3la w 3a
2sa:2vu
2sb:2vv
2sca:2qz8
2sd:2vx
2se:2vy
2sf:2vz
2sg:2sm
2si:2vh
2sv:4pg
2sy:2th
2t.33.mt:xtu
2t.33.mw:xtt
2t.33:5qs
2t.ke:gq
2t.lc:5k w
2t.ld:5l w
2t.le.lc:62o 1
2t.le.ld:62m 1
2t.le.lf:62s 1
2t.le.ll:62q 1
2t.le:5m w 7w 1
2t.lf:62k 1
2t.lg.lc:5xw 1
2t.lg.ld:5xy 1
2t.lg:7m 1
2t.li:7o 1 5 1
2t.lj:7q 1
2t.lk:5n w
2t.ll:62i 1
2t.lr:ec 1
2t.mb.le:62u 1
2t.mb:62g 1
2t.me.li:5y4 1
2t.me:fc 1 hc
2t.mg:7s 1 py
2t.ml:5y0 1
2t.mo:5y2 1
2t.mw:g6 1
2t0:4on
2t1:4oo
2t2:4op
2t3:4oq
2t4:2wo
2t5:2wp
2t:1x 95 2 25 3f 1 3 1 1 1o 6z 3k w 2 3q s 1j 2vw v 1to 1 3u 1 1 oj 13 1 1 n 58 70 1vd 3 5a 1 nna 1 j0 ph 1 1 20 gix w n5 aj 15 o 410 8 h33 ii5 11j df q q q q q 26 q q q q q q q q q q q q q q q q q u 1m 1m 1m 1m 534 w 3a
2tc.2tc:2td
2tcy:464j
2tk:2x4 1s3
2tl:2x5
2tm:2x6
2tn:2x7
2tr:4pl
2u.2p.3c:6kb
2u.2u.2x:1dkz
2u.2u.30:1dl0
2u.2u:1dkw
2u.2x:1dkx
2u.30:1dky
2u.32.mh:ix
2u.lj:5y6 1
2u.me:b5
2u.ms:5ta
2u2:4ph
2u3:4pm
2u58:464y
2u5h:46cb
2u6j:4652
2u:1y 8p j ga bs 374 1ji 7v ee 3y q0c gj 2w 1 po h8y u hs 3ul w zkp 114 du q q q q q 1g q q q q q q q q q q q q q q q q q q 8r 51n w 3a
2ud6:464t
2upw:46hl
2uvy:46hp
2v.13:b7
2v.ld:dw 1
2v.le:7w 1
2v.lg:5y8 1
2v.li:7y 1 5j 1
2v.lj:80 1
2v.lw:gw
2v.me:82 1
2v.mt:dg 1
2v58:465w
2v:1z 92 5w 1 iy 1 38 2tb 1f 8 1vg c mn 2g q18 ju 1 b p6 2i gjb 14lx 1ey q q q q q q 1g q q q q q q q q q q q q q q q q q 1o1 1 3mc w 3a
2vdv:4660
2w.le:84 1
2w.li:f2 1
2w.lj:5ya 1
2w.lk:5ye 1
2w.lw:h2 3gs syr
2w.mb:5yc 1
2w.me:xz 1 1 1 50e 1
2w.mh:wy 1 7us
2w.mm:5yi 1
2w.mp:61i
2w.mt:86 1 ms 5o4
2w:20 f1 1j i 1 5d 13 3q w 3i 51 2t4 8 b 7 ca 2a7 1 1 1 28q d 1 o 1 nrs cq 64 t 23 1 p6 b gil w p3 13wu 1ey q q 1g q 1g q q 1g 1g q q q q q q q q q q q q t 1m 1m 1m 1m 535 w 3a
2wb.2vt:2xo
2wb.2w1:2xp
2x.2x.2x:6lu
2x.2x:6lt
2x.2y:8j
2x.3a:6lv
2x.3c:6m0
2x.lc:6k
2x.ld:6l
2x.le:6m 7x
2x.lf:89
2x.lg:8b
2x.li:8d 4j
2x.lk.ld:5yn
2x.lk:6n
2x.ll:62x
2x.lr:eh
2x.mb:62z
2x.mg:8f
2x.mo:5yl
2x.mq:708
2x.mt:h4 5cj 1
2x9g:466x
2x:8h 8o 1 35 4f 1r 4d 8c 2sj 1us 3x fc aj f 14 eb 1sw o1g 10u gk4 516 110f 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g 1g i 12 1m 1m 1m 1m 1go 3lq w 3a
2xm0:2xlz 18l5
2xnu:4675
2y.53:42h
2y.le:8k 1
2y.li:ds
2y.mt:g8 1
2y88:467g
2y:22 gj 6a 38 l 28 30z 6a 1od u7 pzk k9 qx gj3 w 14lx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 5ae w 3a
2yhk:467l
2yvf:46bc
2yz:2z0
2z.13:bc
2z.ld:5yo 1
2z.li:dk 1
2z.lw:bd
2z.mb:5yq 1
2z.me:8m 1
2z.mh:wq 7v3
2z.mp:5ys 1
2z.mt:wu 5jj qkz
2z1.2z1:2z2
2z1g:467v
2z1i:467x
2z:23 gj 70 3k 34c kv 186 3d py 280 16 nr7 h6 1 1 1 1 2l 1 d ha3 165 13go 1ey q q q q q q q q q q q q q q q q q q q q q q q q q t 1m 1m 1m 1m 1gq d 3m2 w 3a
2ze.2ze:2zf
2ze.2zh:2zj
2zh.2ze:34e
2zh.2zh:2zi
2zr7:4689
2zrz:46d5
30.13:169
30.18:2q6a
30.18j.17s.181:1e5v
30.18k.18k.18x.19s.33:1e5u
30.190:17n
30.191:17p 26 1d04 1
30.19w:19u 3 1czy 1
30.1a:77s
30.1e.1a:783
30.1e.k4l:a97
30.1e.kco:a17
30.1e.m9l:a5g
30.1f.1a:784
30.1f.k4l:a98
30.1f.m9l:a5h
30.1g.1a:785
30.1g.k4l:a99
30.1g.m9l:a5i
30.1h.1a:786
30.1h.k4l:a9a
30.1h.m9l:a5j
30.1i.1a:787
30.1i.k4l:a9b
30.1i.m9l:a5k
30.1j.1a:788
30.1j.k4l:a9c
30.1j.m9l:a5l
30.1k.1a:789
30.1k.k4l:a9d
30.1k.m9l:a5m
30.1l.1a:78a
30.1l.k4l:a9e
30.1l.m9l:a5n
30.2y:8i 45 1 1
30.30.1a:782
30.30.30:6le
30.30.k4l:a96
30.30.kco:a16
30.30.m9l:a5f
30.30:ch tr 55y 97 5g
30.33.1a:781
30.33.k4l:a95
30.33.kco:a15
30.33.m9l:a5e
30.33:tq
30.37:iy
30.38:6gm
30.3a:6lf
30.3c:6lk
30.3e:iz
30.53:8v 1 3uf
30.f1:ha
30.k4l:a8w
30.kco:a0w
30.lc:5o
30.ld:5p 30 1
30.le:5q 8s
30.lf:88 1e1l 1
30.lg:8a
30.li:8c h 1 41
30.lj:8g
30.lk.ld:5ym
30.lk:5r
30.ll:62w
30.ln:1e0s 1
30.lr:eg
30.m9l:a55
30.mb.lg:5yw 1
30.mb:5yu 1 43
30.me:8r 1
30.mg:8e 8v
30.ml:5z0 1
30.mo:5yk
30.mp:5yy 1
30.ms:h7
30.mt.30.mt.37.mt:1evs
30.mt.30.mt:1evt
30.mt:bb 3
30.mw:8x 1
3035:468h 1
30:1d o 3 1c 7u 16 38 9 1b 1f 6y 31 56 f 6p l a 20 1m 40 61 2dw 5o ev 1c4 mt 2e 1 1 1 25 c g 4n d6 1nn 1 1 1c 1q 1 3i nma h gm 1 1j 1 d v p6 1 1 39 gdb 1 4b z 4c iq 3j n 6z 14 6b 3ul f 10o 7 fyh 30 i iie 3 g 115 da 3 q n 3 q n 3 q 1g n 3 q q q n 3 q n 3 q n 3 q n 3 q n 3 q n 3 q n 3 q r 1m 1m 1m 1m 1j a a a a 1ei 2 j 1wh 115 3k kb w 3a 1z4
30t0:4690
3138:1djk
313e:1djj
31c.31w.32a.2z8:2yr
31c.31w.32a.327:2yq
31e:31m
31k.324.326:2yo
31n0:469k
31td:469q
32.2y:cq 1 1
32.33:6ja
32.lc:e0 1 h0
32.ld:8z 1
32.lf:5t w
32.li:93 1
32.lj:5z8 1
32.lm:1evi
32.mb:5za 1
32.me.li:wb
32.me:91 1 2f
32.mg:hf
32.mh:97 2b ex cb 2jx2 1m 1m 1m 1m
32.ml:5ze 1
32.mp:5zc 1
32.ms:5tc
322.322:323
324.324:325
32:26 cy l 1p 2 77 12 z m 2q 7 8p 4 3x2 qk q 2n m7 33 13 28u 1 6 nr3 j4 1 j 1 pi gkz 10f 5i kvi ile 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q t t g d t g d t g d t g d t g 1ge 3li w 3a
32mi:46a2
33.13:3vo
33.17w:1du9 3q
33.18:2q69
33.18l.17w:1e37
33.18l.18l:1e38
33.18l:1dua 3q
33.18p:1dub 1
33.190:1c2 1cde 1
33.19s:1dy1
33.1a:2q68
33.2ls.33:2n3
33.2t:9e 1 83 xd8
33.33:6qm q62 1 51 1
33.370:368 5j
33.lc:5u w
33.ld:5v w
33.le.lc:636 1
33.le.ld:634 1
33.le.lf:63a 1
33.le.ll:638 1
33.le:5w w 7u 1 z4
33.lf.ld:5zg 1
33.lf.lg:fg 1
33.lf.lk:5zi 1
33.lf:5x w
33.lg.lc:5zk 1
33.lg.ld:5zm 1
33.lg:98 1
33.li:9a 1 3m 1
33.lj.lg:fk 1
33.lj:fi 1
33.lk.lg:fe 1
33.lk:5y w
33.ll:632 1
33.ln:9c 1
33.lr:ek 1
33.m3.lc:63g 1
33.m3.ld:63e 1
33.m3.lf:63k 1
33.m3.ll:63i 1
33.m3.mb:63m 1
33.m3:bk 1 xjn
33.m9l:a54
33.mb.le:63c 1
33.mb:630 1
33.mg.lg:do 1
33.mg:dm 1
33.mt:bj 5y 83 w p z 3i 1 39 1 2xh 19 2wb 7 5r 1t0 1 4g o49 1 ub 19 1m5b wl a g k c a g k c a g k c a g k c a g k 66n
33.mw.ld:e6 1
33.mw:60 w 8qx ovx 1
335k:468n
33:1c v 8n 5q 87 10 w 4 16 g x w 7r 1c 2k 2u u 2h 3 k w 5n bq 3k 3k 3k 1m 1y 3k s 2s s 2s s u 1y s 5q 3k 99 z 5b cx 100 10v 1 1 1 1 3o pp 27 1 25y 10 1 51 j7 n2s o gp 1 s0 fvt 1 1 1 1 1 1 1 n0 1 1 1 1v w n7 p 9l v 9 v 3b 14 18 33u rp j f 9 zk ykk c 1em q q q q q q 1g q q q q q q q q q q q q q q q q q u q 4 s q 4 s q 4 s q 4 s q 4 i a a a a 1et 2yx 1s w ka w 3a 1z0
33a7:3tby d36
33bn:46fd
33bw:46fe
33cz:46al
33dh:1djl
33hp:46ar
33m.31t.328:31z
33n.31t.328:321
33xf:46b0
34.13:41y
34.53:41j
34.ld:5zo 1
34.lj:5zq 1
34.lw:bp
34.mt:5tp
34:28 4u 5d de w 1c 7 14 w 336 3v 1pn h 20 n mh c 2k gr 1rj 1r 1 17 1 npe hr 1 1 1 1 1 v1 ghq w n9 13yo 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q v q e i q e i q e i q e i q e 51z w b 2z
34br:46b4
34p9:46bb
34sa:46bd
35.2t:2rcw
35.lw:io
354s:46bf
357i:46bq
35:29 e2 k0 20 3 4ru p6 2ez o3l 1 1 1 2e 1lx3 1ey q q q q q q q q q q q 1g q q q q q q q q q q q q 5ae w 3a
35jl:46bx
35ni:46c0
35ou:46c1
35v.37i:38w
36.13:wh
36.32.2q:2rfv
36.32.ld:5z2 1
36.32.lj:5z4 1
36.32.mb:5z6 1
36.32.me:hd gs
36.32.ms:5tb
36.32.mw:6g5
36.32:25 w 8f 5w 8c 2m y 9q 2i1 b8 ft 6e 187 i 2v q5 1o g 25r 16 nrb m3 n4 gkz oz 2p 3xr df zjz 1ey q q q q q 1g q q q q q q q q q q q q q q q q q q t 1m 1m 1m 1m 535 w 3a
36.37:6g8
36.ld:9g 1
36.le:eq 1
36.li:9k 1
36.lj:5zs 1
36.lr:eo 1
36.mb.lg:5zw 1
36.mb:5zu 1
36.me:9i 1
36.mg:hp
36.mh:ho
36.mp:5zy 1
36.ms:5te 1
36.mt:gd g6
368z:46cd
36:2a 9g 4m 19 1 1 3 1 1 1 c2 s 30y 1d c5 1hu 1 c 2r pe 1 1 c 27v l c nry jn 1 pq 2 1 1 2 1 s 9 g x hle l1d iia 10v e3 q q q q q 1g q q 1g 1g q q q q q q q q q q q q 1nx d 1 i 3ll w 3a
36cu:1dgs
36d.370.37i:38v
36d.370:36n
36d.37i:38m
36i3:46cf
36j.37i:38h
36m.37g.287.370.37e:36y
36m.37g:36x
36yw:46cj
37.37.37:2rfg
37.38:1dl2
37.ld.lj:604 1
37.ld:9m 1
37.le:9o 1
37.li.lj:606 1
37.li:9s 1
37.lj:600 1
37.mb.lj:608 1
37.mb:602 1
37.me:9q 1 55 1
37.mg:hu
37.ms:5tg
3779:46cm
37:2b a2 3m cm 28 6y 1jk 1bq 5 1ww mi 2bu ns4 gf 3b 1 s 4 1 2 1 rh gi1 w n7 ay 14 41l h2x ii6 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 1oi b 3ll w 3a
37dg:3rnp eoy
37l:38l
37u.37u:37v
38.1f:x0o
38.2r:iw
38.2t.30:6jl
38.2u:x2v
38.37:iu
38.6i3:6ge
38.f1:x0p
38.hv:iv
38.li:9w 1
38.lj:60a 1
38.lk:61j y2
38.lw:bx
38.mb:60c 1
38.me:9u 1 53 1
38.mg:by
38.mh:x8 1
38.ml:60g 1
38.mp:60e 1
38.ms:5th
38.mt:9y 1
38.mw:fy
386u:46d1
389e:46d3
38:2c 9j 3v 29 1 7w w 2m w 31c t 1uk pp do 111 wd 1s 1 ob 10 n1a 1b2 gjm o3 q 2s 49z h1q ijj 1ey q q q q q q q q q q q q q q q q q q q q q q q q q u q w q w q w q w q 1fw 4 t 3ll w 3a 12n
38v5:46d7
38vs:46d8
38zo:46d9
39.13:413
39.2t:5t7
39.33:xur
39.53:40o
39.lc:61 w
39.ld:62 w
39.le:63 w 7v 1
39.lf.ld:60o 1
39.lf:a0 1
39.lg.lk:60q 1
39.lg:a2 1
39.li:a4 1 2u 1
39.lk.lc:d7 1
39.lk.ld:d3 1
39.lk.lg:d1 1
39.lk.li:d5 1
39.lk:64 w
39.ll:63q 1
39.lm:a6 1
39.ln:a8 1
39.lr:es 1
39.m3.lc:63u 1
39.m3.ld:63s 1
39.m3.lf:63y 1
39.m3.ll:63w 1
39.m3.mb:640 1
39.m3:bz 1
39.mb:63o 1
39.mc:60i 1
39.mg:aa 1
39.mh:v3
39.ml:60m 1
39.mo:60k 1
39.mt:g4 3go 1wy s2m
394i:46de
394j:46dd
395l:395m x7t
396b:46dg
399.37i:39a
39:2d fq 8q aw 1c 2gz gc 1qo 1 3g wh 49 ppt iz p 1 ph 4 hoc 14 3wi w h2i ii0 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 1k 1m 1m 1m 1m 52e w 3a
39e1:1djp
39f.lm:3a6
39r1:46dp
3a.2q:2rfw
3a.2x.2x.2x:6lz
3a.2x.2x:6ly
3a.2x:6lx
3a.30.30.30:6lj
3a.30.30:6li
3a.30:6lh
3a.53:3zv 2
3a.5wk:2rd4
3a.lf:60s 1
3a.mb:60u 1
3a.me:xx
3a.mt:1evr
3a.mw:x5o
3a5i:46du
3a8q:46dw
3a9x:46dx
3a:2e 9o 43 1z 7j y 2m 2h 1 9v 3z 1 3z 1 2jl 2e 2 1rj 7 u5 g 50 49 1ww 3 z 4g 1 nn1 1 dk h 3j 1 3f r3 gj1 mv f7 14 1x 3jd be w h1k 1h ii6 10i eg q q q q q q q q q q q q q q q q q q q q q q q q q j s u s u s u s u s 52n w 3a
3at8:46e4
3b.lc:60w 1
3b.ld:60y 1
3b.le:ac 1
3b.lj:612 1 1cn2
3b.lk:610 1
3b.lm:61k
3b.mb:614 1
3b.me:y6 w43
3b.mt:6g9
3b.w6.w7:vx
3b1j:46e5 1
3b8r:46e9
3b:2f ew u bz c p 57 1 1w 2tu x 1u5 30x 1 12 10 nql 1ax 4 l8j 4 1 d3 9 zjx 1ey q q q q q q q q q q q q q q q q q q q q q q q q q 5ae w 3a
3beo:46ed
3bgw:1djq
3c.2x.2x:6m3
3c.2x:6m2
3c.30.30:6ln
3c.30:6lm
3c.lj:616 1 2at
3c.lk:618 1
3c.mh:xe
3c.mt:1evq
3c06:46ej
3c:2g 3j k0 3i w 3cs 1o 6o 1 21 1cm rg g sa qg 1 77 hp 4x nm6 js pv 1 1 1 gkf w mw 10 2r b ed 3wl zk1 1ey q q q q q q q q q q q q q q q q q q q q q q q q q t 1m 1m 1m 1m 535 w 3a
3cgq:468o
3ciw:46eq
3cjr:46er
3cnt:46et
3cqm:46ev
3cw.3cw:3cx 4o 689
3cw.3cy:3ju
3cw.3cz:3fe
3cw.3d1:3ib
3cw.3d3:3jv
3cw.3d5.3cw:3ic
3cw.3d5:3hm 689
3cw.3da:3jw
3cw.3db:3jx
3cw.3de:3jy
3cw:3hk 689
3cy.3cw:3df 4y
3cy.3cy:3dg 6j 67a
3cy.3cz:3dh 4x 68w
3cy.3d1:16mj
3cy.3d3:3di
3cy.3d5:3ff 30 68w
3cy.3d8:3fg 28 689
3cy.3da:16mk
3cy.3dc:3ih
3cy.3de:3fh 28 689
3cy.3eo:3ig 68w
3cy.3fy.ffs:9cp d7q
3cy:3hn 689
3cz.3cw:3dj 4z
3cz.3cz.3d3:16mm
3cz.3cz:3d0 6d0 wwl
3cz.3d1:3fi 31
3cz.3d2:xgg
3cz.3d3:xgh 966
3cz.3d5.3cw:16mp
3cz.3d5:xgi 966
3cz.3d8:xgj 967
3cz.3da:16mr
3cz.3dc:16ms
3cz:3hq 689
3d.lc:642 1
3d.ld:65 w
3d.le:ae 1
3d.lf:648 1
3d.lg:fm 1
3d.lj:61a 1
3d.lk:73 3d
3d.ll:646 1
3d.lm:61l
3d.lw:c4
3d.mb:644 1
3d.mt:4l bt 1 gx 1
3d1.3cw.3cw:xgl 968
3d1.3cw.3d5:3ik 68t
3d1.3cw.3de:16mu
3d1.3cw:3hs 68a nqi
3d1.3cy:3dk 51
3d1.3cz.3cz:xgn
3d1.3cz.3de:3in
3d1.3cz:3im 68s np8
3d1.3d1.3db:16mv
3d1.3d1:3dl 53
3d1.3d2.3cw:3ip
3d1.3d2.3d5:3iq
3d1.3d2.3de:16mw
3d1.3d2:3ht 68a nql
3d1.3d3.3cz:16mx
3d1.3d3.3d3:xgq
3d1.3d3.3d5:3ir 68o
3d1.3d3.3d7:3it txy
3d1.3d3.3dd:16my
3d1.3d3.3de:3is
3d1.3d3:3hu 68a nql
3d1.3d5.3d5:3iu
3d1.3d5:3hv 68a nqn
3d1.3d7:3dn 139e
3d1.3d8:xgt
3d1.3db:3iw txy
3d1.3dc:3hw 68a
3d1.3dd:3hx 68a
3d1.3de:3dm x 3f 68a wxe
3d1.3eo:3iv 68l
3d1.3f0:16mz
3d1.3fd.3de:16n0
3d1.3fd:3ix 68k
3d1:3hr 68a
3d2.3cw:3iy txx
3d2.3cy.3cy:16n3
3d2.3cy:16n2
3d2.3cz:xgw
3d2.3d1:3iz
3d2.3d2:16n4
3d2.3d3.3d5:16n5
3d2.3d3:3do 5c 68i
3d2.3d5.3d5:3j2
3d2.3d5:3j1 68i npe
3d2.3d7:3dp 5h 68f
3d2.3d8:16n6
3d2.3da:3j4
3d2.3de:3j5
3d2.3eo:3j3 68h
3d2.3fl:ggv
3d22:46ez
3d2:3hz 68a
3d3.3cw:3dq 6dw
3d3.3cy:3dr
3d3.3cz:3ds 6dv wvk
3d3.3d1.3dd:16n8
3d3.3d1:3j7
3d3.3d2:16n9
3d3.3d3.3d7:3e4 6dp
3d3.3d3:3d4 6d7 wwz
3d3.3d5.3cw:3du 6du
3d3.3d5.3cz:3dv 6du wvm
3d3.3d5.3d3:3dw
3d3.3d5.3d5:3dx
3d3.3d5.3d8:3dy
3d3.3d5.3dc:xgy
3d3.3d5:3dt 48 68b
3d3.3d7:3e3 57 68i
3d3.3d8:3dz 6dr wvm
3d3.3da:3e0 139d
3d3.3db:xgz
3d3.3dc:3e1 6dq
3d3.3dd:3e2 56
3d3.3de:3j9 txr
3d3:3i0 68a
3d43:46f0
3d5.3cw:3e5 56 68j
3d5.3cy:3e6 6dp
3d5.3cz:3e7 55 68k
3d5.3d1:3e8 55
3d5.3d2:3e9 1395
3d5.3d3.3cw:3eb
3d5.3d3.3d7:16nf
3d5.3d3:3ea 54 68j
3d5.3d5.3cw:16ng
3d5.3d5.3cz:16nh
3d5.3d5.3d3:xh1
3d5.3d5.3d5:3ec
3d5.3d5.9oc:fff
3d5.3d5:3d6 4x 68b
3d5.3d7:3ed
3d5.3d8:3ee 6dk wvl
3d5.3da:3ef 1395
3d5.3db:3eg
3d5.3dc:3eh 1394
3d5.3dd:3ei
3d5.3eo:16ni
3d5.9oc.3cw:fka
3d5.9oc.3d2:glk
3d5:3i2 68b
3d7.3cw.3cw:3jh
3d7.3cw:3ep 4r
3d7.3cz:3eq
3d7.3d1:xh2
3d7.3d2:3er
3d7.3d3:3es
3d7.3d5:3et 4s 68h
3d7.3d7:3ev 4n 68i
3d7.3d8:3ew
3d7.3da:3ex
3d7.3db:3jj
3d7.3dc:3ey
3d7.3dd:3ez
3d7.3de:xh3
3d7.3eo:3eu 4s 68h
3d7:3i4 68b
3d7s:3d7h t7l
3d8.3d3.3d3:16ns
3d8.3d3:16nr
3d8.3d7:3f1
3d8.3d8.3de:xh4
3d8.3d8:3d9 6d8 wxc
3d8.3ft:ff9
3d8:3i5 68b
3d:2h ei 17 1 7q e v 29 w 2z 1 2ew jm k 1xr aa 1 fy 297 1 nr7 19q gkf w nt 4c2 1k h2f ii3 1ey q q q q q q q q q q q q q q q q q q q q q q q q q q 8 1e 8 1e 8 1e 8 1e 8 1ga 3mq w 3a
3da.3db:3f6
3da.3de:3f7
3da:3i6 68c
3db:3i7 68c
3dc.3dc:xh5
3dc.9oc.3cy.3d8:98x 5y k40
3dc:3i8 68c
3dd.3d3:3fa 4d
3dd.3d5:16nu
3dd.3d7:3fb 4d 68g
3dd.3dc:16nv
3dd.3de:xh6
3dd:3i9 68c
3de.3cy:3jp
3de.3d1:3jq
3de.3d2:3jr
3de.3d3:3js
3de.3d5:xh7
3de.3de:3fc 6ct
3de:3ia 68c
3dlz:46fb
3dmd:46fc
3e.ld:ah 1
3e.le:61c 1
3e.li:al 1
3e.lj:aj 1
3e.mb:61e 1
3e.me:f8 1
3e.mg:i8
3e.mp:61g 1
3e.ms:5ti
3e.mt:c5 1
3e:2i di 29 79 371 1un 30 pi 4 283 1 j d 1 nrj kq r1 giv qj 4ac r x zka 1ey q q q q q q q q q 1g 1g q q q q q q q q q q q q a 1m 1m 1m 1m 53o w 3a
3ebg:46fr
3eie:3eo6 rry
3ek.3ek:3el
3em.3em:3en
3emt:46g6
3eo.3d3.3d7:16no
3eo.3d3:16nn
3eo:3jf 68k
3eqz:46g5
3f0.3d2:16np
3f0.3de:16nq
3f0:3jk 68h
3f2.3f2:3f3
3f3g:46gd
3f4.3f4:3f5
3f75:46gg
3f:7sk 2c2o
3fd.3fd:xh8
3fd:3jt 68d
3ff6:46gh
3fk:9r8
3fl.3ft:3g6
3fl.3fy:3g7
3fl.9oc:3hf
3fl.ffs:3fm 6b2
3fl:9qn
3fn.3ft:3g8
3fn.3fx:3g9
3fn.3fy:3hg
3fn.ffs:3fo 6b2
3fn:9qp
3fp.3ft:3ga
3fp.3fy:3gb
3fp.9oc:3gc
3fp.ffs:3fq 6b2
3fp:9qr
3fr.3fn:3hh
3fr.3ft:3gd
3fr.3fy:3ge
3fr.ffs:3fs 6b2
3fr:9qt
3ft.3fl.ffs:3fv 6b2
3ft.3fl:3fu 6b2
3ft.3fn.ffs:3hj
3ft.3fn:3hi
3ft.3fp.ffs:3gg
3ft.3fp:3gf
3ft.3fr.ffs:3gh
3ft.3fr:16ls
3ft.3ft.ffs:16lt
3ft.3ft:3gi
3ft.3fy:3gj
3ft.ffs:3fw 6b2
3ft:9qv
3fx.3fl.ffs:16lv
3fx.3fl:16lu
3fx.3fn.ffs:3gl 6bn
3fx.3fn:3gk 2 6bl
3fx.3fp:16lw
3fx.3ft:3gn
3fx.ffs:3go 6bl
3fx:9qz
3fy.3fl.ffs:3gq
3fy.3fl:3gp
3fy.3fp.9oc:3gr
3fy.3fp.ffs:3g0 6b2
3fy.3fp:3fz 6b2
3fy.3fr.ffs:3gs
3fy.3fr:16lx
3fy.3fy:3gt
3fy.ffs.ffs:16ly
3fy.ffs:3g1 6b2
3fy:9r0
3g0a:46gb
3g2.3fl.ffs:16lz
3g2.3fl:3gu
3g2.3fp.ffs:3gw
3g2.3fp:3gv
3g2.3fr.ffs:3gy 6bd
3g2.3fr:3gx 6bd
3g2.3ft:16m0
3g2.3fy:3gz
3g2.ffs:3h0 6bc
3g2:9r4
3giv:46h1
3gz2:dxx 3sja
3h46:46h8
3h:7sl
3ha.3fl:16md
3ha.3fp.ffs:16me
3ha.3fp:3hb
3ha.3fy:3hc
3ha.3ha:3he
3ha.ffs:3hd 6b1
3ha:9sd
3hrc:46hf
3i.lj:8dm qc
3i.lk:6zs
3i.mb:93z
3i6r:1djr
3i9b:46hk
3i:kc 5pg 43 dl
3jki:46hs
3jl9:46ht
3ju6:46hx
3k6:11g
3ksa:46i5
3l2v:46i9
3ltx:46ie
3ly7:4658
3lzu:46if
3mdm:46ij
3mhi:46il
3mp:11o
3mpi:46ip
3nsg:46ix
3ou:117
3owe:46j4
3oxx:46j6
3p5a:46j7
3p8x:46j8
3pg2:468f
3pxc:46jh
3s3:11m
3tbz:j7c
3y9.3z4:3zf
3y9.53:3yl
3yc.53:3yp
3yd.3z4:3zh
3yd.53:3yr
3ye.53:3yt
3yi.3z4:3zi
3yi.53:3yw
3yj.53:3yy
3z2.4wv:4wt
3z5:441
3zd:474
3zm.53:3zz
3zo.53:403
3zp:6zt
3zt.53:407
40f.53:40s
40g.13:415
40g.1b:7ux
40g.40l:8gn
40g.53:40u
40g:6tf 2as
40h.53:40w
40l.13:416
40l.53:40y
40l:6te 2as
40m.53:410
417.13:41x
417.53:41h
41a.53:41l
41c.53:41p
421.53:42b
421:4cj
423.53:42d
424.53:42f
426.53:42j
428.53:42l
428:4ci
429.53:42n
42r.53:431
42u.53:435
42v.53:437
42w.53:439
42z.53:43d
43k.53:43u
43m.53:4w7
43n.53:4w9
43o.53:4wb
43p.53:4wd
43r.53:43w
43s.53:43y
443.53:44d
443:4ck
445.53:44f
446.53:44h
447.53:44j
448.53:44l
44a.53:44n
44a:4cn
44b.53:44p
44t.53:453
44v.53:455
44w.53:457
44x.53:459
44y.53:45b
450.53:45d
451.53:45f
45n.1o:45o
45n.2q:45q
45n.40l:45p
45n.428:45r
45s.53:460
45t.53:462
45u.53:464
45v.53:466
45w.53:468
45x.53:46a
45y.53:46c
46g.53:46q
46h.53:46s
46i.53:46u
46j.53:46w
46l.53:46y
46m.53:470
477.53:4ww
477:4de
47a:4df
47e:4dg
47g.53:47j
47k.2q.lj:490
47k.2q:48z
47k.2s:48x
47k.34:48v
47k.417:4fj
47k.418:48u
47k.41a:48w
47k.41c:48y
47k.41v:491
47u.53:47w
47y.53:4wz
486.53:4x0
487.53:489
48b.53:4x1
492.53:4x4
49h.2y:49d
49h.421:4fk
49h.422:49a
49h.423:49b
49h.424:49c
49h.426:49e
49h.428:49f
49h.429:49g
49i.2y:4fn
49i.423:4fl
49i.424:4fm
49i.426:4fo
49i.428:4fp
49i.429:4fq
49j.53:4x6
49z.53:4fr
4a0.53:4fs
4a1.53:4ft
4a2.53:4fu
4a3.53:4fv
4a4.53:4fw
4a5.53:4fx
4b6:8ff
4b9:8fe
4bl:wl3
4c4.53:4xc
4d7.53:4xe
4ee:5vf
4f4:wkt
4hl:wxc
4ho:4ip
4hp:4hu 2il
4i3:2k3j
4i7:6mp
4i8.4ii:86b
4i8.6o2:86m
4i8:6nz
4ii:6ny 1nn
4ik.mq:6ze
4ik:6v8 lf 3 48 17hu 4df 17z1
4im:6vc 1g5
4iu:1fio
4iw:6mt
4j3:8yr
4j:6g4
4k5:4l0
4ne:4nj
4o2:4o3
4p:794
4s5:4t1
4t8:4uu
4u:79j
4w.2r:6ir
4w.2u:6ix
4w.lk:6zo
4w.mq:6zg 1aic
4w:ka 666 qb r 1my
4wk:5ve
4wm:5ry
4wv.3z2:4ws
4xf:kh
4xg:j7
4xh:ki 4c9 s9i
526:53k
52:94v
52p:53l
53.11k:40p
53.1g:46n
53.1o:404
53.1q:3zr 9 2vr
53.2q.lj:41s
53.2q:41q
53.2s:41m
53.2y:42g
53.30:43a
53.34:41i
53.39:40n
53.3a:3zu 2
53.3y9:3yk
53.3yc:3yo
53.3yd:3yq
53.3ye:3ys
53.3yi:3yv
53.3yj:3yx
53.3zm:3zy
53.3zo:402
53.3zt:406
53.40f:40r
53.40g:40k 9
53.40h:40v
53.40l:40x
53.40m:40z
53.417:41g
53.41a:41k
53.41c:41o
53.421:42a
53.423:42c
53.424:42e
53.426:42i
53.428:42k
53.429:42m
53.42r:430
53.42u:434
53.42v:436
53.42w:438
53.42z:43c
53.43k:43t
53.43m:4w6
53.43n:4w8
53.43o:4wa
53.43p:4wc
53.43r:43v
53.43s:43x
53.443:44c
53.445:44e
53.446:44g
53.447:44i
53.448:44k
53.44a:44m
53.44b:44o
53.44t:452
53.44v:454
53.44w:456
53.44x:458
53.44y:45a
53.450:45c
53.451:45e
53.45s:45z
53.45t:461
53.45u:463
53.45v:465
53.45w:467
53.45x:469
53.45y:46b
53.46g:46p
53.46h:46r
53.46i:46t
53.46j:46v
53.46l:46x
53.46m:46z
53.477:4we
53.47a:4wf
53.47b:4wg
53.47c:4wh
53.47d:4wi
53.47f:4wj
53.47g:47i
53.47u:47v
53.487:488
53.4vl:4vn
53.4vo:4vq
53.4vs:4vt
53.4w0:4w2
53.53.53:6wf 21l
53.pf:432
53.pg:3ym
53:p3 3a8 jo 1tj 5 du 4s 298 ju nf8 hcm bg
56.1b.6f4.6f4.6f4:16y 55z
56.1b.6f4.6f4:16x 55z
56.1b.6f4:11 18l 548
56:5si m6
56t:58g g
59k.59k:59l
59m.59k:59n
5ae:5ax
5ag:2o6m
5ay:5wo
5az:92m
5b9:5bb
5bd:m2
5cd:5ea
5ch:5eb
5d4:5eg
5e8:5ek
5em.5em:5en
5kr.5kr:5ks
5mm.5mm:5mn
5ro:5tk
5sb:5un
5sd:5uq
5wf:92g
61r:qc ca 361 4me 9o 2bv0 1m 1m 1m 1m
66:s7 1eq5
67:qa u 36o 23y r2v x 1nu5 1m 1m 1m 1m
6f5.6f4:73c
6i1:wvj
6jb:79h
6k2:4ad sa1
6kk:2k2j
6n2:8oc
6n3:8od
6n4:8oe
6n5:8of
6nm:6np
6o3.4ii:86n
6o3.6o2:86d
6pu.mt:6o 2od9
6pu:2l0b 1m 1m 1m 1m 3d5
6px:6ww
6pz.lk:6zm
6pz.ms:6zv
6pz:1jfs 11jt 1m 1m 1m 1m
6q6:7ew o
6q8:8cf
6qo:2ojs
6qv:6v4
6r2.6r2.6r2:6r4
6r2.6r2:6r3
6r8:94b
6r9:94a
6rb:94c
6rs:1i3i
6rz:7ke 2jv4
6sh:6sj 21g
6tp:8ar
6tq:8as
6tr:2k3c
6ts:2k3d
6tv:8at
6tw:8au
6tz:8aq
6u3:6zj
6u8:2rg1
6u9:2rf9
6uq:7gh
6ur:7g7
6v:7tj
6va.lk:6zn
6x3:1e7o
6xe:7hc
6xl:8cd
6xw:6xx
6yj:893
6ym:7gu s0
6yq:891
6yx:88g
6yz:72b
6z2:72a
6z9:729
6zx:72e
70o:7js
730:1e7p
731:1e7q
732:1e7r
733:1e7s
734:1e7t
735:1e7u
739:7g1
73v:73w
79a:7a3
7b6:7b7 16we 8b
7bg:7bj
7bw:7c3
7f0:7f4
7fa:7fb
7fc:7fh
7fl:7io
7fu:1ejx
7g6:7g8 2
7jb:8vd
7jd:2rd6
7jx:2qky 7
7jy:73y 2jh6
7sc:6y1 xr 1ls 1z b0 2pl9
7sd:6y2 xr 1ls
7sw:76o
7sx:76p
7sy:76q
7sz:76r
7t0:76s
7t1:76t
7t2:76u
7t3:76v
7t4:76w
7t5:76x
7vq:9i2
7vr:9i3
87u:89l
89r:2rei
8bj:8ce
8o.mh:wr
8o.mt:wv
8o:qi 1i 22 7yz p41 1n2t j 13 j 13 j 13 j 13 j
8qn:xhu
8s0:1fdr
8xs:1f3s
8xu:6e6 1tn x0 2ab6
8yf:6e5 i9 17aj
92k:5wu
9i4:1efy
9j0:6yp 1ab
9ko:9nc
9oc.3fl:16m1
9oc.3fp.ffs:16m3
9oc.3fp:16m2
9oc.3ft:16m4
9oc.3fy:3h1
9oc.9oc:3h2
9oc.ffs.3fy:3h3
9oc.ffs:3g4 6b2
9oc:3g3 2w1 1 yz 1 1z3 gx 33 5kg hrr h7a
a84.9.6hp:2q99
ae6:464s
aex:464z
aez:46h6
afz:465b
ahh:465g
aim:96z
ako:dcr
app:beb
at.2x:uj
at:uk x1v 12k2
aum:467b
av0:467c
ayp:467q
b3:yg
b3j:4683
b4y:4688
b5o:468a
b7r:468m
b8j:468r
b96:97b
ba4:468y
bay:468x
bhq:469u
bi9:jrd
bjg:469z
bmi:kc6
bms:46a9
bns:46a8
bo9:46a6
bp1:ph2
bp6:imo
bp7:dgg
bpl:46am
brx:1djm 2sr9
bs3:kx5
bs:rt 4zf r35
bt:pv 5ul 5t 27s 2c1d 1m 1m 1m 1m
bvc:46b2
bwu:46b6
c1:4dq 6 25v
c37:46bu
c5y:46c6
cdo:46cq
ce0:46cs 1
cgr:46cz
ci:7e2
cn0:46da
cnc:46db
cns:1djn
cop:vk3 hzl 2stx
cov:k83
cp2:46dn
cra:46do
ctf:46dt
cvj:46e0
d1e:46e8
d2f:46ec
d5s:46ef
d8h:46el
d9w:46ep
dax:46es
ded:46f5
deh:46af
dfv:46f8
dhf:kdi
dij:46fi
dnv:46g7
dp9:46ge
dpd:46gf
dpn:46gi
dsn:46gv
dtl:46gy
dv9:46h4
dy:zu
dyu:ra6
dz2:46h9
dzb:46ha
ej9:46i7
eli:46ia
epa:46ig
epi:46ih
er6:46ik
eur:46ir
ez2:46iw
f1:ia gf 2du 5hu 8 o7y
f66:46j1
f71:46j2
f7c:46j5
f9y:46ja
ff1:1d9j
ffq:1dgw
ffs.3fl:3h4
ffs.3fn.3ft:16m5
ffs.3fn.ffs:16m6
ffs.3fn:3h5
ffs.3fr.ffs:16m8
ffs.3fr:16m7
ffs.3ft.ffs:16m9
ffs.3ft:3h6
ffs.3fx:16ma
ffs.3fy:3h7
ffs.3g2:16mb
ffs.3ha:3h9
ffs.9oc:3h8
ffs.ffs:16mc
ffs:3g5 3l3 3 3 3 5 4 28j gy 32
ffw:97q
fg2:1d6t
fg8:464h
fg9:1d9a
fgd:464g
fgh:464i
fh5:9ac kc
fh6:96r nw
fh7:96q no
fi8:99u
fia:1d7f
fid:9ad k5
fie:1dbu
fik:9ae cl
fj4:9af
fji:1d9z
fju:9ag
fjv:96t f3
fk0:1ddp
fkc:4655
fl0:1dbc
fog:464k
fp1:fsy 3qbp
fpc:1dgz
fpi:1d7x
fpn:1dbp
fqm:1df4 2sph
fqz:464m
fr3:1d9h
fr:12t 2jw0
ftw:fuk
fu3:1dck
fwa:464o
fx5:464p
fyn:464r
fyy:1dbv
fzb:1df5 2spl
g1r:9ah f1 1qz0
g1s:972 1472
g1x:1dh0
g25:1df6 2spo
g2:xvi
g2c:464v
g2s:464w
g2t:9ai
g2v:4650
g2w:1dgy
g2x:1da0
g2z:9aj ck
g31:1dch
g3b:464x
g3k:1dh1
g3m:9ak
g3x:4651
g42:46aa
g45:46ab
g46:9al
g47:4653
g4k:4654
g4r:9am
g4s:4656
g51:1dgx 2soa
g53:1d7y
g5l:1da1
g5o:1d91
g64:1d90
g66:1ded
g68:9an
g6t:9ao 2l44 1bqh
g74:9ap
g76:96x
g77:465a
g7b:1dds 2ssw
g7r:1db0
g89:1dct
g8q:1ddr
g8r:465c
g92:465d
gaa:465e
gaf:465f
gax:1dc7
gbf:9aq bd 13of
gbn:1db1
gc3:46fm
gcn:1dh2 2sof
gcp:1df7 2sqb
gcy:1d8y
gda:1d7z
gdg:1df8 2sqb
gdx:1da7
ge1:9ar
ge2:1dh3 2soh
ged:465l
gee:465m
get:9as
gev:1d9f 2sw8
gey:9at
gfs:9au
gfz:1dd7
gg1:9av 81
gg4:9ix
gg5:9iy
gg9:465o
ggd:34m
ggg:34l
ggh:1df9 2l2k 7nw
ggq:465q
ggs:9aw c0
gh5:9ax
ghf:465r
ghh:1d7g
ghp:465s
ghr:465t 1 1
ghu:9ay
gja:9az
gjn:1d9n
gjs:9b0
gju:465y
gkf:465z
gkj:9b1 1 cv 7hm
gkl:1d6u
gkr:4661
gkx:4662
gli:4663
glr:1dcu
gm5:1dd9
gmw:4665
gn6:1da8
gnc:4666
go8:4667
gpq:4664
gpu:4668
gql:1db2
gs6:4669
gsw:466a
gur:gv3 3pb8
gut:1dh5
gv7:466c
gw4:466d 1
gw7:1d6z
gwp:1dh6 2sp9
gwt:1dfa 1u
gx7:466g
gxf:466h
gxs:1de5
gxu:466i
gyq:1dh7
gzq:1dfb 2sr9
h1t:466m
h2g:1dfc
h2s:466n
h6h:1dbd
h7a:466j
h7b:466l
h7j:9b3 1 897
haj:466t
hce:466q
hdg:466r
he5:466s
hf5:466v
hf6:466u
hfk:1dfd
hga:1de8 30
hge:1d9o
hgh:hgr
hig:1dfe
hij:hkv
hik:466w
hir:1dh9
hj:1fen
hjs:1d8q
hjz:1d8i
hk:qu f 33 7zb 1h 1 2c52 8 1e 8 1e 8 1e 8 1e 8
hke:466p
hki:466y
hkn:2xbn 18vc
hky:9b5
hl2:4670
hl6:9b6
hlh:9b7 bg
hlm:2xdz 18t2
hlu:4672
hlz:9b8
hms:1dha
hmw:1d70
hn5:1d6x
hn8:1dhb
hnm:4673
ho3:9b9 13z0
hqw:4679
hrg:4676
hsr:4677
ht3:4678
huq:1dhc
huu:467a
hv.hv.hv.hv:8b0
hv.hv.hv:6r1
hv.hv:6r0
hv:6qz r36
hwv:hz4
hx1:46fa
hzc:467d
i08:1dhd
i0u:467e 1
i1c:9ba
i2.mt:5tr
i2o:9bb
i2t:1ddw
i4j:467h
i54:467i
i5j:1d9b 23 2sw5
i5q:1dbw
i5v:467k
i60:9bc
i67:467m
i6e:467n
i6n:9bd
i76:974 4a 3wwb
i77:973
i7s:9bf
i7z:1dbx
i8w:467r
i8y:1d8r
i90:1dff
i91:1dcv
i9a:9bg 1440 2ssc
i9d:9bh
ia5:467u
ib:8t9
ibk:3tbu cvz
ie1:1dcl
if7:467w
ifk:1d7l
ig:6u1 og s7 nt nwv imz
igb:467z
ige:467y
igs:4680
iia:46ic
iii:1dbf
ijf:9bi
ijl:4681
ijm:4682
ijp:9bj ah
ik1:9bk
ik3:976
ikd:4684
ike:9bl
ild:ilu
ilk:4685
im5:4686
ind:4687
inm:9bm
ino:1dam
inu:977 4g
inz:9bo
ip2:1ddt
ip:wy5
ipc:468b
ipf:468c
ipi:468d
iq1:1db6
iq2:1d7s 2t0m
iqa:1dhe
iqb:1de3
iqh:1dhf
ir0:1daa
ir8:9bp
iri:9bq 3wwq
iro:1d8j
irv:9br
is3:9bs
isi:468k 1
its:9bt
itt:978
itv:467o
iu9:9bu
iua:468p
iuh:1dhg
iuj:468q
iur:9bv
ivf:1dco
ivu:30g5 15sn
iw9:1d9i
iwd:1dhh
iwz:9bw
ix0:97a
ix9:468t
ixj:468u
iyd:1db7
iyh:468v
iz6:1d9c
izg:1dbg
j1x:1dgr
j29:468w
j2s:1dfh 2sti
j47:4691
j4o:1dhi
j4x:1dbt
j60:1dhk
j7o:1dcp
j7s:4692
j7w:4693 2
j7y:1dhj 2srl
j8g:1dhm
j8o:1dfi
j96:4696
j9q:1dfj 22 2srm
j9s:1dan
jac:4699
jan:469a
jaq:4698
jby:469b
jci:1dfk 23 2srp
jcm:1d71 2t2c
jcw:1dao
jd4:9bx
jdc:469e
jdn:469f
je6:1dci
jec:1dho
jee:9by a2i
jez:9bz
jf0:97c
jfh:469g
jht:469h
jih:1d7p
jin:1d97
jir:1ddu
jis:469i
jjw:469m
jjy:1d9v
jl:kk
jlp:469l
jm8:469j
jmw:469n
jnf:1db8
jnn:469o
jog:1d9x
jop:469t
jpg:1dhp
jph:469s
jqc:469p
jr:k8 wbq
jrw:1dhq
js2:469r
jt.2q.2x:wup
jt.2q:ui
jt:4v 68f 11y 16t1 1 1 1 bb
jte:1dhr
ju1:469v
juf:469y
jum:469w
jve:1dap
jvh:469x
jwk:1d80
jz:ol
jzj:9c0
jzo:9c1
jzp:97d
k0f:1dfl 2suf
k0m:1dhs
k18:46a1
k1k:1d9l
k1z:9c2
k21:99n
k2f:9c3
k2h:1dby
k2s:9c4
k3d:9c5
k3p:1dab
k4g:9c6
k4h:97f
k4i:1dfm
k4j:46a3
k4l:9c7
k5v:1dcw
k7d:46a5
k7u:k89
k8k:1dea 3j
k94:1dc5
k9d:1dfn 2suk
k9o:46ad
kac:1ddy
kau:1daj
kc0:9c8
kc4:1d6p
kc8:46a4
kcg:46ac
kco:9c9
kcs:peu
kcv:pg0
kcw:pfu
kcz:phd
kd3:1d7t a1 2ssm
kd4:pif
kd7:1dhv 2ssm
kdd:46ai
kdf:plz
kdk:9ca
kem:1dcx
ker:46ak
keu:1dhw
kf2:46aj
kfi:kjj
kfv:1dc8
kg5:46ao
kgn:1ddg
kj7:1dc9
kje:46an
kk7:1dcq
kkf:46at
klu:46ap
kn5:1da2
kn9:1dfo 2sv2
kni:46as
ko8:1dcy
kq:l7 wez
kr8:46au
kr:x04
ksi:46aw
kv1:kyv
kv7:46ax
kx6:46ay
kxu:1d78 20 2r
kyb:1d8s
kz:9he
l2g:46az
l3n:1d81
l3v:46b1
l50:1d7h
l5s:9cb
l5t:46b3
l78:46b5
l7m:9cc
l7z:99p
l82:46b7
l87:1dak
l89:9cd 145k
l8a:97i
l9b:46b8
l9q:1db9
l9v:9ce
la2:1d9s 86 2stb
la3:46ba
laj:9cf
lal:97j
las:9cg
laz:9ch
lc:n4 177
lcf:9ci
lch:97k
lck:9cj
ld:n5 gr 1 3f 1i 6x el
ldg:9ck
ldh:97l
ldm:97m
le6:46be
le:lt ne b7 44i ra8
lev:46bi
lf:n6 lt
lfs:1d9u
lg.lg:5bc
lg:lh no b6 3qv ds ra7
lhb:46bg
lho:1d9k
lhp:46bh
li.lj:ls rc ex 3k 74 3k 73 3l 3k 1g3i
li:lo 2q kq 2 kr v1z n3e
lid:1dcz
lj:ns gx 1 7 1 2 88 2c 1 4s 71 o 74 3k 97
ljq:46bj
ljv:1d79
ljy:1ddx
lk:1kj 6w
lkk:46br
lku:46bk
lkx:1dca 5p 2stn
ll:9ik
lm.2sy:2sz
lm.2wi:2wj
lm1:46bn
lm2:1d7u
lm:o6 g9 4j 3x wz jv 3k a1 1hs d 4d3 j4 18py
lmf:1dfp 2svw
lmg:46bo
lmt:358g 1139
ln:18r it
lor:1ddh
lp6:1d8t
lpm:1dcm
lq1:46by
lq:5p6
lqy:1dfq
lrj:46bs
lta:46bt
lu0:lzt
lu:193
luk:1dcb
lv:lx 1a k6 1i is
lve:1dd8
lvr:46bw
lvv:1di1 2stu
lw1:1d6s
lw:199
lwb:1di0
lxr:1d8u
ly:5pp
lya:1dfr 2b
lyb:1daq
m0e:46bz
m2u:46c2
m3v:1d7m
m4e:1dac
m57:46c5
m5a:1di3 2su1
m61:46c3
m6i:46c7
m7f:9cl
m7g:97n
m7k:465x
m7r:46c9
m7x:46c8
m8p:1ddn
m99:46ca
ma0:1db3
mah:1d7a
mb:14k h 47 i9 27 3k 3k 3k 3k 3hd 1avx 1hs l5
mc:1ri 3xs
md:307 6ie
mdh:46cc
mdl:1dar
me:m9 6 i
mem:1dfs 2c
mfw:46ce
mg:ma z 4mq
mh:192 4g6
mha:1dc0
mhc:1dda
mj4:1d82
mj:5p1
mjf:1d7i
mjs:46cg
mju:9cm
mjv:97o 1485
mk5:1di6 2sub
mk6:9cn
mkb:9co
mkn:9cq
mkw:46ci
ml5:9cr
ml7:9cs
ml:5p5
mle:1d8m
mm8:46ck
mm:5p4
mmt:46cl
mng:9ct
mnh:97s
mnj:1di7
mo0:1ddm
mp:m8 182
mpo:1d7v
mqy:1dee 3u
mr:nb
mt1:1dbb
mt6:46co
mt:mu
mtg:9cu
mtj:1d9d 3e
mtl:9cv
mtn:46cp
mud:37jx ysu
muq:1dbh
mvy:1d7b
mw:mv
mx2:1dd0
mx5:1dcc
mxu:1dfu
myv:46cu
mzg:46cv
mzt:1dbi
n01:1di9 2sun
n0l:46cx
n0p:1das
n14:1ddb
n2i:46cy
n30:9cw
n3a:9cx
n46:1dia
n4o:9cy
n4v:9cz
n50:46d0
n54:9d0
n5c:9d1
n5n:1dib
n5q:46d2
n6h:1dcd
n6t:1d9y
n74:1d9e 2t3q
n7v:9d2
n82:9d3
naa:1dd1
nbk:46d6
nbx:1dic
nbz:1did
ncy:1dc1
ne1:1d72
nee:9d4
nel:9d5
nfy:9d6
ngf:9d7
ngq:1def 3z
nh7:1dif
nhj:1d83
nhq:9d8
nhw:1dig 2suw
ni9:1d9p
nj2:46dh
nj3:46di 1
nk0:1dii
nk:nr 141 7
nka:1dih 2sv3
nm3:46dm
nm:1s0
nmv:1di5
no:1rt
nob:9d9
noi:9da
noz:9db
np:1ru
npw:nrj
nri:46dq
nsb:1dce
nt8:1d8b 2t5g
ntd:1dfv
nuy:1d8n
nv0:1dij 2sv9
nwb:1d9g
nxm:1dad
ny2:9dc
ny3:97x
ny4:1deg
ny6:1dfw
nyg:1dfy
nyh:1dfx
nyo:1dfz
nyu:1dg0 2sxv
nz1:1dg1
nz2:1deh
nz9:1dei
nzz:1d8c
o0d:1dg2
o0e:1dg3
o0f:1dej 2szf
o1a:1dbq
o1k:9dd
o1q:9de
o22:1dat
o2z:46dz
o3:92u
o4:92v
o4c:1d92
o5c:1dg4 2sxx
o5m:46e2
o5r:46e3
o6s:9df
o75:1dg5
o8:92l
o8h:1dik
o97:9dg 1403
o9o:99r
oa6:46e7
oah:9dh
obk:1ddk
of:92n
og0:1dg6 2f
og6:46ea
og9:46eb
oji:1dba
okg:1d8k
okz:9di
ol7:1dim
olu:1ddl
on2:1del
onm:46ee
onq:1ddv
oo3:46eh
oo7:1da3
oo8:46eg
ooo:9dj
oop:97z
oow:46ei
opc:1dcf
opu:1d9m
oq7:1d8v
or9:os6
orf:1din
orn:46ek
otc:1d8d
ou6:1d93
ouf:46em 7bi
ovo:1dau 5d 2h
ow2:46en
ow9:1dg8
oxj:1d8w
oxt:1dg9
oxx:46eo
p4m:9dk
p4u:1dip
p5d:9dl
p5e:97v 7
p5f:981
p6a:1dga
p6h:1dd2
p6i:46eu
p6t:1d73
p6y:9dm
p79:46ew
p7e:1dbj
p8d:9dn 140z
pa2:46ex
pa9:9do 13ug
paa:989
pad:1dgb 2f 2sw8
pak:9dp
paq:9dq
pbn:9dr
pc6:1dbk
pcw:46f1
pdb:1dav
pdc:46f3
pdq:1d8l
pdr:9ds
pds:98a
pe1:9dt
pe3:1d8z
pf.13:wg
pf.53:433
pf.mt:wi
pf1:46ae
pf6:46f6
pf:sz 332 6s 2hl 286 1rpf kgz 1m 1m 1m 1m
pg.3z4:3zg
pg.53:3yn
pg.mq:6zd
pg:3yb 2rn q5 1cj 62 163p u lfb kgh 1m 1m 1m 1m 67j
ph8:pj5
phf:46f7
pj2:46f9
pnc:1d7q
pnn:9du
pns:1ddi
pnu:9dv
pnx:1dgc
po3:9dw
poc:9dx
poh:468j 6w
pok:46fg
pos:9dy
pp4:1dgt
pp7:9dz
ppb:9e0
pq:7jk 1ae 2c5b 1m 1m 1m 1m
pri:9e1
prj:1da4
prm:9e2
prs:9e3
prt:98e 1 1 147x 1
ps:tb 5r4 5s 235 o57 13gr kk1 1m 1m 1m 1m
psb:46fk
psh:46fj
pst:46fl
ptd:46fn
ptf:46fo
ptp:46fp
put:1d9w 2t5w
puu:46fq
pwd:46ft
pwj:46fw
px2:1ddq
pxu:1dir
pxv:46g0
py:tg 8f 2jx xc 4ai 16a1 15vu 1m 1m 1m 1m
pyb:46fu
q0:vk 3mw 4ba 169z f0 15gu 1m 1m 1m 1m
q0d:46fv
q0t:46fx
q15:1d8e
q16:46g1
q18:46g2
q1:4dr 6 25t 18k0 15vu 1m 1m 1m 1m
q1o:46g3
q1z:46fy
q27:1dis
q29:1d94
q4d:1d7c
q4p:1d9q
q53:1dgf 2szk
q6l:qbj
q9a:1dax
q9d:46g8
q9f:46g9
q9o:1dc2
qae:46ga
qck:46gc
qe:2kzr 1m 1m 1m 1m
qfh:1d7n
qgq:1ddc
qh2:1d85
qhe:1deo
qi5:1d7j
qif:qip
qin:1d74
qj.mw:bf
qj1:9e4
qj2:98h
qj4:46gj
qj:8t2 ocl idc 15gx 1m 1m 1m 1m
qjg:1d86 2t8e
qjr:46gl
qjt:46gm
qjv:9e5
qk:51 2kuw 1m 1m 1m 1m
qko:46go
qll:46gn
qm:2kzz 1m 1m 1m 1m
qn6:46gq
qoe:46gp
qp4:46gs
qq:rf 81c 2c7c 1m 1m 1m 1m
qqz:46gt
qrd:1dit 2sxy
qrq:46gu
qt6:1d75
qu9:46gw
qv5:46gx
qv:8tp p0m 2 1n5v 1m 1m 1m 1m
qvz:1d7r
qw:vl 7y6 16q2 15gg 1m 1m 1m 1m
qww:9e6
qx.ld:67x
qx.lf:6ba
qx.mq:709
qx8:9e7 13zt
qx:705 1to o0s a2 1nvn 1m 1m 1m 1m
qxs:46gz
qxv:9e8 3x2s
qxw:98i
r0i:1db4
r0v:1dd3
r13:46h2
r1a:46h3
r1d:1dd4
r20:1d76
r22:46h5
r2o:1dgg
r41:1diu
r50:1d7o
r5q:9e9
r5r:98k
r5s:98j
r5y:1div
r63:9ea 13zs
r6e:1dgh 2f
r7l:98l
r82:9eb
r9c:9ec
ram:rct
rb:8v8
rc:1f3h 2t
rds:46hb
re2:1d9r 1e
ren:1dix
rez:1diz
rf6:1da5
rfa:1d8h
rfx:1dj2 2sya
rg8:1deq 48
rge:1d99 9s
rgh:1dgi 2i
rh:2l6z
ri1:1dgj 2k
riw:1ddo
rk0:1d96
rk6:rkf
rka:1dj4 2sy9
rkw:98o
rp3:9ed
rpi:9ee
rpk:1d6o
rpx:9ef 3x2z
rq4:rqb
rqw:9eg
rrx:9eh
rsb:46hg
rsx:46hh
rsy:1d8o
rt4:1d6r
rtf:1dgk
ruw:1dgl 2k
rvf:3b2s veq
rvh:98p
rxg:9ei
rxs:9ej
rxz:46hj
ry7:rye
rzn:9ek
rzw:46hn
s0b:46hm
s11:s1m
s1b:1d87
s1c:46ho
s5z:s63
s6j:9el
s7e:9em 13s4
s7o:46hq
s8v:s9z
s9y:1daw
sa2:1dcn
sag:1dj6 2syl
saj:1ddz
sbm:1dal
sbq:98r
sc:8u9
sd7:9en
sda:46fh
sds:9eo 13v5
sdx:9ep
sdy:98s 1 147t
sgz:1day
shk:1det 1u
sj6:1dj7
sjg:1dc3
sjz:1d77
sk1:9eq
sk4:46hu
slq:sm6 klq 76
smp:46hv
sn1:1deu
snl:46hw
snv:46hy
sp5:9er
sq2:1d7d
sr:1fil
srd:1dj8
ss4:1dbr
ssm:9es
sss:9et 13yc
ssv:1da6
ssx:9eu 13s4
svo:1dbl
svs:46hz
sxi:1dj9
sxo:46i2
t07:46i0
t08:46i1
t1g:1d8f
t2.mh:wm
t3e:1daz
t4.li:t5
t4.me.lc:wa
t4:om w8b ih0 14o6
t65:t66
t89:46i3
t91:46i4
tc5:98w
tiw:98y
tj3:98z
tj4:9ew
tj:ro
tjf:46i6
tk:8u4
tkd:1dae
tkn:46i8
tm.30:wuo
tm0:990
tng:9ex
tnh:98v 7
tny:1dc6
tor:1d8x
tot:1de1
tp:6iw
tpx:1d95
tq0:1dcj
tq4:1dja
tqe:1dcs
tr7:1ddd
trq:9ey
trr:trs jk0 3b
trt:9ez
ts3:46ib
tsy:1dd6
tsz:1dgo 2n
tt4:9f0
tti:1dbm
ttj:1d8p
tur:46id
tv6:1d88
tvs:1dbn
tw1:9f1
tw2:994
tw6:1dek 4s
twe:9f2
twi:9f3
twp:9f4
ty.mh:wn
tzf:9f5
tzv:1djd
u00:46ii
u06:995
u0d:9f6
u0j:9f7
u0v:1dgp 2p
u0x:9f8
u17:1djf 2sz7 1
u1k:1dbo
u21:46io
u2j:1dgq 2q
u3.me:xy
u3:5rf
u3i:1dcg
u45:996
u5k:9f9
u6m:997
u6z:9fa
u72:998
u73:999 62
u74:99b
u76:46iq
u7j:1dey
u7w:1dez
u94:1df0
u95:46is
uar:99c
uc6:9fc
uc9:9fd
ucn:46it
ucs:9fe
ude:46iu
uep:1d7e
uf2:46iv
uf:rp 1c5 1t
ui2:1daf
ui4:99e
ujs:9ff
ul4:9fg
ulb:9fh
umq:1djh 2szh
un9:9fi
unj:9fj
unm:9fk
unw:99g 65
uoq:9fm
upb:1d89
uv4:46iz
uvr:1dde
uws:99h
ux:xuo
uzp:9fn
v0d:46j0
v3b:46j3
v4.53:4x9
v4.w6.w7:vw
v4:3wn fc 2fqr
v5g:1df1
v7e:1d8a
v8e:1d7k
v9e:v9f
vat:9fo
vb3:9fp 13sr
vbr:1dag
vbz:1ddf
vc5:9fq
vc6:99k
vcr:9fr 3x3i
vcz:9fs
vd0:99l
vd9:9ft
vda:1dah
vdd:9fu lxk
veh:9fv 3x3g
vel:9fw
vem:46jc
vet:46jd
vf2:9fx
vf3:46je
vf7:9fy
vfa:46jf
vfk:9fz
vgb:9g0 3x3g
vgj:1djs
vgq:9g1
vgw:99o
vgy:9g2
vi7:99q
vil:9g3 13w1
vim:1djt
vix:99s
vj0:9g4 13qr 1 cm
vj3:99v
vj4:9g5
vnu:wim
vo0:wj0
vr4:wik
vua:wiw
w2h:wjj
w4x:wji
w5p:wic
w:4g 4bk 1vk 1 1 1 1 1 1 1 1 1 1 u 1 6 1c
wbv:wjk
wc5:wjm
wcf:wje
wci:wj4
wgo:wiv
wk5:6ud 10d p9r 1my3
wkk:x3y
wko:6kh
wl2:6ki 18sv l5h jjj m
wuk:8ts oau
wuw:20ik qud
wvd:1fjf
wz7.wz7:wz8
x.1r:6dl
x.x:6d8
x0n:x3p
x2o:6ex
x2x:x2y
x3a:3a8
x5a:id wmy
x5f:x5e
x5h:x5g
x6j:4af 2fsp
x:cj 8lq 15f4
xdn:1i3g
xdo:1i3f
xi5:xib
xi:y3
xj:y4
xjk:xja
xkx:xn7
xlv:xna
xo.mg:xq
xv:1fi4
zi:2k1u`,
};
