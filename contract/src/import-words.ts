/**
 * The closed sets of words of imports, without the schemas, because the thread that reads an export does not
 * need those.
 */

/** The systems whose exports can be read; docs/imports.md names the format of each, docs/migrating.md the way from it. */
export const importKinds = [
  'wordpress',
  'disqus',
  'remark42',
  'artalk',
  'isso',
  'commento',
  'comentario',
  'cusdis',
  'waline',
  'giscus',
  'twikoo',
  'utterances',
  'valine',
  'fastcomments',
  'blogger',
] as const;
/** One of them. */
export type ImportKind = (typeof importKinds)[number];

/** The systems that `confab import` reads over the network while they run. They have no file to upload. */
export const pulledKinds = ['weavy'] as const;
/** A system that an import can be of. */
export type ImportedKind = ImportKind | (typeof pulledKinds)[number];

/** The form of an imported reply: a reply in a thread, or a comment that begins with a line of its parent. */
export const repliesAs = ['thread', 'quote'] as const;
/** One of them. */
export type RepliesAs = (typeof repliesAs)[number];

/** Why a comment is left out, in the order in which reasons are tried, with the words for the report. */
export const leftOutReasons = {
  unreadable: 'unreadable',
  spam: 'spam',
  deleted: 'deleted or in the trash',
  pending: 'not approved by a moderator',
  pingback: 'pingbacks (automatic link notifications, not comments)',
  trackback: 'trackbacks (automatic link notifications, not comments)',
  not_a_comment: "records of plugins, such as a shop's notes",
  page_missing: 'on pages that are not in the file or have no web address',
  app_left_out: 'in apps that are in the trash or of a type that Confab does not have',
  file_elsewhere: 'files that a provider keeps elsewhere',
  file_too_large: 'files larger than 50 MiB',
  parent_left_out: 'on posts or files that are left out',
  text_empty: 'without text',
  text_too_long: 'longer than 64 KiB',
  duplicate: 'duplicates in the same file',
} as const;
/** The closed set of reasons. */
export type LeftOutReason = keyof typeof leftOutReasons;

/** The words for one comment, where they differ. */
export const leftOutOnce: { readonly [R in LeftOutReason]?: string } = {
  pingback: 'pingback (an automatic link notification, not a comment)',
  trackback: 'trackback (an automatic link notification, not a comment)',
  not_a_comment: "record of a plugin, such as a shop's note",
  page_missing: 'on a page that is not in the file or has no web address',
  app_left_out: 'in an app that is in the trash or of a type that Confab does not have',
  file_elsewhere: 'file that a provider keeps elsewhere',
  file_too_large: 'file larger than 50 MiB',
  parent_left_out: 'on a post or file that is left out',
  duplicate: 'duplicate in the same file',
};
