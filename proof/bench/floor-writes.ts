import type { DatabaseSync } from 'node:sqlite';
import { openWriter } from 'confab-server/src/db/sqlite/sqlite.ts';
import { renderMarkdown } from 'confab-server/src/features/markdown/markdown.ts';
import { searchWords } from 'confab-server/src/kernel/search.ts';
import type { FloorUser } from './floors.ts';

/**
 * What the floor writes: comments, in a copy of the store of a Confab. The comments of a turn of the event loop share a
 * transaction and its sync, with their events, the words by which they are found and the counts of their apps, in the same
 * statements as those of Confab. It only creates what the benchmark sends: a valid text in an app that its user may write to.
 */

/** A comment that waits for its group. `answer` gets its JSON and its id once it is on the disk. */
type Waiting = {
  readonly appId: number;
  readonly user: FloorUser;
  readonly text: string;
  readonly answer: (body: string, id: number) => void;
};

/** Adds a comment to the group of this turn; false for an app that is not there. */
export type AddComment = (comment: Waiting) => boolean;

/** Opens the copy of a store. */
export function openFloorStore(file: string): AddComment {
  const database: DatabaseSync = openWriter(file);
  const apps = new Set(
    database
      .prepare('select id from apps')
      .all()
      .map(({ id }) => id),
  );
  const insertEntry = database.prepare(`insert into entries
    (kind, app_id, parent_type, parent_id, content, attachment_count, option_count, embed_id, meeting_id, created_at,
      created_by_id)
    values ('comment', ?, 'app', ?, ?, 0, 0, null, null, ?, ?)`);
  const insertEvent = database.prepare(`insert into events
    (action, actor_id, app_id, user_id, entity_type, entity_id, payload, created_at, is_silent)
    values ('comment_created', ?, ?, null, 'comment', ?, ?, ?, 0)`);
  const insertWords = database.prepare(`insert into entry_search (rowid, words)
    select value ->> 'id', value ->> 'words' from json_each(?)`);
  const addCounts =
    database.prepare(`insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
    select 'app', value ->> 'appId', 'comment', value ->> 'appId', value ->> 'live', 0, 0 from json_each(?) where true
    on conflict (parent_type, parent_id, kind) do update set live = tallies.live + excluded.live`);
  let group: Waiting[] = [];

  function writeGroup(): void {
    const comments = group;
    group = [];
    const words: { id: number; words: string }[] = [];
    const counts = new Map<number, number>();
    const bodies: string[] = [];
    database.exec('begin immediate');
    for (const { appId, user, text } of comments) {
      const { html, plain } = renderMarkdown(text);
      const now = Date.now();
      const time = new Date(now).toISOString();
      const fields = `"app_id":${appId},${JSON.stringify({ text, html, plain }).slice(1, -1)},"tags":[],"attachment_count":0,"option_count":0,"created_at":"${time}","created_by_id":${user.id},"is_trashed":false`;
      const id = Number(insertEntry.run(appId, appId, `{${fields}}`, now, user.id).lastInsertRowid);
      const parent = `"id":${id},"parent":{"id":${appId},"type":"app"}`;
      const end = `${fields},"attachments":[],"options":[],"reactions":[]}`;
      insertEvent.run(
        user.id,
        appId,
        id,
        `"action":"comment_created","actor":${user.json.slice(0, -1)},"kind":"person"},"comment":{${parent},${end},"timestamp":"${time}","type":"comment.created"`,
        now,
      );
      words.push({ id, words: `\uE000commentapp${appId} ${searchWords(plain)}` });
      counts.set(appId, (counts.get(appId) ?? 0) + 1);
      bodies.push(`{${parent},"created_by":${user.json},${end}`);
    }
    insertWords.run(JSON.stringify(words));
    addCounts.run(JSON.stringify([...counts].map(([appId, live]) => ({ appId, live }))));
    database.exec('commit');
    for (const [index, { answer }] of comments.entries()) answer(bodies[index] ?? '', words[index]?.id ?? 0);
  }

  return (comment) => {
    if (!apps.has(comment.appId)) return false;
    if (group.length === 0) setImmediate(writeGroup);
    group.push(comment);
    return true;
  };
}
