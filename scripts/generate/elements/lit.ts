import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * What no element uses of lit's templates, with what takes its place. They are texts of the one version that is installed;
 * the build ends where another version has another text, so that none is left out by chance.
 */
const unused: Readonly<Record<string, readonly (readonly [text: string, replacement: string])[]>> = {
  'templates of SVG and MathML': [
    [',w=x(2),T=x(3)', ''],
    [',T as mathml', ''],
    [',w as svg', ''],
    ['2===i?"<svg>":3===i?"<math>":""', '""'],
    ['+(2===i?"</svg>":3===i?"</math>":"")', ''],
    [',2===i||3===i){const t=this.el.content.firstChild;t.replaceWith(...t.childNodes)}', '){}'],
  ],
  'bindings of whole elements and in comments': [
    ['t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t))', '{}'],
    ['else{let t=-1;for(;-1!==(t=r.data.indexOf(o,t+1));)d.push({type:7,index:l}),t+=o.length-1}', ''],
    [':6===r.type&&(i=new Z(h,this,t))', ':0'],
    [
      'class Z{constructor(t,i,s){this.element=t,this.type=6,this._$AN=void 0,this._$AM=i,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}',
      '',
    ],
    [',F:Z}', '}'],
  ],
  'templates that were compiled before': [
    [
      '"number"==typeof s?this._$AC(t):(void 0===s.el&&(s.el=S.createElement(V(s.h,s.h[0]),this.options)),s)',
      'this._$AC(t)',
    ],
  ],
  'directives, and what they need of what is around them': [
    [
      'function M(t,i,s=t,e){if(i===E)return i;let h=void 0!==e?s._$Co?.[e]:s._$Cl;const o=a(i)?void 0:i._$litDirective$;return h?.constructor!==o&&(h?._$AO?.(!1),void 0===o?h=void 0:(h=new o(t),h._$AT(t,s,e)),void 0!==e?(s._$Co??=[])[e]=h:s._$Cl=h),void 0!==h&&(i=M(t,h._$AS(t,i.values),h,e)),i}',
      '',
    ],
    [',V:M', ''],
    ['t=M(this,t,i),', ''],
    ['t=M(this,t,i,0),', ''],
    ['r=M(this,e[s+n],i,n),', 'r=e[s+n],'],
    ['(t=M(this,t,i,0)??A)', '(t=t??A)'],
    ['t!==this._$AH&&t!==E&&this._(t)', 't!==this._$AH&&this._(t)'],
    ['t!==this._$AH&&t!==E,o', 't!==this._$AH,o'],
    ['r===E&&(r=this._$AH[n]),', ''],
    ['this._$AV=[],this._$AN=void 0,', 'this._$AV=[],'],
    ['get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t)', 'u(t)'],
    ['get _$AU(){return this._$AM?._$AU??this._$Cv}', ''],
    ['this._$AH=A,this._$AN=void 0,this._$AA=t', 'this._$AH=A,this._$AA=t'],
    [',this._$Cv=e?.isConnected??!0', ''],
    [
      'get parentNode(){let t=this._$AA.parentNode;const i=this._$AM;return void 0!==i&&11===t?.nodeType&&(t=i.parentNode),t}',
      '',
    ],
    ['get startNode(){return this._$AA}get endNode(){return this._$AB}', ''],
    ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}', ''],
    ['for(this._$AP?.(!1,!0,s);t!==', 'for(;t!=='],
    ['get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}', ''],
    ['this._$AH=A,this._$AN=void 0,this.element=t', 'this._$AH=A,this.element=t'],
  ],
  'listeners with options, and drawing before a node or without a host': [
    ['||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive', ''],
    [
      '"function"==typeof this._$AH?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)',
      'this._$AH.call(this.options.host,t)',
    ],
    [
      'const e=s?.renderBefore??i;let h=e._$litPart$;if(void 0===h){const t=s?.renderBefore??null;e._$litPart$=h=new k(i.insertBefore(c(),t),t,void 0,s??{})}',
      'let h=i._$litPart$;if(void 0===h)i._$litPart$=h=new k(i.insertBefore(c(),null),null,void 0,s);',
    ],
  ],
  'the polyfill, and the note for developers': [
    ['B=t.litHtmlPolyfillSupport;', 'B=0;'],
    ['B?.(S,k),(t.litHtmlVersions??=[]).push("3.3.3");', ''],
  ],
};

/** lit's templates without what no element uses. */
export const litTrimmed: Plugin = {
  name: 'lit-trimmed',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/lit-html\/lit-html\.js$/ }, ({ path: file }) => {
      let contents = readFileSync(file, 'utf8');
      for (const [what, texts] of Object.entries(unused))
        for (const [text, replacement] of texts) {
          if (contents.split(text).length !== 2) throw new Error(`lit has another text for ${what}: ${text}`);
          contents = contents.replace(text, () => replacement);
        }
      return { contents };
    }),
};
