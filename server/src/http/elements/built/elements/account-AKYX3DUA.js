import{a as p}from"./chunk-WL6WZC7H.js";import{a as m}from"./chunk-AYVSZFMI.js";import{a as d,e as c}from"./chunk-L2UTDOC3.js";import"./chunk-A27VBFSI.js";import{addEnglish as h,avatar as f,BaseElement as v,define as y,html as i,nothing as l}from"../elements.js";h(m);var k={header:n=>i`<confab-account .host=${n} .user=${n.server.session.user} .t=${n.t}></confab-account>`,read:n=>{b(n)}};async function b(n){let{api:e,session:t}=n.server;if(t.user===void 0||t.user.way!==void 0||n.reading.isMissing())return;let s=await e.call(`/api/apps/${encodeURIComponent(n.app)}/access`);if(!s.ok||!s.body.moderate.is_allowed)return;let{moderate:o}=await import("./moderate-N6FZ63Z7.js");o(n,s.body.moderate.rule==="directory_moderator")}async function x(n){return await(await import("./sign-in-TJKRYWZI.js")).signIn(n)}var a=class extends v{static properties=["host","user","t","isOpen"];connectedCallback(){let{host:e}=this,{failure:t}=e.server.session;d(e),super.connectedCallback(),t!==void 0&&e.announce(c(e.t,t),{isShown:!0})}draw(){let{host:e,user:t}=this,{t:s,server:o}=e;return t===void 0?o.session.source!==void 0?i``:i`<div class="account">
<button type="button" part="button" @click=${()=>e.signIn()}>${s("signIn")}</button>
</div>`:i`<div class="account" @keydown=${this.#u} @focusout=${this.#a}>
<button
class="who"
type="button"
part="button account"
aria-haspopup="menu"
aria-expanded=${this.isOpen===!0}
@click=${()=>this.isOpen?this.#t():this.#e(0)}
>
${f(t)}<span class="hidden">${s("account")}</span>
<span class="name" dir="auto">${t.display_name}</span>
</button>
${this.isOpen?this.#i():l}
</div>`}#i(){let{t:e,server:t}=this.host,s=(o,u)=>i`<button type="button" role="menuitem" tabindex="-1" part="button" @click=${()=>this.#r(u)}>${o}</button>`;return i`<div class="menu" part="menu" role="menu">
${s(e("myData"),()=>this.#o())}
${t.session.source!==void 0?l:s(e("signOut"),()=>this.#m())}
</div>`}get#n(){return this.querySelector(".account > button")}get#s(){return[...this.querySelectorAll('[role="menuitem"]')]}#e=async e=>{this.isOpen=!0,await this.redraw(),this.#s.at(e)?.focus()};#t=()=>{this.#n?.focus(),this.isOpen=!1};#r(e){this.#t(),e()}#a=({relatedTarget:e})=>{e instanceof Node&&this.contains(e)||(this.isOpen=!1)};#u=e=>{let t=this.isOpen?this.#c(e.key):this.#d(e.key);t!==void 0&&(e.preventDefault(),e.stopPropagation(),t())};#d(e){if(this.user!==void 0)return e==="ArrowDown"?()=>{this.#e(0)}:e==="ArrowUp"?()=>{this.#e(-1)}:void 0}#c(e){let t=this.#s,s=t.findIndex(r=>r.matches(":focus")),o=r=>()=>t.at(r%t.length)?.focus();return{ArrowDown:o(s+1),ArrowUp:o(s-1),Home:o(0),End:o(-1),Escape:this.#t}[e]}async#o(){let{openMyData:e}=await import("./my-data-LJVBF4PP.js");e(this.host)}async#m(){let{host:e,user:t}=this;if(t?.way==="guest")return await this.#o();p(e.server),e.announce(e.t("signedOut"),{isShown:!0}),await this.redraw(),this.#n?.focus()}};y("confab-account",a);export{k as account,x as signIn};
