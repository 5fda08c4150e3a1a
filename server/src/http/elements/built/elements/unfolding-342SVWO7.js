import{addEnglish as v,html as u,nothing as b,wholeTime as w}from"../elements.js";var h={versionOf:"Changed {time}",noVersions:"No earlier version is kept.",reportReason:"Why do you report this comment?",reasonSpam:"Advertising",reasonAbuse:"Insults, harassment or threats",reasonIllegal:"It breaks the law",reasonOffTopic:"It does not belong here",reasonOther:"Something else",reportText:"What moderators should know (optional)",reportSent:"Thank you. The moderators have been told."};function f(o,r){let t=o.split(/(?<=\s)/),e=r.split(/(?<=\s)/);if(t.length>1500||e.length>1500)return[{kind:"removed",text:o},{kind:"added",text:r}];let m=e.length+1,c=new Uint16Array((t.length+1)*m),a=(n,p)=>c[n*m+p]??0;for(let n=t.length-1;n>=0;n-=1)for(let p=e.length-1;p>=0;p-=1)c[n*m+p]=t[n]===e[p]?a(n+1,p+1)+1:Math.max(a(n+1,p),a(n,p+1));let l=[],i=(n,p="")=>{let g=l.at(-1);g?.kind===n?g.text+=p:l.push({kind:n,text:p})},s=0,d=0;for(;s<t.length||d<e.length;)s<t.length&&d<e.length&&t[s]===e[d]?(i("kept",t[s]),s+=1,d+=1):d===e.length||s<t.length&&a(s+1,d)>=a(s,d+1)?(i("removed",t[s]),s+=1):(i("added",e[d]),d+=1);return l}v(h);var $={spam:"reasonSpam",abuse:"reasonAbuse",illegal:"reasonIllegal",off_topic:"reasonOffTopic",other:"reasonOther"},x=20,y=new WeakMap;function O(o,r){let{host:t}=o,{t:e}=t,m=()=>{o.unfolded.delete(r.id),o.focus(`#comment-${r.id} [data-act=more]`)};return u`<form class="below-form" @submit=${async a=>{a.preventDefault();let l=new FormData(a.target),i=String(l.get("text")??"").trim();if(!await o.isSignedIn())return;let s={reason:l.get("reason"),...i===""?{}:{text:i}};await o.call(`/api/comments/${r.id}/reports`,s)&&(t.announce(e("reportSent")),m())}}>
<fieldset class="report" part="report">
<legend>${e("reportReason")}</legend>
${Object.entries($).map(([a,l],i)=>u`<label><input type="radio" name="reason" value=${a} required ?checked=${i===0}> ${e(l)}</label>`)}
<textarea name="text" part="textarea" rows="2" maxlength="1000" dir="auto" aria-label=${e("reportText")} placeholder=${e("reportText")}></textarea>
<div class="row">
<button class="primary" part="button send" type="submit">${e("report")}</button>
<button part="button" type="button" @click=${m}>${e("cancel")}</button>
</div>
</fieldset>
</form>`}function A(o,r){let{host:t}=o,{t:e,language:m}=t,c=y.get(r);if(c===void 0)return k(t,r),b;let a=[r.text??"",...c.map(({text:l=""})=>l)];return u`<section class="versions below-form" part="versions" aria-label=${e("versions")}>
${c.length===0?u`<p class="quiet">${e("noVersions")}</p>`:b}
${c.map(({created_at:l},i)=>{let s=i===0?r.modified_at:c[i-1]?.created_at;return u`<div>
<span class="quiet">${e("versionOf",{time:w(s??l,m)})}</span>
<p dir="auto">${f(a[i+1]??"",a[i]??"").map(({kind:d,text:n})=>d==="kept"?n:d==="added"?u`<ins>${n}</ins>`:u`<del>${n}</del>`)}</p>
</div>`})}
</section>`}async function k(o,r){let t=`/api/comments/${r.id}/revisions?order_by=id+desc&top=${x}`,e=await o.server.api.call(t);if(!e.ok)return o.announce(e.message||o.t("noAnswer"));y.set(r,e.body.data),o.redrawAll()}export{O as report,A as versions};
