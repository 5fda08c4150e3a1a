import{a as $,b as x,c as P}from"./chunk-WL6WZC7H.js";import{a as k}from"./chunk-KAFZJD67.js";import{a as y}from"./chunk-DAD23I3G.js";import{b as g,c as v,d as w,e as m,f as h}from"./chunk-L2UTDOC3.js";import"./chunk-A27VBFSI.js";import{avatar as I,define as F,html as a,nothing as c}from"../elements.js";async function S(r,t){try{let e=await r.send(`/api/users/${t}/export`);if(!e.ok){let{status:n,headers:o}=e,d=await e.json().catch(()=>{}),u=Number(o.get("retry-after"))||void 0;return{ok:!1,status:n,code:"",message:d?.detail??"",retryAfter:u}}let i=URL.createObjectURL(await e.blob());Object.assign(document.createElement("a"),{href:i,download:"my-data.tar"}).click(),setTimeout(()=>URL.revokeObjectURL(i),6e4);return}catch{return{ok:!1,status:0,code:"",message:"",retryAfter:void 0}}}import{BaseElement as B,define as R,html as f,nothing as H}from"../elements.js";var b=class extends B{static properties=["host","ticket","problem","isBusy"];draw(){let{t,server:e}=this.host,i=e.session.user?.way==="guest";return f`<form @submit=${this.#s} novalidate>
${this.ticket===void 0?this.#t({name:"email",label:t("mailAddress"),hint:t(i?"mailGuestHint":"mailHint")}):this.#t({name:"code",label:t("mailCode"),hint:t("mailSent")})}
<button part="button" aria-disabled=${this.isBusy===!0}>
${t(this.ticket===void 0?"sendCode":"confirmCode")}
</button>
</form>`}#t({name:t,label:e,hint:i}){let s=t==="email";return f`<p class="field">
<label for="panel-mailbox">${e}</label>
<input
id="panel-mailbox"
part="field"
name=${t}
type=${s?"email":"text"}
inputmode=${s?"email":"numeric"}
autocomplete=${s?"email":"one-time-code"}
maxlength=${s?254:12}
aria-invalid=${this.problem!==void 0}
aria-describedby="panel-mailbox-hint panel-mailbox-problem"
/>
<span class="quiet" id="panel-mailbox-hint">${i}</span>
${this.problem===void 0?H:f`<span class="problem" id="panel-mailbox-problem">${this.problem}</span>`}
</p>`}#s=async t=>{t.preventDefault();let e=this.querySelector("input"),i=e?.value.trim()??"";this.isBusy||e===null||(this.isBusy=!0,this.problem=void 0,this.problem=i===""?this.host.t("fieldMissing"):await this.#n(i,e),this.isBusy=!1,await this.redraw(),this.querySelector("input")?.focus())};async#n(t,e){let{server:i,t:s}=this.host,n=(u,l)=>i.api.call(u,{method:"POST",body:l}),{ticket:o}=this;if(o===void 0){let u={email:t,origin:location.origin},l=await n("/api/user/mailbox",u);if(!l.ok)return h(s,l,"/email")??m(s,l);e.value="",this.ticket=l.body.ticket;return}let d=await n("/api/user/mailbox/code",{ticket:o,code:t});if(!d.ok)return d.code==="sign_in_ended"?s("codeWrong"):m(s,d);y(i.session,d.body),this.dispatchEvent(new Event("added"))}};R("confab-mailbox",b);async function E(r){let t=await createImageBitmap(r),e=Math.min(1,512/Math.max(t.width,t.height)),i=document.createElement("canvas");return i.width=Math.max(1,Math.round(t.width*e)),i.height=Math.max(1,Math.round(t.height*e)),i.getContext("2d")?.drawImage(t,0,0,i.width,i.height),t.close(),i.toDataURL("image/webp",.9)}function K(r){r.server.session.user!==void 0&&r.shadowRoot?.querySelector("confab-my-data")===null&&v(r,new p)}var p=class extends g{static properties=["host","isBusy","said","isErasing","pictures","mayAddMailbox","user"];connectedCallback(){if(super.connectedCallback(),this.user!==void 0)return;let{session:t}=this.host.server;this.user=t.user;let e=t.subscribe(()=>this.#t());this.closed.then(e),t.source===void 0&&this.#s()}#t(){let{user:t}=this.host.server.session;t?.id===this.user?.id?this.user=t:this.close()}async#s(){let{api:t}=this.host.server,[e,i]=await Promise.all([t.call("/api/sign-in"),t.call("/api/user")]);!e.ok||!i.ok||(this.pictures=e.body.pictures,this.mayAddMailbox=e.body.ways.includes("email")&&i.body.ways?.includes("email")===!1)}heading(){return this.host.t("myData")}content(){let{host:t,user:e}=this,{t:i,server:s}=t;return e===void 0?a``:a`${s.session.source!==void 0?c:this.#n(e)}
${this.mayAddMailbox?a`<section><confab-mailbox .host=${t} @added=${this.#f}></confab-mailbox></section>`:c}
<section>
<button type="button" part="button" aria-disabled=${this.isBusy===!0} @click=${()=>this.#b(e)}>
${i("download")}
</button>
<p class="quiet">${i("downloadHint")}</p>
${this.#i("download")}
</section>
<section>
<p class="quiet">${this.#m(e)}</p>
${s.session.source!==void 0?c:this.#l()}
</section>
${s.session.source!==void 0?c:a`<section>${this.isErasing?this.#c(e):this.#u()}</section>`}`}#n(t){let{t:e}=this.host,i=this.said?.part==="name"&&this.said.isProblem?this.said.text:void 0;return a`${this.#o(t)?this.#d(t):c}
<form @submit=${this.#h} novalidate>
${k({label:e("yourName"),hint:e("nameHint"),problem:i,isBusy:this.isBusy===!0,value:t.display_name})}
<button part="button" aria-disabled=${this.isBusy===!0}>${e("save")}</button>
${i===void 0?this.#i("name"):c}
</form>`}#o({way:t}){return this.pictures==="all"||this.pictures==="confirmed"&&t!=="guest"}#d(t){let{t:e}=this.host;return a`<div class="picture">
${I(t)}
<label class="file" part="button">
<span>${e("choosePicture")}</span>
<input class="hidden" type="file" name="picture" accept="image/*" @change=${this.#p} />
</label>
${t.avatar_url===void 0?c:a`<button type="button" class="plain" part="button" @click=${()=>this.#r(null)}>
${e("removePicture")}
</button>`}
</div>
${this.#i("picture")}`}#l(){let{t}=this.host,e=(i,s)=>a`<button type="button" part="button" aria-disabled=${this.isBusy===!0} @click=${()=>this.#y(s)}>
${i}
</button>`;return a`<div class="row">
${e(t("signOut"),!1)}
${this.user?.way==="guest"?c:e(t("signOutEverywhere"),!0)}
</div>
${this.#i("out")}`}#u(){return a`<button type="button" class="danger" part="button danger" @click=${this.#g}>
${this.host.t("erase")}
</button>`}#c({display_name:t}){let{t:e}=this.host,i=this.said?.part==="erase"?this.said.text:void 0,s=(n,o,d)=>a`<label class="choice"><input type="radio" name="content" value=${n} ?checked=${d} /> ${o}</label>`;return a`<form @submit=${this.#w} novalidate>
<p>${e("eraseHint")}</p>
<fieldset aria-label=${e("erase")}>
${s("remove",e("eraseRemove"),!0)} ${s("keep",e("eraseKeep"),!1)}
</fieldset>
<p class="field">
<label for="panel-confirm">${e("eraseConfirm",{name:t})}</label>
<input
id="panel-confirm"
name="confirm"
part="field"
dir="auto"
autocomplete="off"
aria-invalid=${i!==void 0}
aria-describedby="panel-confirm-problem"
/>
<span class="problem" id="panel-confirm-problem">${i}</span>
</p>
<div class="row">
<button class="danger" part="button danger" aria-disabled=${this.isBusy===!0}>${e("eraseNow")}</button>
<button type="button" class="plain" part="button" @click=${this.#v}>${e("cancel")}</button>
</div>
</form>`}#m({way:t}){let{t:e,server:i}=this.host;return i.session.source!==void 0?e("waySite"):t===void 0||t==="guest"?e("wayGuest"):t==="email"?e("wayEmail"):e("wayProvider",{name:w(t)})}#i(t){let{said:e}=this,i=e?.part===t?e.text:"",s=e?.part===t&&e.isProblem;return a`<p class=${s?"problem":"quiet"} role="status">${i}</p>`}async#e(t,e){if(this.isBusy)return;this.isBusy=!0,this.said=void 0;let i=await e();this.isBusy=!1;let{t:s}=this.host;if(typeof i=="string")this.said={part:t,text:i,isProblem:!1};else{let n=h(s,i,`/${t}`)??m(s,i);this.said={part:t,text:n,isProblem:!0}}}#h=async t=>{t.preventDefault();let{t:e}=this.host,i=String(new FormData(t.target).get("name")).trim();i===""?this.said={part:"name",text:e("nameMissing"),isProblem:!0}:await this.#e("name",()=>this.#a({name:i})),this.said?.isProblem&&await this.focusField("name")};async#a(t){let{server:e,t:i}=this.host,s=await e.api.call("/api/user",{method:"PATCH",body:t});if(!s.ok)return s;let{id:n,display_name:o,avatar_url:d,way:u=this.user?.way}=s.body,l=e.session.kept(),M={id:n,display_name:o,...d===void 0?{}:{avatar_url:d},...u===void 0?{}:{way:u}};return l?.user.id===n&&e.session.keep({...l,user:M}),i("saved")}#p=async t=>{let e=t.target,i=e.files?.[0];if(e.value="",i===void 0)return;let s=await E(i).catch(()=>{});s!==void 0?await this.#r(s):this.said={part:"picture",text:this.host.t("pictureInvalid"),isProblem:!0}};async#r(t){await this.#e("picture",()=>this.#a({picture:t})),t===null&&await this.focusField("picture")}#f=()=>{let{host:t}=this;this.mayAddMailbox=!1,t.announce(t.t("mailAdded"),{isShown:!0}),this.focusHeading()};async#b({id:t}){let{server:e,t:i}=this.host;await this.#e("download",async()=>(this.said={part:"download",text:i("downloading"),isProblem:!1},await S(e.api,t)??""))}async#y(t){let{host:e}=this;t?await this.#e("out",async()=>await x(e.server)??""):$(e.server),e.server.session.user===void 0&&e.announce(e.t("signedOut"),{isShown:!0})}#g=async()=>{this.said=void 0,this.isErasing=!0,await this.focusField("confirm")};#v=async()=>{this.isErasing=!1,await this.redraw(),this.querySelector(".danger")?.focus()};#w=async t=>{t.preventDefault();let{host:e,user:i}=this;if(i===void 0)return;let s=new FormData(t.target);if(T(String(s.get("confirm")))!==T(i.display_name))return this.said={part:"erase",text:e.t("eraseMismatch"),isProblem:!0},await this.focusField("confirm");let n=`/api/users/${i.id}?content=${s.get("content")}`;await this.#e("erase",async()=>{let o=await e.server.api.call(n,{method:"DELETE"});return o.ok?(e.announce(e.t("erased"),{isShown:!0}),P(e.server,!0),""):o})}};function T(r){return r.normalize("NFC").replace(/\s+/g," ").trim()}F("confab-my-data",p);export{K as openMyData};
