import{a as D}from"./chunk-Z7RTYO52.js";import{BaseElement as q,define as L,html as d,nothing as b,sheetOf as M}from"../elements.js";import{addEnglish as E}from"../elements.js";var C={moderate:"Moderate",approve:"Approve",hold:"Hold back",trash:"Move to trash",keep:"Keep",approved:"The comment by {name} is approved.",heldBack:"The comment by {name} is held back.",trashed:"The comment by {name} is in the trash.",kept:"The comment by {name} stays.",undo:"Undo",undone:"Undone.",dismiss:"Dismiss",notDone:"This could not be done.",lock:"Lock comments",unlock:"Unlock comments",locked:"The comments are locked. Only moderators can write.",unlocked:"The comments are unlocked.",toReview:{one:"{count} to review",other:"{count} to review"},review:"To review",nothingToReview:"There is nothing to review.",showComment:"Show comment",reportedBy:{one:"Reported by {count} person: {reasons}",other:"Reported by {count} people: {reasons}"},waitsForApproval:"Waits for approval",spam:"advertising",abuse:"insult or threat",illegal:"illegal",offTopic:"off topic",otherReason:"another reason",rule:"a rule of the server"};E({...D,...C});var H=6e4,A=25,T={approve:{said:"approved",back:"hold",resolution:"keep"},keep:{said:"kept",back:void 0,resolution:"keep"},hold:{said:"heldBack",back:"approve",resolution:"hold"},trash:{said:"trashed",back:"restore",resolution:"trash"}};function _(r,o){let{app:n,t:s}=r,{api:i}=r.server,u=`/api/apps/${encodeURIComponent(n)}`,l=!1,a={host:r,count:0,reports:[],isOpen:!1,isLocked:!1,done:void 0,async read(){let e=`state=open&app=${encodeURIComponent(n)}&expand=author&top=${A}`,t=await i.call(`/api/reports?${e}`);t.ok&&(a.count=t.body.count,a.reports=t.body.data.filter(({entity:c})=>c.type==="comment"),o())},async decide(e,{id:t,created_by:c}){await y(e,t,c?.display_name,()=>i.call(`/api/comments/${t}/${e}`,w))},async resolve(e,{id:t,entity:c,author:p}){let{resolution:m}=T[e],h={action:m};await y(e,c.id,p?.display_name,()=>i.call(`/api/reports/${t}/resolve`,{...w,body:h}))},async lock(e){let t=p=>async()=>{let m=await i.call(`${u}/${p?"lock":"unlock"}`,w);return m.ok&&(a.isLocked=p),m},c=s(e?"locked":"unlocked");await k(t(e),{text:c,back:t(!e),id:void 0})},async show(e){let t=await i.call(`/api/comments/${e}?expand=created_by,embed`);if(!t.ok)return r.announce(t.message||s("notFound"),{isShown:!0});r.thread.put(t.body),await r.show(e)},async undo(){let{back:e,id:t}=a.done??{};e!==void 0&&(await k(e,void 0),t!==void 0&&a.done===void 0&&await r.show(t))},async dismiss(){let e=a.done?.id;a.done=void 0,o(),e!==void 0&&r.thread.isShown(e)&&await r.show(e)},toggle(){a.isOpen=!a.isOpen,o(),a.isOpen&&a.read()},watch(){let e=()=>{document.visibilityState==="visible"&&a.read()},t=setInterval(e,H);return document.addEventListener("visibilitychange",e),$(),a.read(),()=>{clearInterval(t),document.removeEventListener("visibilitychange",e)}}};async function $(){let e=await i.call(u);e.ok&&(a.isLocked=Date.parse(e.body.locked_at??"")<=Date.now(),o())}async function y(e,t,c,p){let{said:m,back:h}=T[e],R=h&&(()=>i.call(`/api/comments/${t}/${h}`,w)),B=s(m,{name:c??s("unknown")});await k(p,{text:B,back:R&&(()=>v(t,R)),id:t},()=>f(t))}async function v(e,t){let c=await t();return c.ok&&await f(e),c}async function f(e){if(r.thread.get(e)===void 0)return;let t=await i.call(`/api/comments/${e}?trashed=true&expand=created_by,embed`);t.ok&&r.thread.put(t.body)}async function k(e,t,c){if(l)return;l=!0;let p=await e();if(l=!1,!p.ok)return r.announce(p.message||s("notDone"),{isShown:!0});await c?.(),a.done=t,r.announce(t?.text??s("undone")),o(),await a.read()}return a}var w={method:"POST"};var P="confab-moderation{display:contents}confab-desk{display:block;margin-block-end:var(--space)}.desk,.choices{display:flex;flex-wrap:wrap;gap:.5em}.plain{border-color:transparent;color:var(--quiet)}.review{margin-block-start:.75em;padding:.75em 1em;border:1px solid var(--line);border-radius:var(--radius)}.review>p{margin:0}.review li+li{margin-block-start:1em;padding-block-start:1em;border-block-start:1px solid var(--line)}.review li p{margin-block:.3em .6em}.review blockquote{margin:0 0 .6em;padding-inline-start:.75em;border-inline-start:3px solid var(--line)}.done{position:fixed;z-index:2;inset-block-end:1rem;inset-inline:1rem;inline-size:fit-content;margin-inline:auto;display:flex;flex-wrap:wrap;gap:.5em .75em;align-items:center;padding:.6em 1em;color:Canvas;background:CanvasText;border:1px solid transparent;border-radius:var(--radius)}.done button{border-color:currentColor}.done button:focus-visible{outline-color:currentColor}.done button:hover{background:color-mix(in srgb,Canvas 20%,transparent)}";var S=M(P),O=new WeakMap,U={spam:"spam",abuse:"abuse",illegal:"illegal",off_topic:"offTopic",other:"otherReason",rule:"rule"};function V(r){let o=()=>`${r.server.url} ${r.app} ${r.server.session.user?.id}`,n=o(),s=O.get(r)??new Set;if(s.has(n))return;O.set(r,s.add(n));let i=r.shadowRoot;i!==null&&!i.adoptedStyleSheets.includes(S)&&i.adoptedStyleSheets.push(S);let u=_(r,()=>{for(let l of i?.querySelectorAll("confab-desk")??[])l.redraw()});r.extend({form:(l,a)=>a===void 0&&o()===n?d`<confab-desk .desk=${u}></confab-desk>`:b,actions:(l,a)=>o()===n&&a.created_by?.id!==r.server.session.user?.id?d`<confab-moderation .desk=${u} .comment=${a}></confab-moderation>`:b})}var g=class extends q{static properties=["desk","comment","isOpen"];draw(){let{comment:o,isOpen:n}=this,{t:s}=this.desk.host;return o.is_held?d`${this.button("approve")} ${this.button("trash")}`:d`<button
class="plain"
part="button"
type="button"
aria-expanded=${n===!0}
@click=${()=>{this.isOpen=n!==!0}}
>
${s("moderate")}
</button>
${n?d`${this.button("hold")} ${this.button("trash")}`:b}`}button(o){let{desk:n,comment:s}=this,i=s.created_by?.display_name??n.host.t("unknown");return d`<button
part="button"
type="button"
aria-description=${n.host.t("commentBy",{name:i})}
@click=${async()=>{this.isOpen=!1,await n.decide(o,s)}}
>
${n.host.t(o)}
</button>`}},x=class extends q{static properties=["desk"];#e;#o;connectedCallback(){super.connectedCallback(),this.#e=this.desk.watch()}disconnectedCallback(){this.#e?.()}draw(){let{desk:o}=this,{t:n}=o.host;return d`<div class="desk" part="desk">
<button part="button" type="button" aria-expanded=${o.isOpen} aria-controls="review" @click=${o.toggle}>
${o.count===0?n("review"):n("toReview",{count:o.count})}
</button>
<button part="button" type="button" @click=${()=>o.lock(!o.isLocked)}>
${n(o.isLocked?"unlock":"lock")}
</button>
</div>
${o.isLocked?d`<p class="notice" part="notice">${n("locked")}</p>`:b}
<section class="review" id="review" part="review" aria-label=${n("review")} ?hidden=${!o.isOpen}>
${o.reports.length===0?d`<p class="quiet">${n("nothingToReview")}</p>`:d`<ul role="list">${o.reports.map(s=>this.report(s))}</ul>`}
</section>
${o.done===void 0?b:this.done(o.done)}`}drawn(){let{done:o}=this.desk;o!==void 0&&o!==this.#o&&this.root.querySelector(".done button")?.focus({preventScroll:!0}),this.#o=o}report(o){let{desk:n}=this,{t:s}=n.host,{entity:i,author:u,snapshot:l,held:a,report_count:$,texts:y}=o,v=u?.display_name??s("unknown"),f=o.reasons.map(({reason:t})=>s(U[t]??"otherReason")),k=new Intl.ListFormat(n.host.language,{type:"unit"}).format(f),e=t=>d`<button part="button" type="button" @click=${()=>n.resolve(t,o)}>${s(t)}</button>`;return d`<li aria-label=${s("commentBy",{name:v})}>
<strong class="name" dir="auto">${v}</strong>
<span class="quiet"
>${a===void 0?s("reportedBy",{count:$,reasons:k}):s("waitsForApproval")}</span
>
<p dir="auto">${l?.text}</p>
${y.map(({text:t})=>d`<blockquote class="quiet" dir="auto">${t}</blockquote>`)}
<div class="choices">
${a===void 0?d`${e("keep")} ${e("hold")}`:e("approve")} ${e("trash")}
<button class="plain" part="button" type="button" @click=${()=>n.show(i.id)}>
${s("showComment")}
</button>
</div>
</li>`}done({text:o,back:n}){let{desk:s}=this,{t:i}=s.host;return d`<div class="done" part="done" role="group" aria-label=${o}>
<span>${o}</span>
${n===void 0?b:d`<button part="button" type="button" @click=${s.undo}>${i("undo")}</button>`}
<button part="button" type="button" @click=${s.dismiss}>${i("dismiss")}</button>
</div>`}};L("confab-moderation",g);L("confab-desk",x);export{V as moderate};
