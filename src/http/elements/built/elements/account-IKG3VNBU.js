import{a as h}from"./chunk-ZH6OXWIW.js";import{a as p}from"./chunk-NSFQUU7P.js";import{a as c,e as d}from"./chunk-EFU7FZ6N.js";import{addEnglish as l,avatar as f,BaseElement as v,define as y,html as o,nothing as m}from"../elements.js";l(h);var E={header:i=>o`<confab-account .host=${i} .user=${i.server.session.user} .t=${i.t}></confab-account>`};async function k(i){return await(await import("./sign-in-YC4G2KF4.js")).signIn(i)}var a=class extends v{static properties=["host","user","t","isOpen"];connectedCallback(){let{host:t}=this,{failure:e}=t.server.session;c(t),super.connectedCallback(),e!==void 0&&t.announce(d(t.t,e),{isShown:!0})}draw(){let{host:t,user:e}=this,{t:s,server:n}=t;return e===void 0?n.session.source!==void 0?o``:o`<div class="account">
<button type="button" part="button" @click=${()=>t.signIn()}>${s("signIn")}</button>
</div>`:o`<div class="account" @keydown=${this.#u} @focusout=${this.#a}>
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
${this.isOpen?this.#o():m}
</div>`}#o(){let{t,server:e}=this.host,s=(n,u)=>o`<button type="button" role="menuitem" tabindex="-1" part="button" @click=${()=>this.#r(u)}>${n}</button>`;return o`<div class="menu" part="menu" role="menu">
${s(t("myData"),()=>this.#i())}
${e.session.source!==void 0?m:s(t("signOut"),()=>this.#h())}
</div>`}get#s(){return this.querySelector(".account > button")}get#n(){return[...this.querySelectorAll('[role="menuitem"]')]}#t=async t=>{this.isOpen=!0,await this.redraw(),this.#n.at(t)?.focus()};#e=()=>{this.#s?.focus(),this.isOpen=!1};#r(t){this.#e(),t()}#a=({relatedTarget:t})=>{t instanceof Node&&this.contains(t)||(this.isOpen=!1)};#u=t=>{let e=this.isOpen?this.#d(t.key):this.#c(t.key);e!==void 0&&(t.preventDefault(),t.stopPropagation(),e())};#c(t){if(this.user!==void 0)return t==="ArrowDown"?()=>{this.#t(0)}:t==="ArrowUp"?()=>{this.#t(-1)}:void 0}#d(t){let e=this.#n,s=e.findIndex(r=>r.matches(":focus")),n=r=>()=>e.at(r%e.length)?.focus();return{ArrowDown:n(s+1),ArrowUp:n(s-1),Home:n(0),End:n(-1),Escape:this.#e}[t]}async#i(){let{openMyData:t}=await import("./my-data-M7H24XK3.js");t(this.host)}async#h(){let{host:t,user:e}=this;if(e?.way==="guest")return await this.#i();p(t.server),t.announce(t.t("signedOut"),{isShown:!0}),await this.redraw(),this.#s?.focus()}};y("confab-account",a);export{E as account,k as signIn};
