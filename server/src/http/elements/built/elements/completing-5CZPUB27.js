import{html as f}from"../elements.js";var b=/(?:^|[\s(])([@:])([\p{L}\p{N}_+-][\p{L}\p{N}_+ -]{0,30})$/u,m=150;function g(r,{people:p,emoji:h}){let a=0;function l(){a+=1,r.choices=void 0;for(let e of["aria-activedescendant","aria-controls"])r.field.removeAttribute(e)}function d(e){r.choices=e;let{field:t,host:n,place:o="new"}=r;t.setAttribute("aria-controls",`choices-${o}`),t.setAttribute("aria-activedescendant",`choice-${o}-${e.selected}`);let{label:i}=e.all[e.selected];n.announce(i)}function u(e){let{choices:t}=r;l(),t!==void 0&&r.replace(t.start,t.end,`${e.text} `)}return{close:l,async look(){let e=++a,{field:t}=r,{selectionStart:n,selectionEnd:o}=t,[,i,s]=n===o&&b.exec(t.value.slice(0,n))||[];if(i===void 0||s===void 0)return l();if(i==="@"&&await new Promise(y=>setTimeout(y,m)),e!==a)return;let c=i==="@"?await p(s):await h(s);if(e===a){if(c.length===0)return l();d({all:c,selected:0,start:n-s.length-1,end:n})}},press(e){let{choices:t}=r;if(t===void 0)return!1;let{all:n,selected:o}=t,i={ArrowDown:1,ArrowUp:-1}[e.key];if(i!==void 0)d({...t,selected:(o+i+n.length)%n.length});else if(e.key==="Enter"||e.key==="Tab")u(n[o]);else if(e.key==="Escape")l();else return!1;return e.preventDefault(),!0},draw({all:e,selected:t}){let{host:n,place:o="new"}=r;return f`<ul class="choices" part="choices" role="listbox" id=${`choices-${o}`} aria-label=${n.t("suggestions")}>
${e.map((i,s)=>f`<li
role="option"
id=${`choice-${o}-${s}`}
aria-selected=${s===t}
dir="auto"
@mousedown=${c=>{c.preventDefault(),u(i)}}
>
${i.label}
</li>`)}
</ul>`}}}export{g as completing};
