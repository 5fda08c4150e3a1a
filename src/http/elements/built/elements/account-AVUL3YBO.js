import{a as m}from"./chunk-NSFQUU7P.js";import{a as p}from"./chunk-ZH6OXWIW.js";import{a as c,e as d}from"./chunk-EFU7FZ6N.js";import{addEnglish as h,avatar as f,BaseElement as v,define as y,html as i,nothing as l}from"../elements.js";h(p);var k={header:n=>i`<confab-account .host=${n} .user=${n.server.session.user} .t=${n.t}></confab-account>`,read:n=>{b(n)}};async function b(n){let{api:t,session:e}=n.server;if(e.user===void 0||e.user.way!==void 0)return;let s=await t.call(`/api/apps/${encodeURIComponent(n.app)}/access`);if(!s.ok||!s.body.moderate.is_allowed)return;let{moderate:o}=await import("./moderate-GK7G2ZCB.js");o(n)}async function x(n){return await(await import("./sign-in-OSZJTW4Y.js")).signIn(n)}var a=class extends v{static properties=["host","user","t","isOpen"];connectedCallback(){let{host:t}=this,{failure:e}=t.server.session;c(t),super.connectedCallback(),e!==void 0&&t.announce(d(t.t,e),{isShown:!0})}draw(){let{host:t,user:e}=this,{t:s,server:o}=t;return e===void 0?o.session.source!==void 0?i``:i`<div class="account">
<button type="button" part="button" @click=${()=>t.signIn()}>${s("signIn")}</button>
</div>`:i`<div class="account" @keydown=${this.#u} @focusout=${this.#a}>
<button
class="who"
type="button"
part="button account"
aria-haspopup="menu"
aria-expanded=${this.isOpen===!0}
@click=${()=>this.isOpen?this.#e():this.#t(0)}
>
${f(e)}<span class="hidden">${s("account")}</span>
<span class="name" dir="auto">${e.display_name}</span>
</button>
${this.isOpen?this.#i():l}
</div>`}#i(){let{t,server:e}=this.host,s=(o,u)=>i`<button type="button" role="menuitem" tabindex="-1" part="button" @click=${()=>this.#r(u)}>${o}</button>`;return i`<div class="menu" part="menu" role="menu">
${s(t("myData"),()=>this.#o())}
${e.session.source!==void 0?l:s(t("signOut"),()=>this.#p())}
</div>`}get#n(){return this.querySelector(".account > button")}get#s(){return[...this.querySelectorAll('[role="menuitem"]')]}#t=async t=>{this.isOpen=!0,await this.redraw(),this.#s.at(t)?.focus()};#e=()=>{this.#n?.focus(),this.isOpen=!1};#r(t){this.#e(),t()}#a=({relatedTarget:t})=>{t instanceof Node&&this.contains(t)||(this.isOpen=!1)};#u=t=>{let e=this.isOpen?this.#d(t.key):this.#c(t.key);e!==void 0&&(t.preventDefault(),t.stopPropagation(),e())};#c(t){if(this.user!==void 0)return t==="ArrowDown"?()=>{this.#t(0)}:t==="ArrowUp"?()=>{this.#t(-1)}:void 0}#d(t){let e=this.#s,s=e.findIndex(r=>r.matches(":focus")),o=r=>()=>e.at(r%e.length)?.focus();return{ArrowDown:o(s+1),ArrowUp:o(s-1),Home:o(0),End:o(-1),Escape:this.#e}[t]}async#o(){let{openMyData:t}=await import("./my-data-M7H24XK3.js");t(this.host)}async#p(){let{host:t,user:e}=this;if(e?.way==="guest")return await this.#o();m(t.server),t.announce(t.t("signedOut"),{isShown:!0}),await this.redraw(),this.#n?.focus()}};y("confab-account",a);export{k as account,x as signIn};
