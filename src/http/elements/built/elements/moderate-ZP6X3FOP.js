import{a as D}from"./chunk-Z7RTYO52.js";import{BaseElement as q,define as B,html as d,nothing as b,sheetOf as U}from"../elements.js";import{addEnglish as H}from"../elements.js";var C={moderate:"Moderate",approve:"Approve",hold:"Hold back",trash:"Move to trash",keep:"Keep",approved:"The comment by {name} is approved.",heldBack:"The comment by {name} is held back.",trashed:"The comment by {name} is in the trash.",kept:"The comment by {name} stays.",undo:"Undo",undone:"Undone.",dismiss:"Dismiss",notDone:"This could not be done.",lock:"Lock comments",unlock:"Unlock comments",locked:"The comments are locked. Only moderators can write.",unlocked:"The comments are unlocked.",toReview:{one:"{count} to review",other:"{count} to review"},review:"To review",nothingToReview:"There is nothing to review.",showComment:"Show comment",reportedBy:{one:"Reported by {count} person: {reasons}",other:"Reported by {count} people: {reasons}"},waitsForApproval:"Waits for approval",spam:"advertising",abuse:"insult or threat",illegal:"illegal",offTopic:"off topic",otherReason:"another reason",rule:"a rule of the server"};H({...D,...C});var A=6e4,I=25,T={approve:{said:"approved",back:"hold",resolution:"keep"},keep:{said:"kept",back:void 0,resolution:"keep"},hold:{said:"heldBack",back:"approve",resolution:"hold"},trash:{said:"trashed",back:"restore",resolution:"trash"}};function _(r,t){let{app:n,t:s}=r,{api:i}=r.server,u=`/api/apps/${encodeURIComponent(n)}`,l=!1,a={host:r,count:0,reports:[],isOpen:!1,p:!1,done:void 0,async read(){let e=`state=open&app=${encodeURIComponent(n)}&expand=author&top=${I}`,o=await i.call(`/api/reports?${e}`);o.ok&&(a.count=o.body.count,a.reports=o.body.data.filter(({entity:c})=>c.type==="comment"),t())},async decide(e,{id:o,created_by:c}){await k(e,o,c?.display_name,()=>i.call(`/api/comments/${o}/${e}`,w))},async resolve(e,{id:o,entity:c,author:p}){let{resolution:m}=T[e],h={action:m};await k(e,c.id,p?.display_name,()=>i.call(`/api/reports/${o}/resolve`,{...w,body:h}))},async lock(e){let o=p=>async()=>{let m=await i.call(`${u}/${p?"lock":"unlock"}`,w);return m.ok&&(a.p=p),m},c=s(e?"locked":"unlocked");await y(o(e),{text:c,back:o(!e),id:void 0})},async show(e){let o=await i.call(`/api/comments/${e}?expand=created_by,embed`);if(!o.ok)return r.e(o.message||s("notFound"),{o:!0});r.thread.put(o.body),await r.show(e)},async undo(){let{back:e,id:o}=a.done??{};e!==void 0&&(await y(e,void 0),o!==void 0&&a.done===void 0&&await r.show(o))},async dismiss(){let e=a.done?.id;a.done=void 0,t(),e!==void 0&&r.thread.o(e)&&await r.show(e)},toggle(){a.isOpen=!a.isOpen,t(),a.isOpen&&a.read()},$(){let e=()=>{document.visibilityState==="visible"&&a.read()},o=setInterval(e,A);return document.addEventListener("visibilitychange",e),$(),a.read(),()=>{clearInterval(o),document.removeEventListener("visibilitychange",e)}}};async function $(){let e=await i.call(u);e.ok&&(a.p=Date.parse(e.body.locked_at??"")<=Date.now(),t())}async function k(e,o,c,p){let{said:m,back:h}=T[e],R=h&&(()=>i.call(`/api/comments/${o}/${h}`,w)),E=s(m,{name:c??s("unknown")});await y(p,{text:E,back:R&&(()=>v(o,R)),id:o},()=>f(o))}async function v(e,o){let c=await o();return c.ok&&await f(e),c}async function f(e){if(r.thread.get(e)===void 0)return;let o=await i.call(`/api/comments/${e}?trashed=true&expand=created_by,embed`);o.ok&&r.thread.put(o.body)}async function y(e,o,c){if(l)return;l=!0;let p=await e();if(l=!1,!p.ok)return r.e(p.message||s("notDone"),{o:!0});await c?.(),a.done=o,r.e(o?.text??s("undone")),t(),await a.read()}return a}var w={method:"POST"};var P="confab-moderation{display:contents}confab-desk{display:block;margin-block-end:var(--space)}.desk,.choices{display:flex;flex-wrap:wrap;gap:.5em}.plain{border-color:transparent;color:var(--quiet)}.review{margin-block-start:.75em;padding:.75em 1em;border:1px solid var(--line);border-radius:var(--radius)}.review>p{margin:0}.review li+li{margin-block-start:1em;padding-block-start:1em;border-block-start:1px solid var(--line)}.review li p{margin-block:.3em .6em}.review blockquote{margin:0 0 .6em;padding-inline-start:.75em;border-inline-start:3px solid var(--line)}.done{position:fixed;z-index:2;inset-block-end:1rem;inset-inline:1rem;inline-size:fit-content;margin-inline:auto;display:flex;flex-wrap:wrap;gap:.5em .75em;align-items:center;padding:.6em 1em;color:Canvas;background:CanvasText;border:1px solid transparent;border-radius:var(--radius)}.done button{border-color:currentColor}.done button:focus-visible{outline-color:currentColor}.done button:hover{background:color-mix(in srgb,Canvas 20%,transparent)}";var O=U(P),S=new WeakMap,F={spam:"spam",abuse:"abuse",illegal:"illegal",off_topic:"offTopic",other:"otherReason",rule:"rule"};function V(r){let t=()=>`${r.server.url} ${r.app} ${r.server.session.user?.id}`,n=t(),s=S.get(r)??new Set;if(s.has(n))return;S.set(r,s.add(n));let i=r.shadowRoot;i!==null&&!i.adoptedStyleSheets.includes(O)&&i.adoptedStyleSheets.push(O);let u=_(r,()=>{for(let l of i?.querySelectorAll("confab-desk")??[])l.n()});r.extend({form:(l,a)=>a===void 0&&t()===n?d`<confab-desk .desk=${u}></confab-desk>`:b,actions:(l,a)=>t()===n&&a.created_by?.id!==r.server.session.user?.id?d`<confab-moderation .desk=${u} .comment=${a}></confab-moderation>`:b})}var g=class extends q{static properties=["desk","comment","isOpen"];draw(){let{comment:t,isOpen:n}=this,{t:s}=this.desk.host;return t.is_held?d`${this.button("approve")} ${this.button("trash")}`:d`<button
class="plain"
part="button"
type="button"
aria-expanded=${n===!0}
@click=${()=>{this.isOpen=n!==!0}}
>
${s("moderate")}
</button>
${n?d`${this.button("hold")} ${this.button("trash")}`:b}`}button(t){let{desk:n,comment:s}=this,i=s.created_by?.display_name??n.host.t("unknown");return d`<button
part="button"
type="button"
aria-description=${n.host.t("commentBy",{name:i})}
@click=${async()=>{this.isOpen=!1,await n.decide(t,s)}}
>
${n.host.t(t)}
</button>`}},x=class extends q{static properties=["desk"];#e;#t;connectedCallback(){super.connectedCallback(),this.#e=this.desk.$()}disconnectedCallback(){this.#e?.()}draw(){let{desk:t}=this,{t:n}=t.host;return d`<div class="desk" part="desk">
<button part="button" type="button" aria-expanded=${t.isOpen} aria-controls="review" @click=${t.toggle}>
${t.count===0?n("review"):n("toReview",{count:t.count})}
</button>
<button part="button" type="button" @click=${()=>t.lock(!t.p)}>
${n(t.p?"unlock":"lock")}
</button>
</div>
${t.p?d`<p class="notice" part="notice">${n("locked")}</p>`:b}
<section class="review" id="review" part="review" aria-label=${n("review")} ?hidden=${!t.isOpen}>
${t.reports.length===0?d`<p class="quiet">${n("nothingToReview")}</p>`:d`<ul role="list">${t.reports.map(s=>this.report(s))}</ul>`}
</section>
${t.done===void 0?b:this.done(t.done)}`}v(){let{done:t}=this.desk;t!==void 0&&t!==this.#t&&this.root.querySelector(".done button")?.focus({preventScroll:!0}),this.#t=t}report(t){let{desk:n}=this,{t:s}=n.host,{entity:i,author:u,snapshot:l,held:a,report_count:$,texts:k}=t,v=u?.display_name??s("unknown"),f=t.reasons.map(({reason:o})=>s(F[o]??"otherReason")),y=new Intl.ListFormat(n.host.language,{type:"unit"}).format(f),e=o=>d`<button part="button" type="button" @click=${()=>n.resolve(o,t)}>${s(o)}</button>`;return d`<li aria-label=${s("commentBy",{name:v})}>
<strong class="name" dir="auto">${v}</strong>
<span class="quiet"
>${a===void 0?s("reportedBy",{count:$,reasons:y}):s("waitsForApproval")}</span
>
<p dir="auto">${l?.text}</p>
${k.map(({text:o})=>d`<blockquote class="quiet" dir="auto">${o}</blockquote>`)}
<div class="choices">
${a===void 0?d`${e("keep")} ${e("hold")}`:e("approve")} ${e("trash")}
<button class="plain" part="button" type="button" @click=${()=>n.show(i.id)}>
${s("showComment")}
</button>
</div>
</li>`}done({text:t,back:n}){let{desk:s}=this,{t:i}=s.host;return d`<div class="done" part="done" role="group" aria-label=${t}>
<span>${t}</span>
${n===void 0?b:d`<button part="button" type="button" @click=${s.undo}>${i("undo")}</button>`}
<button part="button" type="button" @click=${s.dismiss}>${i("dismiss")}</button>
</div>`}};B("confab-moderation",g);B("confab-desk",x);export{V as moderate};
