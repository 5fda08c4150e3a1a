import{html as a,nothing as p}from"../elements.js";var o=60;function d(n){let{label:l,hint:i,problem:e,isBusy:t,value:r=""}=n;return a`<p class="field">
<label for="panel-name">${l}</label>
<input
id="panel-name"
name="name"
part="field"
dir="auto"
autocomplete="nickname"
maxlength=${o}
.defaultValue=${r}
?readonly=${t}
aria-invalid=${e!==void 0}
aria-describedby="panel-name-hint panel-name-problem"
/>
<span class="quiet" id="panel-name-hint">${i}</span>
${e===void 0?p:a`<span class="problem" id="panel-name-problem">${e}</span>`}
</p>`}export{d as a};
