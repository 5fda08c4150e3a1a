import { TextDecoder } from 'node:util';

/** The declarations in the head of a page, unchanged; names are in lower case. */
export type PageFacts = {
  readonly title: string | undefined;
  /** The first value of each `property` or `name` of a meta element. */
  readonly meta: ReadonlyMap<string, string>;
  /** Where the page offers oEmbed as JSON. */
  readonly oembed: string | undefined;
};

/** More meta elements than any page needs. */
const metaMax = 200;
const titleCharactersMax = 4096;
const sniffedBytes = 1024;
/**
 * How deep elements may nest before the rest of a page is ignored: as deep as browsers nest them. The parser goes through
 * all open elements at each tag, and half a mebibyte of `<b>` would block the process for 3.6 s.
 */
const depthMax = 512;
/** How many elements are read before the rest of a page is ignored: its facts come before them. */
const elementsMax = 20_000;
/** How many characters are read between two checks of the depth and the number of elements. */
const chunkCharacters = 4096;

/** Reads the head of a page as browsers read HTML; incomplete or misnested markup is read as far as possible. */
export async function readPage(html: string): Promise<PageFacts> {
  // Loaded with the first page.
  const { Parser } = await import('htmlparser2');
  const meta = new Map<string, string>();
  let title: string | undefined;
  let oembed: string | undefined;
  let isInTitle = false;
  let foreign = 0;
  let depth = 0;
  let elements = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      elements += 1;
      if (name === 'svg' || name === 'math') foreign += 1;
      else if (name === 'title') isInTitle = foreign === 0 && title === undefined;
      else if (name === 'link') oembed ??= oembedAddress(attributes);
      else if (name === 'meta') {
        const { property, name: named, content: value } = attributes;
        const key = (property ?? named)?.trim().toLowerCase();
        if (key !== undefined && value !== undefined && value.trim() !== '' && meta.size < metaMax)
          if (!meta.has(key)) meta.set(key, value);
      }
    },
    ontext(text) {
      if (isInTitle && (title ?? '').length < titleCharactersMax) title = (title ?? '') + text;
    },
    onclosetag(name) {
      depth -= 1;
      if (name === 'title') isInTitle = false;
      else if (name === 'svg' || name === 'math') foreign -= 1;
    },
  });
  for (let start = 0; start < html.length; start += chunkCharacters) {
    if (depth > depthMax || elements > elementsMax) break;
    parser.write(html.slice(start, start + chunkCharacters));
  }
  parser.end();
  return { title, meta, oembed };
}

function oembedAddress(attributes: { readonly [name: string]: string }): string | undefined {
  const { rel, type, href } = attributes;
  const isAlternate = rel?.toLowerCase().split(/\s+/).includes('alternate') === true;
  return isAlternate && type?.trim().toLowerCase() === 'application/json+oembed' ? href : undefined;
}

/** The text of bytes: by the byte order mark, else the charset of the header, else that of the page, else UTF-8. */
export function decodePage(bytes: Buffer, charset: string | undefined): string {
  const start = bytes.subarray(0, sniffedBytes).toString('latin1');
  const label = bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  const little = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
  const mark = start.startsWith('\xef\xbb\xbf') ? 'utf-8' : (label ?? little);
  const declared = /<meta[^<>]{0,200}charset\s*=\s*["']?\s*([a-z0-9_:-]+)/i.exec(start)?.[1];
  // A page whose declaration is found by reading it as ASCII cannot be UTF-16.
  const own = declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
  return decoderOf(mark ?? charset ?? own).decode(bytes);
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch (error) {
    // An unknown charset is most often a misspelt UTF-8.
    if (error instanceof RangeError) return new TextDecoder('utf-8');
    throw error;
  }
}
