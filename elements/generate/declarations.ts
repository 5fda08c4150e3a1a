import { globSync } from 'node:fs';
import path from 'node:path';
import { elementsAsBuilt } from './manifest.ts';
import type { ElementTable } from './table.ts';

/** The files of `confab-elements` for TypeScript and for frameworks. */

const made = '// Made by `npm run generate` from the table of the elements.\n';
const textsFolder = path.resolve(import.meta.dirname, '../src/texts');

/** The keys of all texts, also of the parts that are loaded later. */
async function textKeys(): Promise<string[]> {
  const files = globSync('*english.ts', { cwd: textsFolder }).sort();
  const modules = await Promise.all(files.map((file) => import(path.join(textsFolder, file))));
  return [
    ...new Set(
      modules.flatMap((each) => Object.values(each)).flatMap((texts) => Object.keys(texts as object)),
    ),
  ].sort();
}

const htmlName = ({ name }: ElementTable) => `${name}Element`;
const attributesName = ({ name }: ElementTable) => `${name}Attributes`;

function attributesOf(element: ElementTable, isReact: boolean): string {
  const lines = element.attributes
    .filter(({ name }) => name !== 'lang')
    .map(({ name, field, type = 'string', about }) => {
      const key = isReact && field !== undefined ? field : name;
      return `  /** ${about} */\n  ${/^\w+$/.test(key) ? key : `'${key}'`}?: ${type} | undefined;`;
    });
  return lines.join('\n');
}

/** `index.d.ts`: the elements as the DOM has them. */
export async function elementTypes(): Promise<string> {
  const elements = elementsAsBuilt();
  const keys = await textKeys();
  const events = elements.flatMap((element) => element.events);
  return `${made}
/** A text, or its forms by plural category (\`Intl.PluralRules\`). \`{name}\` stands for a value. */
export type ConfabText = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The keys of the texts. */
export type ConfabTextKey =
${keys.map((key) => `  | '${key}'`).join('\n')};

/** Texts by their keys. What is absent is said in the language of the page. */
export type ConfabTexts = { readonly [Key in ConfabTextKey]?: ConfabText };

/** An access token of the user who is signed in on your site; \`expires_in\` is in seconds. */
export type ConfabToken = string | { readonly access_token: string; readonly expires_in?: number };

/** Resolves to a token, or to undefined where nobody is signed in. \`isRefused\` says that the token before was refused. */
export type ConfabTokenSource = (isRefused: boolean) => Promise<ConfabToken | undefined | null>;

/**
 * Trusts a server from now on, as if the script came from it: what it returns is shown, and it gets the tokens of your site.
 * Call it where you import the script. Throws a \`TypeError\` for no address.
 */
export declare function trustServer(address: string): void;

/** A notification, as \`GET /api/notifications\` lists it. */
export interface ConfabNotification {
  readonly id: number;
  /** What happened, such as \`comment_created\`. */
  readonly action: string;
  /** The sentence, in English. */
  readonly plain: string;
  /** What it is about. Absent where the user may no longer see that. */
  readonly link?: { readonly id: number; readonly type: string };
  readonly created_at: string;
  readonly is_unread: boolean;
}

${elements
  .map(
    (element) => `/** The attributes of \`<${element.tag}>\`. */
export interface ${attributesName(element)} {
${attributesOf(element, false)}
}

/** ${element.about} */
export interface ${htmlName(element)} extends HTMLElement {
${element.properties.map(({ name, type, about }) => `  /** ${about} */\n  ${name}: ${type};`).join('\n')}
}`,
  )
  .join('\n\n')}

declare global {
  interface HTMLElementTagNameMap {
${elements.map((element) => `    '${element.tag}': ${htmlName(element)};`).join('\n')}
  }
  interface GlobalEventHandlersEventMap {
${events.map(({ name, detail }) => `    '${name}': CustomEvent<${detail}>;`).join('\n')}
  }
}
`;
}

/** \`react.js\`: the elements as components. */
export function reactComponents(): string {
  const elements = elementsAsBuilt();
  const components = elements.map((element) => {
    const attributes = element.attributes.flatMap(({ name, field }) =>
      field === undefined ? [] : [`${field}: '${name}'`],
    );
    const events = element.events.map(({ name, field }) => `${field}: '${name}'`);
    const properties = element.properties.map(({ name }) => `'${name}'`);
    return `/** ${element.about} */
export const ${element.name} = component('${element.tag}', {
  attributes: {${attributes.length === 0 ? '' : ` ${attributes.join(', ')} `}},
  properties: [${properties.join(', ')}],
  events: {${events.length === 0 ? '' : ` ${events.join(', ')} `}},
});`;
  });
  return `'use client';
${made}
import { component } from './component.js';

${components.join('\n\n')}
`;
}

/** \`react.d.ts\`: the types of the components, and of the tags in JSX. */
export function reactTypes(): string {
  const elements = elementsAsBuilt();
  return `${made}
import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react';
import type {
  ConfabNotification,
  ConfabTexts,
  ConfabTokenSource,
${elements.flatMap((element) => [`  ${attributesName(element)},`, `  ${htmlName(element)},`]).join('\n')}
} from './index.js';

${elements
  .map(
    (element) => `/** The props of \`<${element.name}>\`. */
export interface ${element.name}Props extends HTMLAttributes<${htmlName(element)}> {
${attributesOf(element, true)}
${element.properties.map(({ name, type, about }) => `  /** ${about} */\n  ${name}?: ${type};`).join('\n')}
${element.events
  .map(
    ({ field, detail, about }) =>
      `  /** ${about} */\n  ${field}?: ((event: CustomEvent<${detail}>) => void) | undefined;\n`,
  )
  .join('')}}

/** ${element.about} */
export declare const ${element.name}: ForwardRefExoticComponent<
  ${element.name}Props & RefAttributes<${htmlName(element)}>
>;`,
  )
  .join('\n\n')}

type Tag<Attributes, Element> = Attributes &
  HTMLAttributes<Element> &
  RefAttributes<Element> & { class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${elements.map((element) => `      '${element.tag}': Tag<${attributesName(element)}, ${htmlName(element)}>;`).join('\n')}
    }
  }
}
`;
}

/** \`vue.d.ts\`: the tags in Vue's templates. */
export function vueTypes(): string {
  const elements = elementsAsBuilt();
  return `${made}
import type { DefineComponent } from 'vue';
import type {
${elements.map((element) => `  ${attributesName(element)},`).join('\n')}
  ConfabTexts,
  ConfabTokenSource,
} from './index.js';

type Own = { texts?: ConfabTexts; getToken?: ConfabTokenSource };

declare module 'vue' {
  interface GlobalComponents {
${elements.map((element) => `    '${element.tag}': DefineComponent<${attributesName(element)} & Own>;`).join('\n')}
  }
}
`;
}

/** \`svelte.d.ts\`: the tags in Svelte's templates. */
export function svelteTypes(): string {
  const elements = elementsAsBuilt();
  return `${made}
import type { HTMLAttributes } from 'svelte/elements';
import type {
${elements.flatMap((element) => [`  ${attributesName(element)},`, `  ${htmlName(element)},`]).join('\n')}
  ConfabTexts,
  ConfabTokenSource,
} from './index.js';

type Own = { texts?: ConfabTexts; getToken?: ConfabTokenSource };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${elements
  .map(
    (element) =>
      `    '${element.tag}': ${attributesName(element)} & Own & HTMLAttributes<${htmlName(element)}>;`,
  )
  .join('\n')}
  }
}
`;
}
