import{BaseElement as v,ConfabComments as y,createTranslate as $,define as k,html as a,nothing as S,serverAt as C,sheetOf as E}from"../elements.js";var p=":host{display:block}.reactions li{padding:0;border:none}[part~=reaction]{display:inline-block;padding:.3em .75em;border:1px solid var(--strong-line);border-radius:99em;font-size:inherit;font-variant-numeric:tabular-nums}[part~=own]{background:color-mix(in srgb,var(--accent) 14%,transparent);border-color:var(--accent)}p{margin-block:.5em 0}@media(forced-colors:active){[part~=own]{outline:2px solid Highlight}}";var m=["👍","❤️","😄","🎉","🤔","👀"],x=E(p),b=new WeakMap;function P(i){let t=b.get(i);if(t===void 0){let e=i.attachShadow({mode:"open"});e.adoptedStyleSheets=[y.sheet,x],t=document.createElement("confab-reaction-row"),t.host=i,b.set(i,t),e.append(t)}else t.follow()}function O({reactions:i},t){return{counts:new Map(i.map(({content:e,count:n})=>[e,n])),own:i.find(e=>e.created_by_id!==void 0&&e.created_by_id===t)?.content}}function R({counts:i,own:t},e){let n=new Map(i);return t!==void 0&&n.set(t,(n.get(t)??1)-1),e!==void 0&&n.set(e,(n.get(e)??0)+1),{counts:n,own:e}}var h=class extends v{static properties=["state","fault"];host;#e;#t="";#s=!1;#n;connectedCallback(){super.connectedCallback(),this.follow()}disconnectedCallback(){this.#n?.(),this.#n=void 0,this.#t=""}#i(){let t=this.host.getAttribute("comment"),e=this.host.getAttribute("post");if(t)return`/api/comments/${encodeURIComponent(t)}`;if(e)return`/api/posts/${encodeURIComponent(e)}`}follow(){if(!this.isConnected)return;let t=C(this.host.getAttribute("server"));(t!==this.#e||this.#n===void 0)&&(this.#n?.(),this.#n=t.session.subscribe(()=>this.follow()),this.#e=t);let e=this.#i(),n=`${t.url} ${e} ${t.session.user?.id}`;n!==this.#t&&(this.#t=n,e!==void 0&&this.#o(t,e)),this.redraw()}async#o({api:t,session:e},n){let o=this.#t,r=await t.call(n);o===this.#t&&(this.state=r.ok?O(r.body,e.user?.id):void 0)}draw(){let{state:t,fault:e}=this;if(t===void 0)return a``;let n=this.host.closest("[lang]")?.lang||navigator.language,o=$(n,this.host.texts),r=this.#e?.session.user!==void 0,d=[...t.counts].filter(([s,c])=>c>0&&!m.includes(s)),l=[...m.filter(s=>r||(t.counts.get(s)??0)>0),...d.map(([s])=>s)],g=new Intl.NumberFormat(n);return a`<div class="root">
<ul class="reactions" part="reactions" role="list" aria-label=${o("reactions")}>
${l.map(s=>{let c=t.counts.get(s)??0,u=o("reacted",{emoji:s,count:c}),f=a`<span aria-hidden="true">${s}${c===0?"":` ${g.format(c)}`}</span>`;return a`<li>
${r?a`<button
part=${s===t.own?"reaction own":"reaction"}
type="button"
aria-pressed=${s===t.own}
aria-label=${u}
title=${u}
@click=${()=>this.#r(s)}
>
${f}
</button>`:a`<span part="reaction" title=${u}>${f}<span class="hidden">${u}</span></span>`}
</li>`})}
</ul>
${e===void 0?S:a`<p class="quiet" role="alert">${e||o("away")}</p>`}
</div>`}async#r(t){let e=this.#i(),{state:n}=this;if(e===void 0||n===void 0||this.#e===void 0||this.#s)return;let{api:o}=this.#e,r=this.#t,d=t===n.own?void 0:t;this.#s=!0,this.fault=void 0,this.state=R(n,d);let l=d===void 0?await o.call(`${e}/reactions`,{method:"DELETE"}):await o.call(`${e}/reactions`,{method:"POST",body:{content:d}});this.#s=!1,!(l.ok||r!==this.#t)&&(this.state=n,this.fault=l.message)}};k("confab-reaction-row",h);export{P as update};
