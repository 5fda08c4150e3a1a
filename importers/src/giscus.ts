/**
 * Reads the comments of Giscus: discussions as GitHub's GraphQL interface answers, one answer after the other or in a list
 * (docs.github.com, GraphQL, Using the GraphQL API for Discussions; the query of `services/github/getDiscussion.ts` of
 * giscus/giscus). docs/migrating.md has the request.
 *
 * Giscus ends the text of a discussion with the address of its page (`components/Widget.tsx`), and its title is a path, an
 * address or a title of the page.
 */

import { createComments, wrongFile } from './comment-records.ts';
import { addConversation, type ConversationForm, lastAddress } from './github.ts';
import type { ExportFile, ImportFile } from './import-file.ts';
import { createPages } from './imported-pages.ts';
import { readJson } from './json-records.ts';
import { isObject } from './record-fields.ts';

const paths = ['$', '$[]'].flatMap((answer) => [
  `${answer}.data.repository.discussions.nodes[]`,
  `${answer}.data.search.nodes[]`,
  `${answer}.data.repository.discussion`,
]);

const form: ConversationForm = {
  noun: 'discussion',
  commentId: 'id',
  address: (discussion) =>
    lastAddress(discussion.tolerant('body')?.split('\n') ?? []) ?? discussion.tolerant('title'),
};

/** Reads the whole file. Throws `ImportError` when it has no discussions or cannot be read to its end. */
export async function readGiscus(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  const notes: string[] = [];
  let discussions = 0;
  const arrays = await readJson(file, paths, (_, record) => {
    discussions += 1;
    if (isObject(record.value)) addConversation(record, form, { pages, comments, notes });
  });
  if (arrays.size === 0 && discussions === 0)
    throw wrongFile(
      file.name,
      'an answer of GitHub with discussions',
      'it has no "discussions" with "nodes"',
    );
  return comments.file('giscus', pages, notes);
}
