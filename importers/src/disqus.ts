/**
 * Reads a Disqus export: the XML format of http://disqus.com/api/schemas/1.0/disqus.xsd, a flat list of threads (pages)
 * and posts (comments).
 */
import type { UnixMs } from 'confab-contract/values/time.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId, disqusSource } from './identity.ts';
import type {
  ExportFile,
  ImportedAuthor,
  ImportedComment,
  ImportedPage,
  ImportedStatus,
  ImportFile,
  UnreadableComment,
} from './import-file.ts';
import { readRecords, type XmlFormat, type XmlRecord } from './xml-records.ts';

const namespaces: Readonly<Record<string, string>> = {
  'http://disqus.com': '',
  'http://disqus.com/disqus-internals': 'dsq:',
};

const format: XmlFormat = {
  nameOf: (uri, local) => (uri === '' ? local : `${namespaces[uri] ?? `{${uri}}`}${local}`),
  rootFault: ({ name, uri }) => {
    if (name === 'disqus' && uri === 'http://disqus.com') return undefined;
    if (name === 'rss') return 'this is a feed or an export of WordPress, not of Disqus';
    return `this is not a Disqus export: it begins with <${name}> instead of <disqus xmlns="http://disqus.com">`;
  },
  records: {
    'disqus/thread': { fields: new Set(['@dsq:id', 'link', 'title', 'isDeleted']) },
    'disqus/post': {
      mayBeLeftOut: true,
      fields: new Set([
        '@dsq:id',
        'id',
        'message',
        'createdAt',
        'isDeleted',
        'isSpam',
        'isApproved',
        'author/name',
        'author/email',
        'author/isAnonymous',
        'author/username',
        'thread@dsq:id',
        'parent@dsq:id',
      ]),
    },
  },
};

/**
 * Reads the whole export. The posts of a deleted thread count as deleted. Throws `ImportError` when the file is not a
 * Disqus export or cannot be read to its end.
 */
export async function readDisqus(file: ExportFile): Promise<ImportFile> {
  const pages: ImportedPage[] = [];
  const deletedPages = new Set<string>();
  const comments: ImportedComment[] = [];
  const unreadable: UnreadableComment[] = [];

  const notes = await readRecords(file, format, (recordPath, record) => {
    if (recordPath === 'disqus/thread') {
      const page = readPage(record);
      if (page === undefined) return;
      pages.push(page);
      if (readFlag(record, 'isDeleted') === true) deletedPages.add(page.sourceId);
      return;
    }
    const comment = readComment(record);
    if ('cause' in comment) unreadable.push(comment);
    else comments.push(comment);
  });
  // A thread may come after its posts.
  const judged = comments.map((comment) =>
    comment.status !== 'spam' && deletedPages.has(comment.pageSourceId ?? '')
      ? { ...comment, status: 'deleted' as const }
      : comment,
  );
  return { kind: 'disqus', source: disqusSource, pages, comments: judged, unreadable, notes };
}

function field(record: XmlRecord, name: string): string | undefined {
  const value = record.fields.get(name)?.trim();
  return value === '' ? undefined : value;
}

/** The value of a flag, false when it is absent or empty; undefined when it is neither true nor false. */
function readFlag(record: XmlRecord, name: string): boolean | undefined {
  const value = field(record, name) ?? 'false';
  if (/^(?:true|1)$/i.test(value)) return true;
  return /^(?:false|0)$/i.test(value) ? false : undefined;
}

function readPage(record: XmlRecord): ImportedPage | undefined {
  const sourceId = field(record, '@dsq:id');
  if (sourceId === undefined) return undefined;
  const link = field(record, 'link');
  const title = (field(record, 'title') ?? '').replace(/\s+/g, ' ');
  return { sourceId, ...(link === undefined ? {} : { link }), title, isRestricted: false };
}

function readComment(record: XmlRecord): ImportedComment | UnreadableComment {
  const { line, fault } = record;
  const where = `that begins in line ${line}`;
  if (fault !== undefined) return { where, cause: fault };
  const createdAt = parseTime(field(record, 'createdAt'));
  if (createdAt === undefined) return { where, cause: 'no date that exists' };
  const status = readStatus(record);
  if (status === undefined)
    return { where, cause: 'isSpam, isDeleted or isApproved is neither true nor false' };
  const html = field(record, 'message') ?? '';
  const author = readAuthor(record);
  const page = field(record, 'thread@dsq:id');
  const parent = field(record, 'parent@dsq:id');
  return {
    sourceId: readId(record) ?? contentId([page, author.name, author.email, createdAt, html]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text: commentToMarkdown(html),
    status,
    kind: 'comment',
  };
}

/**
 * Disqus's own number, or else the site's number of the comment within its thread: `id` is the site's id from an import
 * into Disqus, which is unique only there.
 */
function readId(record: XmlRecord): string | undefined {
  const own = field(record, '@dsq:id');
  const ofSite = field(record, 'id');
  if (own !== undefined || ofSite === undefined) return own;
  return contentId([field(record, 'thread@dsq:id'), ofSite]);
}

/** Disqus verifies the username only for users who were signed in. */
function readAuthor(record: XmlRecord): ImportedAuthor {
  const email = field(record, 'author/email');
  const username =
    readFlag(record, 'author/isAnonymous') === false ? field(record, 'author/username') : undefined;
  return {
    name: (field(record, 'author/name') ?? '').replace(/\s+/g, ' '),
    ...(email === undefined ? {} : { email }),
    ...(username === undefined ? {} : { username }),
  };
}

function readStatus(record: XmlRecord): ImportedStatus | undefined {
  const isSpam = readFlag(record, 'isSpam');
  const isDeleted = readFlag(record, 'isDeleted');
  const isApproved = field(record, 'isApproved') === undefined ? true : readFlag(record, 'isApproved');
  if (isSpam === undefined || isDeleted === undefined || isApproved === undefined) return undefined;
  if (isSpam) return 'spam';
  if (isDeleted) return 'deleted';
  return isApproved ? 'approved' : 'pending';
}

/** `createdAt`, ISO 8601 to the second, in UTC where it has no zone. */
function parseTime(text: string | undefined): UnixMs | undefined {
  const iso = text?.match(/^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$/);
  if (!iso) return undefined;
  const day = Date.parse(`${iso[1]}T00:00:00Z`);
  // The parser reads 31 February as a day in March.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(iso[1] ?? '')) return undefined;
  const ms = Date.parse(`${iso[1]}${iso[2]}${iso[3] ?? 'Z'}`);
  return Number.isNaN(ms) ? undefined : ms;
}
