import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from 'confab-tools/places.ts';

type Text = string | { readonly [category: string]: string };
type Texts = { readonly [name: string]: Text };

/** The names in braces that a message has, in any of its forms. */
function placeholdersOf(text: Text): string[] {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  // A form for one or two of something may say the number in a word.
  const names = forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
}

/** What nobody who speaks the language says of software, such as word-for-word translations, each with what is said. */
const unusual: { readonly [language: string]: readonly (readonly [phrase: RegExp, instead: string])[] } = {
  en: [
    [/\bneeds you\b/i, 'needs attention'],
    [/\bwaits? (?:for you|here)\b/i, 'needs your attention'],
    [/\b\d+ of 100\b/, 'p95'],
    [
      /\b(?:nobody|nothing|no (?:app|event|user|setting|webhook|delivery)) match(?:es)?\.$/i,
      'No matching users.',
    ],
    [/\bwho is no\b|\bis no member\b/i, 'is not a member'],
    [/\bmend/i, 'fix'],
    [/\b(?:take|taken|takes) (?:it |this |them )?back\b/i, 'undo'],
    [/\bin force\b/i, 'active, takes effect'],
    [/\b(?:key|secret) (?:still )?holds\b/i, 'is valid'],
    [/\bgo(?:es)? on\b/i, 'continue, resume'],
    [/\bfor good\b/i, 'permanently'],
    [/\b(?:some|any)body\b/i, 'someone, anyone'],
    [/\bswitch(?:ed)? o(?:n|ff)\b/i, 'enable, disable'],
    [/\bwhat (?:is|was) (?:chosen|listed|made)\b/i, 'selected, listed, created'],
    [/\bput in the trash\b/i, 'moved to the trash'],
    [/\b(?:of it|whose)\b/i, 'its'],
    [/\bthere is nobody\b/i, 'There is no user'],
    [/\btold\b/i, 'notified'],
  ],
  de: [
    [/wartet auf Sie|braucht Sie/, 'Handlungsbedarf'],
    [/\b\d+ von 100\b/, 'p95'],
    [/^(?:Niemand|Nichts|Kein\w* \w+) passt\.$/, 'Keine passenden Benutzer.'],
    [/\bPersonen\b/, 'Benutzer'],
    [/\b(?:an|An)(?:gelegt|legen)\b/, 'erstellt, erstellen'],
    [/aufgehoben/, 'gespeichert'],
    [/\bIn Gebrauch\b|\bhier in Gebrauch\b/, 'aktiv, verwendet'],
    [/\bZustand\b/, 'Status'],
    [/zurückgenommen|zurücknehmen/i, 'rückgängig gemacht'],
    [/\bsind weg\b|\bist (?:weg|da)\b/, 'gelöscht, erstellt'],
    [/\b[Vv]orgabe\b/, 'Standard'],
    [/\bUids?\b/, 'UID'],
  ],
  ar: [
    [/يحتاج إليك/, 'يتطلب انتباهك'],
    [/\d+ من 100/, 'p95'],
    [/لا أحد يطابق/, 'لا يوجد مستخدمون مطابقون'],
    [/الأشخاص|هذا الشخص/, 'المستخدمون'],
    [/من عندك/, 'خاص بي'],
    [/مُطفأ|إطفاء/, 'متوقف، إيقاف'],
    [/زال نهائيًا/, 'لم يعد موجودًا'],
    [/^الفعل$/, 'الإجراء'],
  ],
};

async function readCatalogues(): Promise<{ en: Texts; de: Texts; ar: Texts }[]> {
  // By a path that the compiler does not follow: the console has the types of a browser.
  const { catalogues } = await import(join(root, 'console/src/i18n.ts'));
  const files = globSync('console/src/**/messages.ts', { cwd: root });
  for (const file of files) await import(join(root, file));
  assert.ok(files.length >= 3);
  assert.equal(catalogues.length, files.length, 'one call of messages() in each file');
  return catalogues;
}

// Every message of the console exists in all languages, with the same values in it.
describe('the messages of the console', () => {
  test('are in all languages', async () => {
    for (const { en, de, ar } of await readCatalogues())
      for (const [language, texts] of Object.entries({ de, ar })) {
        assert.deepEqual(Object.keys(texts), Object.keys(en), language);
        for (const [name, text] of Object.entries(en)) {
          const translated = texts[name] ?? '';
          assert.deepEqual(placeholdersOf(translated), placeholdersOf(text), `${language}: ${name}`);
          assert.ok(
            Object.values(typeof translated === 'string' ? [translated] : translated).every(
              (form) => form.trim() !== '',
            ),
          );
        }
      }
  });

  test('say what people who speak the language say', async () => {
    const found = (await readCatalogues()).flatMap((catalogue) =>
      Object.entries(catalogue).flatMap(([language, texts]) =>
        Object.entries(texts).flatMap(([name, text]) =>
          Object.values(typeof text === 'string' ? [text] : text).flatMap((form) =>
            (unusual[language] ?? [])
              .filter(([phrase]) => phrase.test(form))
              .map(([, instead]) => `${language} ${name}: "${form}" (say: ${instead})`),
          ),
        ),
      ),
    );
    assert.deepEqual(found, []);
  });
});
