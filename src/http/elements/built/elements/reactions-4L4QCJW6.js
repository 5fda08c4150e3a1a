import{BaseElement as y,ConfabComments as $,createSpeaker as k,define as S,html as r,nothing as C,serverAt as E,sheetOf as x}from"../elements.js";var p=":host{display:block}.reactions li{padding:0;border:none}[part~=reaction]{display:inline-block;padding:.3em .75em;border:1px solid var(--strong-line);border-radius:99em;font-size:inherit;font-variant-numeric:tabular-nums}[part~=own]{background:color-mix(in srgb,var(--accent) 14%,transparent);border-color:var(--accent)}p{margin-block:.5em 0}@media(forced-colors:active){[part~=own]{outline:2px solid Highlight}}";var m=["👍","❤️","😄","🎉","🤔","👀"],O=x(p),b=new WeakMap;function T(i){let e=b.get(i);if(e===void 0){let t=i.attachShadow({mode:"open"});t.adoptedStyleSheets=[$.sheet,O],e=document.createElement("confab-reaction-row"),e.host=i,b.set(i,e),t.append(e)}else e.follow()}function R({reactions:i},e){return{counts:new Map(i.map(({content:t,count:n})=>[t,n])),own:i.find(t=>t.is_own||t.created_by_id!==void 0&&t.created_by_id===e)?.content}}function _({counts:i,own:e},t){let n=new Map(i);return e!==void 0&&n.set(e,(n.get(e)??1)-1),t!==void 0&&n.set(t,(n.get(t)??0)+1),{counts:n,own:t}}var h=class extends y{static properties=["state","fault"];host;#o=k(this,()=>{this.redraw()});#t;#e="";#s=!1;#n;connectedCallback(){super.connectedCallback(),this.follow()}disconnectedCallback(){this.#n?.(),this.#n=void 0,this.#e=""}#i(){let e=this.host.getAttribute("comment"),t=this.host.getAttribute("post");if(e)return`/api/comments/${encodeURIComponent(e)}`;if(t)return`/api/posts/${encodeURIComponent(t)}`}follow(){if(!this.isConnected)return;let e=E(this.host.getAttribute("server"));(e!==this.#t||this.#n===void 0)&&(this.#n?.(),this.#n=e.session.subscribe(()=>this.follow()),this.#t=e);let t=this.#i(),n=`${e.url} ${t} ${e.session.user?.id}`;n!==this.#e&&(this.#e=n,t!==void 0&&this.#r(e,t)),this.redraw()}async#r({api:e,session:t},n){let o=this.#e,a=await e.call(n);o===this.#e&&(this.state=a.ok?R(a.body,t.user?.id):void 0)}draw(){let{state:e,fault:t}=this,n=this.#o.speech(this.host.texts);if(e===void 0||n===void 0)return r``;let{t:o,language:a}=n,d=this.#t?.session.user!==void 0,l=[...e.counts].filter(([s,c])=>c>0&&!m.includes(s)),w=[...m.filter(s=>d||(e.counts.get(s)??0)>0),...l.map(([s])=>s)],g=new Intl.NumberFormat(a);return r`<div class="root">
<ul class="reactions" part="reactions" role="list" aria-label=${o("reactions")}>
${w.map(s=>{let c=e.counts.get(s)??0,u=o("reacted",{emoji:s,count:c}),f=r`<span aria-hidden="true">${s}${c===0?"":` ${g.format(c)}`}</span>`;return r`<li>
${d?r`<button
part=${s===e.own?"reaction own":"reaction"}
type="button"
aria-pressed=${s===e.own}
aria-label=${u}
title=${u}
@click=${()=>this.#a(s)}
>
${f}
</button>`:r`<span part="reaction" title=${u}>${f}<span class="hidden">${u}</span></span>`}
</li>`})}
</ul>
${t===void 0?C:r`<p class="quiet" role="alert">${t||o("away")}</p>`}
</div>`}async#a(e){let t=this.#i(),{state:n}=this;if(t===void 0||n===void 0||this.#t===void 0||this.#s)return;let{api:o}=this.#t,a=this.#e,d=e===n.own?void 0:e;this.#s=!0,this.fault=void 0,this.state=_(n,d);let l=d===void 0?await o.call(`${t}/reactions`,{method:"DELETE"}):await o.call(`${t}/reactions`,{method:"POST",body:{content:d}});this.#s=!1,!(l.ok||a!==this.#e)&&(this.state=n,this.fault=l.message)}};S("confab-reaction-row",h);export{T as update};
