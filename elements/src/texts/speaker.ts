import { createTranslate, type Texts, type Translate } from './texts.ts';

/** How an element speaks: a language such as `de-AT`, also for times, and its texts. */
export type Speech = { readonly language: string; readonly t: Translate };

/** What speaks for an element. */
export type Speaker = {
  /** How the element speaks now, by the language around it; undefined until the texts of that language are loaded. */
  speech(texts?: Texts): Speech | undefined;
  /** Resolves when the texts of the language around the element are loaded, or cannot be. */
  ready(): Promise<void>;
};

/** The codes of the languages that have a file in `languages/`. */
const codes = 'ar de es fr he hi it ja ko nl pl pt tr zh';
/** Where the server has these files. Their names have no hash, which would be long for a reader. */
const files = './elements/texts/';

/** The texts that have been loaded, by language; null where they could not be, so that English is said. */
const loaded = new Map<string, Texts | null>([['en', null]]);

/** Creates what speaks for an element. `changed` is called when texts that `speech` waits for have been loaded. */
export function createSpeaker(element: Element, changed: () => void): Speaker {
  let said: (Speech & { readonly texts: Texts | undefined }) | undefined;
  return {
    speech(texts) {
      const { baseName: tag, language: base } = localeAround(element);
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
    ready: () => load(localeAround(element).language),
  };
}

async function load(base: string): Promise<void> {
  if (loaded.has(base)) return;
  // A browser that is offline says English until the page is opened again.
  const file = codes.includes(base) && import(`${files}${base}.js`).catch(() => false);
  loaded.set(base, (await file)?.texts ?? null);
}

/** The language of the nearest `lang`, also beyond shadow roots, or else of the browser. */
function localeAround(element: Element): Intl.Locale {
  const named = element.closest<HTMLElement>('[lang]')?.lang;
  const root = element.getRootNode();
  if (!named && root instanceof ShadowRoot) return localeAround(root.host);
  return localeOf(named) ?? localeOf(navigator.language) ?? new Intl.Locale('en');
}

/** What a language tag means, such as `en-GB`; undefined where it is no language, such as an empty one. */
function localeOf(tag = ''): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag.replace('_', '-'));
  } catch {
    return undefined;
  }
}
