import{addEnglish as b,BaseElement as w,define as y,html as r,intend as x,nothing as l,sheetOf as _}from"../elements.js";var p={poll:"Poll",votes:{one:"{count} vote",other:"{count} votes"},attachments:"Attachments"};var m="confab-extras{display:contents}.poll button{text-align:start}.attachments{display:flex;flex-wrap:wrap;gap:.4em;font-size:var(--small);margin-block-start:.6em}.attachments img{display:block;max-inline-size:100%;block-size:auto;border-radius:var(--radius)}.preview{display:grid;margin-block-start:.6em;padding:.6em .9em;border:1px solid var(--line);border-radius:var(--radius);text-decoration:none}.preview strong{color:var(--accent)}.poll{display:grid;gap:.4em;margin-block-start:.6em;max-inline-size:30em}.poll li{display:grid;grid-template-columns:1fr auto;gap:0 1em}.poll progress{accent-color:var(--accent);grid-row:2;grid-column:1 / -1;inline-size:100%}";b(p);var h=_(m),u=class extends w{static properties=["host","comment","t"];connectedCallback(){let e=this.host.shadowRoot;e!==null&&!e.adoptedStyleSheets.includes(h)&&e.adoptedStyleSheets.push(h),super.connectedCallback()}draw(){let{t:e,comment:s}=this,{attachments:o,embed:a,options:i}=s;return r`${o.length===0?l:C(o,e("attachments"))}
${a===void 0?l:R(a)} ${i.length===0?l:this.#e()}`}#e(){let{host:e,comment:s,t:o}=this,{options:a}=s,{user:i}=e.server.session,d=i!==void 0&&i.way===void 0&&e.reading.isWritable(),c=a.reduce((n,v)=>n+v.vote_count,0);return r`<ul class="poll" part="poll" role="list" aria-label=${o("poll")}>
${a.map(n=>r`<li ?data-own=${n.has_voted}>
${d?r`<button type="button" part="button" dir="auto" aria-pressed=${n.has_voted} @click=${()=>x(e,"vote",s,n.id)}>
${n.text}
</button>`:r`<span dir="auto">${n.text}</span>`}
<progress max=${c||1} value=${n.vote_count} aria-hidden="true"></progress>
<span class="quiet">${o("votes",{count:n.vote_count})}</span>
</li>`)}
</ul>`}},g=240;function k(t,e){return Math.round(t*Math.min(1,g/e))}function C(t,e){return r`<ul class="attachments" part="attachments" role="list" aria-label=${e}>
${t.map(s=>{let{width:o,height:a,thumbnail_url:i,name:d}=s,c=f(s.preview_url??s.download_url??s.external_url),n=i!==void 0&&o!==void 0&&a!==void 0?r`<img src=${i} alt=${d} width=${k(o,a)} height=${Math.min(a,g)} loading="lazy">`:r`<span dir="auto">${d}</span>`;return r`<li>
${c===void 0?n:r`<a href=${c} target="_blank" rel="noopener noreferrer">${n}</a>`}
</li>`})}
</ul>`}function R(t){let e=f(t.original_url);return e===void 0?l:r`<a class="preview" part="preview" href=${e} target="_blank" rel="nofollow ugc noopener noreferrer">
<strong dir="auto">${t.title??t.host}</strong>
${t.description===void 0?l:r`<span class="quiet" dir="auto">${t.description}</span>`}
<span class="quiet">${t.host}</span>
</a>`}function f(t){return t!==void 0&&/^https?:\/\//i.test(t)?t:void 0}y("confab-extras",u);
