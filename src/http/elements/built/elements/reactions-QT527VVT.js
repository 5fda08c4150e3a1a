import{BaseElement as v,ConfabComments as y,createTranslate as $,define as k,html as a,nothing as S,serverAt as C,sheetOf as E}from"../elements.js";var p=":host{display:block}.reactions li{padding:0;border:none}[part~=reaction]{display:inline-block;padding:.3em .75em;border:1px solid var(--strong-line);border-radius:99em;font-size:inherit;font-variant-numeric:tabular-nums}[part~=own]{background:color-mix(in srgb,var(--accent) 14%,transparent);border-color:var(--accent)}p{margin-block:.5em 0}@media(forced-colors:active){[part~=own]{outline:2px solid Highlight}}";var m=["👍","❤️","😄","🎉","🤔","👀"],x=E(p),b=new WeakMap;function _(i){let e=b.get(i);if(e===void 0){if(!i.isConnected)return;let t=i.attachShadow({mode:"open"});t.adoptedStyleSheets=[y.sheet,x],e=document.createElement("confab-reaction-row"),e.host=i,b.set(i,e),t.append(e)}else e.follow()}function L({reactions:i},e){return{counts:new Map(i.map(({content:t,count:n})=>[t,n])),own:i.find(t=>t.created_by_id!==void 0&&t.created_by_id===e)?.content}}function R({counts:i,own:e},t){let n=new Map(i);return e!==void 0&&n.set(e,(n.get(e)??1)-1),t!==void 0&&n.set(t,(n.get(t)??0)+1),{counts:n,own:t}}var f=class extends v{static properties=["state","fault"];host;#t;#e="";#s=!1;#n;connectedCallback(){super.connectedCallback(),this.follow()}disconnectedCallback(){this.#n?.(),this.#n=void 0,this.#e=""}#i(){for(let e of["comment","post"]){let t=this.host.getAttribute(e);if(t)return`/api/${e}s/${encodeURIComponent(t)}`}}follow(){if(!this.isConnected)return;let e=C(this.host.getAttribute("server"));(e!==this.#t||this.#n===void 0)&&(this.#n?.(),this.#n=e.session.subscribe(()=>this.follow()),this.#t=e);let t=this.#i(),n=`${e.url} ${t} ${e.session.user?.id}`;n!==this.#e&&(this.#e=n,t!==void 0&&this.#o(e,t)),this.redraw()}async#o({api:e,session:t},n){let o=this.#e,r=await e.call(n);o===this.#e&&(this.state=r.ok?L(r.body,t.user?.id):void 0)}draw(){let{state:e,fault:t}=this;if(e===void 0)return a``;let n=this.host.closest("[lang]")?.lang||navigator.language,o=$(n,this.host.texts),r=this.#t?.session.user!==void 0,d=[...e.counts].filter(([s,c])=>c>0&&!m.includes(s)),l=[...m.filter(s=>r||(e.counts.get(s)??0)>0),...d.map(([s])=>s)],g=new Intl.NumberFormat(n);return a`<div class="root">
<ul class="reactions" part="reactions" role="list" aria-label=${o("reactions")}>
${l.map(s=>{let c=e.counts.get(s)??0,u=o("reacted",{emoji:s,count:c}),h=a`<span aria-hidden="true">${s}${c===0?"":` ${g.format(c)}`}</span>`;return a`<li>
${r?a`<button
part=${s===e.own?"reaction own":"reaction"}
type="button"
aria-pressed=${s===e.own}
aria-label=${u}
title=${u}
@click=${()=>this.#r(s)}
>
${h}
</button>`:a`<span part="reaction" title=${u}>${h}<span class="hidden">${u}</span></span>`}
</li>`})}
</ul>
${t===void 0?S:a`<p class="quiet" role="alert">${t||o("away")}</p>`}
</div>`}async#r(e){let t=this.#i(),{state:n}=this;if(t===void 0||n===void 0||this.#t===void 0||this.#s)return;let{api:o}=this.#t,r=this.#e,d=e===n.own?void 0:e;this.#s=!0,this.fault=void 0,this.state=R(n,d);let l=d===void 0?await o.call(`${t}/reactions`,{method:"DELETE"}):await o.call(`${t}/reactions`,{method:"POST",body:{content:d}});this.#s=!1,!(l.ok||r!==this.#e)&&(this.state=n,this.fault=l.message)}};k("confab-reaction-row",f);export{_ as update};
