/**
 * Reads a WordPress export: WXR 1.0 to 1.2, an RSS 2.0 file with WordPress's own namespace. The format has no schema;
 * it is defined by what `wp-admin/includes/export.php` writes.
 */
import type { UnixMs } from 'confab-contract/values/time.ts';
import { htmlToLine, htmlToMarkdown } from './html-to-markdown.ts';
import { contentId, wordpressSource } from './identity.ts';
import {
  type ExportFile,
  ImportError,
  type ImportedAuthor,
  type ImportedComment,
  type ImportedCommentKind,
  type ImportedPage,
  type ImportedStatus,
  type ImportFile,
  type UnreadableComment,
} from './import-file.ts';
import { timeInZone } from './local-time.ts';
import { readRecords, type XmlFormat, type XmlRecord } from './xml-records.ts';

// Files name the host with http and with https.
const wxrNamespace = /^https?:\/\/wordpress\.org\/export\/1\.[012]\/$/;

const format: XmlFormat = {
  nameOf: (uri, local) => (uri === '' ? local : wxrNamespace.test(uri) ? `wp:${local}` : `{${uri}}${local}`),
  rootFault: ({ name, uri, namespaces }) => {
    if (uri === 'http://disqus.com') return 'this is an export of Disqus, not of WordPress';
    if (name !== 'rss') return `this is not a WordPress export: it begins with <${name}> instead of <rss>`;
    if (namespaces.some((namespace) => wxrNamespace.test(namespace))) return undefined;
    return 'this is a feed, not a WordPress export: it does not declare WXR 1.0, 1.1 or 1.2';
  },
  records: {
    'rss/channel': { fields: new Set(['link', 'wp:base_blog_url']) },
    'rss/channel/item': {
      fields: new Set(['title', 'link', 'wp:post_id', 'wp:post_type', 'wp:status', 'wp:post_password']),
    },
    'rss/channel/item/wp:comment': {
      mayBeLeftOut: true,
      fields: new Set([
        'wp:comment_id',
        'wp:comment_author',
        'wp:comment_author_email',
        'wp:comment_author_url',
        'wp:comment_date',
        'wp:comment_date_gmt',
        'wp:comment_content',
        'wp:comment_approved',
        'wp:comment_type',
        'wp:comment_parent',
      ]),
    },
  },
};

/** Items that are not pages: WordPress stores menus, templates, revisions and settings in the same table. */
const noPage = /^(?:nav_menu_item|revision|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/;

/**
 * Reads the whole export. Throws `ImportError` when the file is not a WordPress export or cannot be read to its end.
 */
export async function readWordpress(file: ExportFile): Promise<ImportFile> {
  const pages: ImportedPage[] = [];
  const comments: ImportedComment[] = [];
  const unreadable: UnreadableComment[] = [];
  let ofItem: XmlRecord[] = [];
  let source: string | undefined;

  const notes = await readRecords(file, format, (recordPath, record) => {
    switch (recordPath) {
      case 'rss/channel/item/wp:comment':
        ofItem.push(record);
        break;
      case 'rss/channel/item': {
        const page = readPage(record);
        if (page !== undefined) pages.push(page);
        for (const each of ofItem) {
          const comment = readComment(each, page?.sourceId ?? field(record, 'wp:post_id'), file.timeZone);
          if ('cause' in comment) unreadable.push(comment);
          else comments.push(comment);
        }
        ofItem = [];
        break;
      }
      case 'rss/channel':
        source = wordpressSource(field(record, 'wp:base_blog_url') ?? field(record, 'link'));
        break;
    }
  });
  if (source === undefined)
    throw new ImportError(file.name, 'this is not a WordPress export: it has no <channel>');
  return { kind: 'wordpress', source, pages, comments, unreadable, notes };
}

function field(record: XmlRecord, name: string): string | undefined {
  const value = record.fields.get(name)?.trim();
  return value === '' ? undefined : value;
}

function readPage(record: XmlRecord): ImportedPage | undefined {
  const sourceId = field(record, 'wp:post_id');
  if (sourceId === undefined || noPage.test(field(record, 'wp:post_type') ?? '')) return undefined;
  const link = field(record, 'link');
  const status = field(record, 'wp:status');
  return {
    sourceId,
    ...(link === undefined ? {} : { link }),
    title: htmlToLine(field(record, 'title') ?? ''),
    // Media files have the status `inherit`.
    isRestricted:
      (status !== undefined && status !== 'publish' && status !== 'inherit') ||
      field(record, 'wp:post_password') !== undefined,
  };
}

function readComment(
  record: XmlRecord,
  pageSourceId: string | undefined,
  timeZone: string | undefined,
): ImportedComment | UnreadableComment {
  const { line, fault } = record;
  const where = `that begins in line ${line}`;
  if (fault !== undefined) return { where, cause: fault };
  const createdAt = readTime(record, timeZone);
  if (createdAt === undefined) return { where, cause: 'no date that exists' };
  const author = readAuthor(record);
  const html = field(record, 'wp:comment_content') ?? '';
  const parent = field(record, 'wp:comment_parent');
  return {
    sourceId:
      field(record, 'wp:comment_id') ?? contentId([pageSourceId, author.name, author.email, createdAt, html]),
    ...(parent === undefined || parent === '0' ? {} : { parentSourceId: parent }),
    ...(pageSourceId === undefined ? {} : { pageSourceId }),
    author,
    createdAt,
    text: htmlToMarkdown(html, { lineFeeds: 'break' }),
    status: readStatus(field(record, 'wp:comment_approved')),
    kind: readKind(field(record, 'wp:comment_type')),
  };
}

/**
 * The number in `comment_user_id` is not used: it names an account of a site that the export does not describe, and in
 * merged exports several authors share a number.
 */
function readAuthor(record: XmlRecord): ImportedAuthor {
  const email = field(record, 'wp:comment_author_email');
  const url = field(record, 'wp:comment_author_url');
  return {
    // WordPress stores names with entities.
    name: htmlToLine(field(record, 'wp:comment_author') ?? ''),
    ...(email === undefined ? {} : { email }),
    ...(url === undefined ? {} : { url }),
  };
}

/** `comment_approved` is 0, 1, spam, trash or post-trashed; any other value counts as not approved. */
function readStatus(approved: string | undefined): ImportedStatus {
  switch (approved) {
    case '1':
      return 'approved';
    case 'spam':
      return 'spam';
    case 'trash':
    case 'post-trashed':
      return 'trash';
    default:
      return 'pending';
  }
}

/** The type was empty until WordPress 5.5 and is `comment` since. A shop's customers write reviews. */
function readKind(type: string | undefined): ImportedCommentKind {
  switch (type) {
    case undefined:
    case 'comment':
    case 'review':
      return 'comment';
    case 'pingback':
    case 'trackback':
      return type;
    default:
      return 'other';
  }
}

/**
 * `comment_date_gmt`. Where that is zero, as old plugins left it, `comment_date` is read in the zone that was given, or as
 * UTC: the export does not contain the site's time zone, so the time may be off by up to 14 hours.
 */
function readTime(record: XmlRecord, timeZone: string | undefined): UnixMs | undefined {
  const inUtc = parseTime(field(record, 'wp:comment_date_gmt'));
  if (inUtc !== undefined) return inUtc;
  const shown = parseTime(field(record, 'wp:comment_date'));
  return shown === undefined || timeZone === undefined ? shown : timeInZone(shown, timeZone);
}

function parseTime(text: string | undefined): UnixMs | undefined {
  const iso = text?.match(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/);
  if (!iso) return undefined;
  const ms = Date.parse(`${iso[1]}T${iso[2]}Z`);
  // The parser reads 31 February as a day in March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(iso[1] ?? '') ? undefined : ms;
}
