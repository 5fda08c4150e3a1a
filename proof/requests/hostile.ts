import { emptyPng } from 'confab-testing/harness/empty-png.ts';
import type { Random } from 'confab-testing/harness/random.ts';

/** Texts and pictures that cost their reader as much as their size allows. */

/** Markdown at the limit of a text, by what it is made of. */
export function hostileTexts(bytes: number, random: Random): { readonly [name: string]: string } {
  const filled = (piece: string) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);
  const deep = (open: string, close: string) => {
    const times = Math.floor(bytes / (open.length + close.length));
    return open.repeat(times) + close.repeat(times);
  };
  const lines = (make: (n: number) => string) => {
    let [text, n] = ['', 0];
    while (text.length < bytes) {
      text += `${make(n)}\n`;
      n += 1;
    }
    return text.slice(0, bytes);
  };
  const pieces = [
    '*',
    '_',
    '**',
    '[',
    '](',
    ')',
    '`',
    '~~',
    '<b>',
    '&',
    '\n',
    '> ',
    '- ',
    '1. ',
    '|',
    '![',
    'a',
    ' ',
  ];
  return {
    quotes: filled('> '.repeat(100)),
    'quotes on lines': lines((n) => '>'.repeat(n % 200)),
    'lists within lists': lines((n) => `${' '.repeat((n % 100) * 2)}- a`),
    'bullets in a row': filled('- '),
    'numbered lists': lines((n) => `${n}. a`),
    'lists and quotes': lines((n) => '> - '.repeat(n % 60)),
    'stars in a row': filled('*'),
    'stars and letters': filled('*a **b '),
    'closing stars': filled('a** '),
    'stars and lines below': filled('*_'),
    'nested emphasis': deep('*a **b ', ' b** a*'),
    'strikes in a row': filled('~~a'),
    'opening brackets': filled('['),
    'nested brackets': deep('[', ']'),
    'nested links': deep('[a](', ')'),
    'brackets and parentheses': filled('[a]('),
    'pictures unfinished': filled('![a'),
    'links with titles': filled('[a](b "c") '),
    'links unfinished with titles': filled('[a](<b '),
    references: lines((n) => `[r${n}]: http://a.example/${n}`),
    'references used': lines((n) => (n % 2 === 0 ? `[r${n}]: /${n}` : `[r${n - 1}] [r${n - 1}][]`)),
    'table of many columns': `${filled('|a').slice(0, bytes / 2)}\n${filled('|-').slice(0, bytes / 2)}`,
    'table of many rows': `|a|b|\n|-|-|\n${filled('|a|b|\n').slice(0, bytes - 14)}`,
    'tables begun': lines(() => '|a\n|-'),
    'table with empty rows': `${'|a'.repeat(1000)}\n${'|-'.repeat(1000)}\n${filled('|\n').slice(0, bytes - 4002)}`,
    'code fences': lines((n) => '`'.repeat(3 + (n % 50))),
    'backticks of growing length': lines((n) => `${'`'.repeat(n)} a`),
    'backticks in a row': filled('`'),
    'code spans': filled('`a` '),
    'indented code': filled('    a\n'),
    'opening tags': filled('<b>'),
    'nested tags': deep('<b>', '</b>'),
    'tags with attributes': filled('<a href="x" title=\'y\'>'),
    'tags unfinished': filled('<a href="'),
    comments: filled('<!-- '),
    declarations: filled('<!A '),
    instructions: filled('<?a '),
    'character data': filled('<![CDATA['),
    'less-than signs': filled('<'),
    'quotation marks': filled('"'),
    ampersands: filled('&'),
    entities: filled('&amp;'),
    'entities unknown': filled('&aaaaaaaaaa'),
    backslashes: filled('\\'),
    'backslashes and stars': filled('\\*'),
    'bare addresses': filled('www.a.example '),
    'bare addresses with parentheses': filled('http://a.example/((((((((((((((((((((((((((((( '),
    'one long address': `http://a.example/${filled('(a').slice(0, bytes - 17)}`,
    'addresses in angles': filled('<http://a.b>'),
    'e-mail addresses': filled('a@b.cc '),
    'mentions by link': filled('[Ada](/uid/ada) '),
    'at signs': filled('@a '),
    'words with at signs': filled('a@'),
    dots: filled('a.'),
    dashes: filled('- - - \n'),
    headings: filled('# a\n'),
    'setext headings': filled('a\n=\n'),
    'hard breaks': filled('a  \n'),
    blanks: `a${' '.repeat(bytes - 2)}b`,
    'empty lines': filled('\n'),
    tabs: filled('\t'),
    letters: filled('c'),
    words: lines((n) => `c${n.toString(36)}`),
    'letters of two bytes': 'ä '.repeat(Math.floor(bytes / 3)),
    emoji: '👍'.repeat(Math.floor(bytes / 4)),
    'marks on one letter': `a${'\u0301'.repeat(Math.floor(bytes / 2) - 1)}`,
    'drawn from a seed': Array.from({ length: bytes }, () => random.pick(pieces))
      .join('')
      .slice(0, bytes),
  };
}

/** A JPEG with as many Exif blocks as fit, each of which names as many entries as there can be. */
export function exifJpeg(bytes: number): Uint8Array {
  // A marker, its length, the name and the head of a TIFF whose directory begins at the next block.
  const block = Buffer.from([0xff, 0xe1, 0, 16, ...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8]);
  const times = Math.floor((bytes - 2) / block.length);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: times }, () => block)]);
}

/** Pages and pictures for link previews, by their path. */
export async function hostilePages(): Promise<{
  readonly [path: string]: { type: string; body: Uint8Array };
}> {
  const bytes = 512 * 1024;
  const page = (text: string) => ({ type: 'text/html', body: Buffer.from(text.slice(0, bytes)) });
  const filled = (piece: string) => piece.repeat(Math.ceil(bytes / piece.length));
  return {
    'a page of opening tags': page(filled('<b>')),
    'a page of meta elements': page(filled('<meta property="og:title" content="a">')),
    'a page of one title': page(`<title>${filled('&lt;')}`),
    'a page of attributes': page(`<meta ${filled('a="b" ')}`),
    'a page of less-than signs': page(filled('<')),
    'a page of titles': page(filled('<title>a</title>')),
    'a picture with Exif blocks': { type: 'image/jpeg', body: exifJpeg(bytes) },
    'a wide picture': { type: 'image/png', body: await emptyPng(700_000, 70) },
  };
}
