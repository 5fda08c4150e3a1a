import { safeAddress } from '../../kernel/web-address.ts';
import type { EgressRules } from '../../net/rules.ts';
import { checkTarget } from '../../net/target.ts';
import type { WebDocument, WebReader } from '../../net/web-reader.ts';
import { readPictureSize } from '../media/picture-size.ts';
import { createFetchSlots } from './fetch-slots.ts';
import { decodePage, type PageFacts, readPage } from './page-facts.ts';
import { plainText } from './plain-text.ts';

/** The content of an embed as clients see it; the same for every user who embeds the address. */
export type EmbedContent = {
  readonly host: string;
  readonly is_link: boolean;
  readonly type: 'link' | 'photo';
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly author_name?: string;
  readonly author_url?: string;
  readonly provider_name: string;
  readonly provider_url?: string;
  readonly cache_age?: number;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
};

/** Fetches the content of addresses; undefined when there is nothing to show. */
export type EmbedFetch = (
  url: URL,
  /** The id of the calling user, so that each user has a share of the concurrent fetches. */
  callerId: number,
) => Promise<EmbedContent | undefined>;

/** From the request to the last byte, including redirects, oEmbed and the wait for a slot, in milliseconds. */
const fetchMs = 10_000;
/** How much of a page is read: its declarations are at its beginning. */
const pageBytesMax = 512 * 1024;
const oembedBytesMax = 64 * 1024;
const slots = { all: 16, each: 4 } as const;

const characters = { title: 256, description: 1024, name: 128, version: 16, url: 2048 } as const;
const pixelsMax = 100_000;
const cacheSecondsMax = 10 * 365 * 86_400;

const pageTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/json+oembed', 'text/json']);
const pictureTypes: ReadonlySet<string> = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);
const accept = 'text/html, application/xhtml+xml, image/*;q=0.8, application/json;q=0.5';

/** The fields of an oEmbed response, unchecked. */
type Oembed = {
  readonly type?: unknown;
  readonly version?: unknown;
  readonly title?: unknown;
  readonly author_name?: unknown;
  readonly author_url?: unknown;
  readonly provider_name?: unknown;
  readonly provider_url?: unknown;
  readonly cache_age?: unknown;
  readonly thumbnail_url?: unknown;
  readonly thumbnail_width?: unknown;
  readonly thumbnail_height?: unknown;
  readonly url?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
};

/**
 * Creates the fetch. The guard of `reader` checks the addresses that are fetched; `rules` apply the same checks to the
 * addresses that clients load when they show an embed.
 */
export function createEmbedFetch({ reader, rules }: { reader: WebReader; rules: EgressRules }): EmbedFetch {
  const fetchSlots = createFetchSlots(slots);

  async function fetchOembed(facts: PageFacts, base: URL, signal: AbortSignal): Promise<Oembed | undefined> {
    const address = facts.oembed === undefined ? null : URL.parse(facts.oembed, base.href);
    if (address === null) return undefined;
    const reading = { accept: 'application/json', bytesMax: oembedBytesMax, signal };
    const document = await reader.read(address, reading);
    return document === undefined || !jsonTypes.has(document.mediaType) ? undefined : readOembed(document);
  }

  async function fetchContent(url: URL, signal: AbortSignal): Promise<EmbedContent | undefined> {
    const document = await reader.read(url, { accept, bytesMax: pageBytesMax, signal });
    if (document === undefined) return undefined;
    const toPublic = (address: string | undefined) => publicAddress(address, document.url, rules);
    if (pictureTypes.has(document.mediaType)) return photoOf(url, document, toPublic);
    if (jsonTypes.has(document.mediaType)) {
      const oembed = readOembed(document);
      return oembed === undefined ? undefined : contentOf(url, { facts: nothing, oembed, toPublic });
    }
    if (!pageTypes.has(document.mediaType)) return undefined;
    const facts = await readPage(decodePage(document.bytes, document.charset));
    const oembed = await fetchOembed(facts, document.url, signal);
    return contentOf(url, { facts, oembed: oembed ?? {}, toPublic });
  }

  return async (url, callerId) => {
    const signal = AbortSignal.timeout(fetchMs);
    const leave = await fetchSlots.enter(callerId, signal);
    if (leave === undefined) return undefined;
    try {
      return await fetchContent(url, signal);
    } finally {
      leave();
    }
  };
}

const nothing: PageFacts = { title: undefined, meta: new Map(), oembed: undefined };

type Sources = {
  readonly facts: PageFacts;
  readonly oembed: Oembed;
  readonly toPublic: (address: string | undefined) => string | undefined;
};

/** Combines the page and its oEmbed response; undefined when there is nothing to show. */
function contentOf(url: URL, { facts, oembed, toPublic }: Sources): EmbedContent | undefined {
  const { meta } = facts;
  const photo = oembed.type === 'photo' ? toPublic(textOf(oembed.url)) : undefined;
  const picture = pictureOf(meta, oembed, toPublic);
  const title =
    plainText(meta.get('og:title'), characters.title) ??
    plainText(meta.get('twitter:title'), characters.title) ??
    plainText(textOf(oembed.title), characters.title) ??
    plainText(facts.title, characters.title);
  const description =
    plainText(meta.get('og:description'), characters.description) ??
    plainText(meta.get('twitter:description'), characters.description) ??
    plainText(meta.get('description'), characters.description);
  if (title === undefined && description === undefined && photo === undefined && picture === undefined)
    return undefined;
  const author = textOf(oembed.author_name) ?? meta.get('author');
  const provider = meta.get('og:site_name') ?? textOf(oembed.provider_name);
  const size = { width: pixels(oembed.width), height: pixels(oembed.height) };
  return withoutAbsent({
    host: url.hostname,
    is_link: photo === undefined,
    // A player or rich content would come as markup of the page, which is never passed on: both are a link here.
    type: photo === undefined ? 'link' : 'photo',
    version: plainText(textOf(oembed.version), characters.version),
    title,
    description,
    author_name: plainText(author, characters.name),
    author_url: toPublic(textOf(oembed.author_url)),
    provider_name: plainText(provider, characters.name) ?? url.hostname,
    provider_url: toPublic(textOf(oembed.provider_url)) ?? url.origin,
    cache_age: wholeNumber(oembed.cache_age, cacheSecondsMax),
    ...(picture ?? (photo === undefined ? {} : pictureFields(photo, size))),
    ...(photo === undefined ? {} : { url: photo, ...size }),
  });
}

type Picture = Pick<EmbedContent, 'thumbnail_url' | 'thumbnail_width' | 'thumbnail_height'>;
type Absent<T> = { readonly [K in keyof T]: T[K] | undefined };

function pictureFields(
  url: string,
  { width, height }: { width: number | undefined; height: number | undefined },
): Absent<Picture> {
  return { thumbnail_url: url, thumbnail_width: width, thumbnail_height: height };
}

function pictureOf(
  meta: ReadonlyMap<string, string>,
  oembed: Oembed,
  toPublic: Sources['toPublic'],
): Absent<Picture> | undefined {
  const open = toPublic(meta.get('og:image') ?? meta.get('og:image:url'));
  const openSize = {
    width: pixels(meta.get('og:image:width')),
    height: pixels(meta.get('og:image:height')),
  };
  if (open !== undefined) return pictureFields(open, openSize);
  const offered = toPublic(textOf(oembed.thumbnail_url));
  const size = { width: pixels(oembed.thumbnail_width), height: pixels(oembed.thumbnail_height) };
  if (offered !== undefined) return pictureFields(offered, size);
  const card = toPublic(meta.get('twitter:image') ?? meta.get('twitter:image:src'));
  return card === undefined ? undefined : pictureFields(card, { width: undefined, height: undefined });
}

function photoOf(url: URL, document: WebDocument, toPublic: Sources['toPublic']): EmbedContent | undefined {
  const address = toPublic(document.url.href);
  if (address === undefined) return undefined;
  const size = readPictureSize(document.bytes, document.mediaType);
  const { width, height } = size ?? { width: undefined, height: undefined };
  return withoutAbsent({
    host: url.hostname,
    is_link: false,
    type: 'photo',
    title: plainText(fileName(document.url), characters.title),
    provider_name: url.hostname,
    provider_url: url.origin,
    ...pictureFields(address, { width, height }),
    url: address,
    width,
    height,
  });
}

function fileName(url: URL): string | undefined {
  const name = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

/** The object of an oEmbed response, or undefined when it is not one. */
function readOembed(document: WebDocument): Oembed | undefined {
  try {
    const value: unknown = JSON.parse(decodePage(document.bytes, document.charset));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && typeof Reflect.get(value, 'type') === 'string' ? (value as Oembed) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An address to which a reader's browser may be sent: http or https, and not visibly internal. */
function publicAddress(address: string | undefined, base: URL, rules: EgressRules): string | undefined {
  const url = address === undefined ? null : URL.parse(address.trim(), base.href);
  if (url === null) return undefined;
  const safeUrl = safeAddress(url.href);
  if (safeUrl.length > characters.url) return undefined;
  const bare = new URL(url.href);
  bare.hash = '';
  return checkTarget(bare.href, rules).ok ? safeUrl : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A whole number from 0 to `max`; many responses write theirs as text. */
function wholeNumber(value: unknown, max: number): number | undefined {
  const number = typeof value === 'string' && /^[0-9]{1,10}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max
    ? number
    : undefined;
}

function pixels(value: unknown): number | undefined {
  const number = wholeNumber(value, pixelsMax);
  return number === 0 ? undefined : number;
}

function withoutAbsent(content: Absent<EmbedContent>): EmbedContent {
  return Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== undefined),
  ) as EmbedContent;
}
