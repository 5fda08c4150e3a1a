/**
 * Reads an export of Blogger, an Atom feed of posts, pages and comments: the `feed.atom` of Google Takeout, with elements in
 * the namespace `http://schemas.google.com/blogger/2018`, or the file of earlier years, which tells them by a category and
 * nests comments by RFC 4685 (developers.google.com/blogger, Data API 2.0, for the categories and links of that). The
 * statuses are those of a comment in the Blogger API 3.0: live, pending, spam and emptied.
 *
 * The feed of Takeout names a post by its path alone. Blogger shows replies by what comments answer, two levels deep.
 */

import { type CommentRecord, createComments, wrongFile } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type {
  ExportFile,
  ImportedAuthor,
  ImportedComment,
  ImportedStatus,
  ImportFile,
} from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { Fields } from './record-fields.ts';
import { readRecords, type XmlFormat, type XmlRecord } from './xml-records.ts';

const atom = 'http://www.w3.org/2005/Atom';
const namespaces: Readonly<Record<string, string>> = {
  [atom]: '',
  'http://schemas.google.com/blogger/2018': 'blogger:',
  'http://schemas.google.com/g/2005': 'gd:',
  'http://purl.org/syndication/thread/1.0': 'thr:',
  'http://purl.org/atom/app#': 'app:',
  'http://www.w3.org/2007/app': 'app:',
};

const format: XmlFormat = {
  nameOf: (uri, local) => (uri === '' ? local : `${namespaces[uri] ?? `{${uri}}`}${local}`),
  rootFault: ({ name, uri }) =>
    name === 'feed' && uri === atom
      ? undefined
      : `this is not an export of Blogger: it begins with <${name}> instead of <feed xmlns="${atom}">`,
  records: {
    'feed/entry': {
      fields: new Set([
        'id',
        'title',
        'content',
        'published',
        'author/name',
        'author/uri',
        'author/email',
        'app:control/app:draft',
        'thr:in-reply-to@ref',
        'thr:in-reply-to@href',
        'blogger:type',
        'blogger:status',
        'blogger:parent',
        'blogger:inReplyTo',
        'blogger:filename',
        'blogger:trashed',
      ]),
    },
    'feed/entry/link': { fields: new Set(['@rel', '@href']) },
    'feed/entry/category': { fields: new Set(['@term']) },
    'feed/entry/gd:extendedProperty': { fields: new Set(['@name']) },
  },
};

/** An entry, with what is found in several elements of one name. */
type Entry = {
  /** The address of each relation. */
  readonly links: ReadonlyMap<string, string>;
  readonly type: string;
  /** Whether Blogger shows in place of the text that it was removed. */
  readonly isRemoved: boolean;
};

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readBlogger(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  const found: (CommentRecord & { readonly entry: Entry })[] = [];
  let hasTypes = false;
  let parts = new Map<string, XmlRecord[]>();

  const notes = await readRecords(file, format, (path, record) => {
    if (path !== 'feed/entry') return void parts.set(path, [...(parts.get(path) ?? []), record]);
    const entry = entryOf(record, parts);
    parts = new Map();
    hasTypes ||= entry.type !== '';
    if (entry.type === 'POST' || entry.type === 'PAGE') addPage(pages, record, entry);
    else if (entry.type === 'COMMENT')
      found.push({
        number: found.length + 1,
        line: record.line,
        value: Object.fromEntries(record.fields),
        entry,
      });
  });
  if (!hasTypes)
    throw wrongFile(file.name, 'an export of Blogger', 'none of its entries is a post or a comment');
  // A post may come after its comments.
  for (const { entry, ...record } of found)
    comments.add(record, (fields) => readComment(fields, entry, pages));
  return comments.file('blogger', pages, notes);
}

/** What the elements inside an entry say of it. */
function entryOf({ fields }: XmlRecord, parts: ReadonlyMap<string, readonly XmlRecord[]>): Entry {
  const attributesOf = (element: string, attribute: string) =>
    (parts.get(`feed/entry/${element}`) ?? []).map((part) => part.fields.get(attribute) ?? '');
  const rels = attributesOf('link', '@rel');
  const addresses = attributesOf('link', '@href');
  const kind = attributesOf('category', '@term').find((term) => term.includes('/blogger/2008/kind#'));
  return {
    links: new Map(rels.map((rel, index) => [rel, addresses[index] ?? ''])),
    type: (fields.get('blogger:type') ?? kind?.split('#')[1] ?? '').trim().toUpperCase(),
    isRemoved: attributesOf('gd:extendedProperty', '@name').includes('blogger.contentRemoved'),
  };
}

function addPage(pages: Pages, { fields }: XmlRecord, { links }: Entry): void {
  const field = (name: string) => fields.get(name)?.trim() || undefined;
  pages.add({
    id: numberIn(field('id') ?? ''),
    address: links.get('alternate') || field('blogger:filename'),
    title: field('title'),
    isRestricted:
      (field('blogger:status') ?? 'LIVE') !== 'LIVE' ||
      field('blogger:trashed') !== undefined ||
      field('app:control/app:draft') === 'yes',
  });
}

function readComment(fields: Fields, { links, isRemoved }: Entry, pages: Pages): ImportedComment {
  const post = fields.text('blogger:parent') ?? fields.text('thr:in-reply-to@ref');
  const page = post === undefined ? undefined : numberIn(post);
  // The post itself may be missing in a file of earlier years; a known page stays as it is.
  const address = fields.text('thr:in-reply-to@href');
  if (page !== undefined && address !== undefined) pages.add({ id: page, address });
  const author = readAuthor(fields, pages.hostOf(page));
  const createdAt = fields.time('published');
  const text = commentToMarkdown(fields.text('content') ?? '');
  const id = fields.text('id');
  const parent = fields.text('blogger:inReplyTo');
  const related = /\/comments\/default\/(\d+)/.exec(links.get('related') ?? '')?.[1];
  const parentId = parent === undefined ? related : numberIn(parent);
  return {
    sourceId: id === undefined ? contentId([page, author.name, createdAt, text]) : numberIn(id),
    ...(parentId === undefined ? {} : { parentSourceId: parentId }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text,
    status: isRemoved ? 'deleted' : readStatus(fields),
    kind: 'comment',
  };
}

/** The number of a post or a comment, which ends its id: `tag:blogger.com,1999:blog-1.post-2`. */
function numberIn(id: string): string {
  return /-(\d+)$/.exec(id)?.[1] ?? id;
}

/** An author with a profile has an account. All others have the address noreply@blogger.com. */
function readAuthor(fields: Fields, site: string): ImportedAuthor {
  const url = fields.text('author/uri');
  const email = fields.text('author/email');
  const profile = /^https?:\/\/(?:www\.)?blogger\.com\/profile\/(\d+)/.exec(url ?? '')?.[1];
  return {
    name: fields.text('author/name') ?? '',
    ...(email === undefined || email === 'noreply@blogger.com' ? {} : { email }),
    ...(url === undefined ? {} : { url }),
    ...(profile === undefined ? {} : { username: profile }),
    site,
  };
}

/** Where there is no status, the comment is shown. */
function readStatus(fields: Fields): ImportedStatus {
  if (fields.text('blogger:trashed') !== undefined) return 'trash';
  const status = fields.text('blogger:status') ?? 'LIVE';
  if (status === 'LIVE') return 'approved';
  if (status.includes('SPAM')) return 'spam';
  return status === 'EMPTIED' ? 'deleted' : 'pending';
}
