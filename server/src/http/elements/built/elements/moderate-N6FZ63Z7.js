import{a as P}from"./chunk-Z7RTYO52.js";import{BaseElement as B,define as E,html as l,nothing as f,sheetOf as z}from"../elements.js";import{addEnglish as F}from"../elements.js";var C={moderate:"Moderate",approve:"Approve",hold:"Hold back",trash:"Move to trash",keep:"Keep",approved:"The comment by {name} is approved.",heldBack:"The comment by {name} is held back.",trashed:"The comment by {name} is in the trash.",kept:"The comment by {name} stays.",trust:"Trust author",trusted:"From now on, comments by {name} need no approval.",ban:"Ban author",banned:"{name} is banned, and the address for a week.",suspended:"{name} is banned.",undo:"Undo",undone:"Undone.",dismiss:"Dismiss",notDone:"This could not be done.",lock:"Lock comments",unlock:"Unlock comments",locked:"The comments are locked. Only moderators can write.",unlocked:"The comments are unlocked.",toReview:{one:"{count} to review",other:"{count} to review"},review:"To review",nothingToReview:"There is nothing to review.",showComment:"Show comment",reportedBy:{one:"Reported by {count} person: {reasons}",other:"Reported by {count} people: {reasons}"},waitsForApproval:"Waits for approval",spam:"advertising",abuse:"insult or threat",illegal:"illegal",offTopic:"off topic",otherReason:"another reason",rule:"a rule of the server"};F({...P,...C});var I=6e4,M=25,O={approve:{said:"approved",back:"hold",resolution:"keep"},keep:{said:"kept",back:void 0,resolution:"keep"},hold:{said:"heldBack",back:"approve",resolution:"hold"},trash:{said:"trashed",back:"restore",resolution:"trash"}},U=7*86400;function S(s,{decidesOnPeople:n,changed:o}){let{app:a,t:i}=s,{api:d}=s.server,w=`/api/apps/${encodeURIComponent(a)}`,y=!1,r={host:s,decidesOnPeople:n,count:0,reports:[],isOpen:!1,isLocked:!1,done:void 0,async read(){let e=`state=open&app=${encodeURIComponent(a)}&expand=author&top=${M}`,t=await d.call(`/api/reports?${e}`);t.ok&&(r.count=t.body.count,r.reports=t.body.data.filter(({entity:c})=>c.type==="comment"),o())},async decide(e,{id:t,created_by:c}){await g(e,t,c?.display_name,()=>d.call(`/api/comments/${t}/${e}`,x))},async resolve(e,{id:t,entity:c,author:p}){let{resolution:b}=O[e],v={action:b};await g(e,c.id,p?.display_name,()=>d.call(`/api/reports/${t}/resolve`,{...x,body:v}))},async trust(e,t){let c=b=>()=>m(e,{is_trusted:b}),p=i("trusted",{name:e.display_name});await u(c(!0),{text:p,back:c(!1),id:t})},async ban(e,t){let{display_name:c}=e,p=!0,b=async()=>{let h=await m(e,{is_suspended:!0,ban_seconds:U});return p=h.ok||h.errors?.[0]?.pointer!=="/ban_seconds",p?h:await m(e,{is_suspended:!0})},v=()=>m(e,{is_suspended:!1,...p?{ban_seconds:0}:{}});await u(b,()=>({text:i(p?"banned":"suspended",{name:c}),back:v,id:t}))},async lock(e){let t=p=>async()=>{let b=await d.call(`${w}/${p?"lock":"unlock"}`,x);return b.ok&&(r.isLocked=p),b},c=i(e?"locked":"unlocked");await u(t(e),{text:c,back:t(!e),id:void 0})},async show(e){let t=await d.call(`/api/comments/${e}?expand=created_by,embed`);if(!t.ok)return s.announce(t.message||i("notFound"),{isShown:!0});s.thread.put(t.body),await s.show(e)},async undo(){let{back:e,id:t}=r.done??{};e!==void 0&&(await u(e,void 0),t!==void 0&&r.done===void 0&&await s.show(t))},async dismiss(){let e=r.done?.id;r.done=void 0,o(),e!==void 0&&s.thread.isShown(e)&&await s.show(e)},toggle(){r.isOpen=!r.isOpen,o(),r.isOpen&&r.read()},watch(){let e=()=>{document.visibilityState==="visible"&&r.read()},t=setInterval(e,I);return document.addEventListener("visibilitychange",e),$(),r.read(),()=>{clearInterval(t),document.removeEventListener("visibilitychange",e)}}};function m({id:e},t){return d.call(`/api/users/${e}/moderation`,{method:"PATCH",body:t})}async function $(){let e=await d.call(w);e.ok&&(r.isLocked=Date.parse(e.body.locked_at??"")<=Date.now(),o())}async function g(e,t,c,p){let{said:b,back:v}=O[e],h=v&&(()=>d.call(`/api/comments/${t}/${v}`,x)),H=i(b,{name:c??i("unknown")});await u(p,{text:H,back:h&&(()=>R(t,h)),id:t},()=>k(t))}async function R(e,t){let c=await t();return c.ok&&await k(e),c}async function k(e){if(s.thread.get(e)===void 0)return;let t=await d.call(`/api/comments/${e}?trashed=true&expand=created_by,embed`);t.ok&&s.thread.put(t.body)}async function u(e,t,c){if(y)return;y=!0;let p=await e();if(y=!1,!p.ok)return s.announce(p.message||i("notDone"),{isShown:!0});await c?.(),r.done=typeof t=="function"?t():t,s.announce(r.done?.text??i("undone")),o(),await r.read()}return r}var x={method:"POST"};var q="confab-moderation{display:contents}confab-desk{display:block;margin-block-end:var(--space)}.desk,.choices{display:flex;flex-wrap:wrap;gap:.5em}.plain{border-color:transparent;color:var(--quiet)}.review{margin-block-start:.75em;padding:.75em 1em;border:1px solid var(--line);border-radius:var(--radius)}.review>p{margin:0}.review li+li{margin-block-start:1em;padding-block-start:1em;border-block-start:1px solid var(--line)}.review li p{margin-block:.3em .6em}.review blockquote{margin:0 0 .6em;padding-inline-start:.75em;border-inline-start:3px solid var(--line)}.done{position:fixed;z-index:2;inset-block-end:1rem;inset-inline:1rem;inline-size:fit-content;margin-inline:auto;display:flex;flex-wrap:wrap;gap:.5em .75em;align-items:center;padding:.6em 1em;color:Canvas;background:CanvasText;border:1px solid transparent;border-radius:var(--radius)}.done button{border-color:currentColor}.done button:focus-visible{outline-color:currentColor}.done button:hover{background:color-mix(in srgb,Canvas 20%,transparent)}";var L=z(q),A=new WeakMap,W={spam:"spam",abuse:"abuse",illegal:"illegal",off_topic:"offTopic",other:"otherReason",rule:"rule"};function ee(s,n){let o=()=>`${s.server.url} ${s.app} ${s.server.session.user?.id}`,a=o(),i=A.get(s)??new Set;if(i.has(a))return;A.set(s,i.add(a));let d=s.shadowRoot;d!==null&&!d.adoptedStyleSheets.includes(L)&&d.adoptedStyleSheets.push(L);let y=S(s,{decidesOnPeople:n,changed:()=>{for(let r of d?.querySelectorAll("confab-desk")??[])r.redraw()}});s.extend({form:(r,m)=>m===void 0&&o()===a?l`<confab-desk .desk=${y}></confab-desk>`:f,actions:(r,m)=>o()===a&&m.created_by?.id!==s.server.session.user?.id?l`<confab-moderation .desk=${y} .comment=${m}></confab-moderation>`:f})}var D=class extends B{static properties=["desk","comment","isOpen"];draw(){let{comment:n,isOpen:o}=this,{t:a}=this.desk.host;return n.is_held?l`${this.button("approve")} ${this.button("trash")} ${_(this.desk,n.created_by,n.id)}`:l`<button
class="plain"
part="button"
type="button"
aria-expanded=${o===!0}
@click=${()=>{this.isOpen=o!==!0}}
>
${a("moderate")}
</button>
${o?l`${this.button("hold")} ${this.button("trash")} ${_(this.desk,n.created_by,n.id)}`:f}`}button(n){let{desk:o,comment:a}=this,i=a.created_by?.display_name??o.host.t("unknown");return l`<button
part="button"
type="button"
aria-description=${o.host.t("commentBy",{name:i})}
@click=${async()=>{this.isOpen=!1,await o.decide(n,a)}}
>
${o.host.t(n)}
</button>`}};function _(s,n,o){let{host:a,decidesOnPeople:i}=s;return!i||n===void 0||n.is_moderator?f:l`${["trust","ban"].map(d=>l`<button
part="button"
type="button"
aria-description=${n.display_name}
@click=${()=>s[d](n,o)}
>
${a.t(d)}
</button>`)}`}var T=class extends B{static properties=["desk"];#e;#n;connectedCallback(){super.connectedCallback(),this.#e=this.desk.watch()}disconnectedCallback(){this.#e?.()}draw(){let{desk:n}=this,{t:o}=n.host;return l`<div class="desk" part="desk">
<button part="button" type="button" aria-expanded=${n.isOpen} aria-controls="review" @click=${n.toggle}>
${n.count===0?o("review"):o("toReview",{count:n.count})}
</button>
<button part="button" type="button" @click=${()=>n.lock(!n.isLocked)}>
${o(n.isLocked?"unlock":"lock")}
</button>
</div>
${n.isLocked?l`<p class="notice" part="notice">${o("locked")}</p>`:f}
<section class="review" id="review" part="review" aria-label=${o("review")} ?hidden=${!n.isOpen}>
${n.reports.length===0?l`<p class="quiet">${o("nothingToReview")}</p>`:l`<ul role="list">${n.reports.map(a=>this.report(a))}</ul>`}
</section>
${n.done===void 0?f:this.done(n.done)}`}drawn(){let{done:n}=this.desk;n!==void 0&&n!==this.#n&&this.root.querySelector(".done button")?.focus({preventScroll:!0}),this.#n=n}report(n){let{desk:o}=this,{t:a}=o.host,{entity:i,author:d,snapshot:w,held:y,report_count:r,texts:m}=n,$=d?.display_name??a("unknown"),g=n.reasons.map(({reason:u})=>a(W[u]??"otherReason")),R=new Intl.ListFormat(o.host.language,{type:"unit"}).format(g),k=u=>l`<button part="button" type="button" @click=${()=>o.resolve(u,n)}>${a(u)}</button>`;return l`<li aria-label=${a("commentBy",{name:$})}>
<strong class="name" dir="auto">${$}</strong>
<span class="quiet"
>${y===void 0?a("reportedBy",{count:r,reasons:R}):a("waitsForApproval")}</span
>
<p dir="auto">${w?.text}</p>
${m.map(({text:u})=>l`<blockquote class="quiet" dir="auto">${u}</blockquote>`)}
<div class="choices">
${y===void 0?l`${k("keep")} ${k("hold")}`:k("approve")} ${k("trash")}
${_(o,d,i.id)}
<button class="plain" part="button" type="button" @click=${()=>o.show(i.id)}>
${a("showComment")}
</button>
</div>
</li>`}done({text:n,back:o}){let{desk:a}=this,{t:i}=a.host;return l`<div class="done" part="done" role="group" aria-label=${n}>
<span>${n}</span>
${o===void 0?f:l`<button part="button" type="button" @click=${a.undo}>${i("undo")}</button>`}
<button part="button" type="button" @click=${a.dismiss}>${i("dismiss")}</button>
</div>`}};E("confab-moderation",D);E("confab-desk",T);export{ee as moderate};
