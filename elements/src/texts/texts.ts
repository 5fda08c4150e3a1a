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

const inEnglish: Record<string, Text> = { ...english };

/** Adds the English texts of a part that has been loaded. */
export function addEnglish(texts: Texts): void {
  Object.assign(inEnglish, texts);
}

/** How numbers look and which plural they take, by language. The first of a page take longer than everything else that is said. */
const formats: Record<string, readonly [Intl.NumberFormat, Intl.PluralRules]> = {};

function formatsOf(language: string) {
  formats[language] ??= [new Intl.NumberFormat(language), new Intl.PluralRules(language)];
  return formats[language];
}

/** Creates what says the texts of a language, such as `en-GB`. Earlier texts count more than later ones. */
export function createTranslate(
  language: string,
  ...texts: readonly (Texts | null | undefined)[]
): Translate {
  return (key, values = {}) => {
    const found = texts.find((each) => each?.[key] !== undefined)?.[key];
    const text = found ?? inEnglish[key] ?? '';
    const form =
      typeof text === 'string'
        ? text
        : (text[formatsOf(found === undefined ? 'en' : language)[1].select(Number(values['count']))] ??
          text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      // Isolated: a name may be written from right to left.
      return typeof value === 'number' ? formatsOf(language)[0].format(value) : `\u2068${value}\u2069`;
    });
  };
}
