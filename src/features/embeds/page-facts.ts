import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';

/** What a page says about itself in its head, as it stands there; names are in lower case. */
export type PageFacts = {
  readonly title: string | undefined;
  /** The first value of each `property` or `name` of a meta element. */
  readonly meta: ReadonlyMap<string, string>;
  /** Where the page offers oEmbed as JSON. */
  readonly oembed: string | undefined;
};

/** More than any page says about itself. */
const metaMax = 200;
const titleCharactersMax = 4096;
const sniffedBytes = 1024;
/**
 * How deep elements may nest before the rest of a page is left: as deep as browsers nest them. The parser looks
 * through all open elements at each tag, and half a mebibyte of `<b>` would hold the process for 3.6 s.
 */
const depthMax = 512;
/** How many elements are read before the rest of a page is left: what it says about itself stands ahead of them. */
const elementsMax = 20_000;
/** What is read between two looks at the depth and the number of elements. */
const chunkCharacters = 4096;

/** Reads the head of a page in the way browsers read html; what is broken off or misnested is read as far as it goes. */
export function readPage(html: string): PageFacts {
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
  // What is read as ASCII to find its own declaration cannot be UTF-16.
  const own = declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
  return decoderOf(mark ?? charset ?? own).decode(bytes);
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch (error) {
    // A charset that nobody knows is most often a misspelt UTF-8.
    if (error instanceof RangeError) return new TextDecoder('utf-8');
    throw error;
  }
}
