import { loadTexts } from '../parts.ts';
import { type English, english } from './english.ts';

/**
 * What elements say. A text has values in braces, `{name}`, and one that counts has a form for each plural category of its
 * language. Values keep their own direction. A page replaces any text by the property `texts` of an element.
 */

/** A text, or its forms by plural category (`Intl.PluralRules`), of which there is always `other`. */
export type Text =
  | string
  | ({ readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>);

/** The texts of a language. What is absent is said in English. */
export type Texts = { readonly [Key in keyof English]?: Text };

/** Says a text with values; `count` chooses the plural. */
export type Translate = (key: keyof English, values?: Readonly<Record<string, string | number>>) => string;

/** How an element speaks: a language such as `de-AT`, also for times, and its texts. */
export type Speech = { readonly language: string; readonly t: Translate };

/** What speaks for an element. */
export type Speaker = {
  /** How the element speaks now, by the language around it; undefined until the texts of that language are loaded. */
  speech(texts?: Texts): Speech | undefined;
  /** Resolves when the texts of the language around the element are loaded, or cannot be. */
  ready(): Promise<void>;
};

const inEnglish: Record<string, Text> = { ...english };

/** Adds the English texts of a part that has been loaded. */
export function addEnglish(texts: Texts): void {
  Object.assign(inEnglish, texts);
}

/** The texts that have been loaded, by language; null where they could not be, so that English is said. */
const loaded = new Map<string, Texts | null>([['en', null]]);

/** Creates what says the texts of a language, such as `en-GB`. Earlier texts count more than later ones. */
export function createTranslate(
  language: string,
  ...texts: readonly (Texts | null | undefined)[]
): Translate {
  const numbers = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const found = texts.find((each) => each?.[key] !== undefined)?.[key];
    const text = found ?? inEnglish[key] ?? '';
    const rules = new Intl.PluralRules(found === undefined ? 'en' : language);
    const form =
      typeof text === 'string' ? text : (text[rules.select(Number(values['count']))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      // Isolated: a name may be written from right to left.
      return typeof value === 'number' ? numbers.format(value) : `\u2068${value}\u2069`;
    });
  };
}

/** Creates what speaks for an element. `changed` is called when texts that `speech` waits for have been loaded. */
export function createSpeaker(element: Element, changed: () => void): Speaker {
  let said: (Speech & { readonly texts: Texts | undefined }) | undefined;
  return {
    speech(texts) {
      const { tag, base } = languageAround(element);
      const known = loaded.get(base);
      if (known === undefined) {
        void load(base).then(changed);
        return undefined;
      }
      const language = known === null && texts === undefined && base !== 'en' ? 'en' : tag;
      if (said?.language !== language || said.texts !== texts)
        said = { language, texts, t: createTranslate(language, texts, known) };
      return said;
    },
    ready: () => load(languageAround(element).base),
  };
}

async function load(base: string): Promise<void> {
  if (loaded.has(base)) return;
  // A browser that is offline says English until the page is opened again.
  const texts = await loadTexts[base]?.().catch(() => undefined);
  loaded.set(base, texts?.texts ?? null);
}

/** The language of the nearest `lang`, also beyond shadow roots, or else of the browser. */
function languageAround(element: Element): { readonly tag: string; readonly base: string } {
  let named: string | undefined;
  for (let at: Element | undefined = element; at !== undefined && !named; ) {
    named = at.closest<HTMLElement>('[lang]')?.lang;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  for (const name of [named, navigator.language])
    try {
      const { baseName: tag, language: base } = new Intl.Locale((name ?? '').replace('_', '-'));
      return { tag, base };
    } catch {
      // It is no language, such as an empty one.
    }
  return { tag: 'en', base: 'en' };
}
