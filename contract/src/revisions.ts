import Type from 'typebox';
import { Anchor } from './anchors.ts';
import { Option } from './entries.ts';
import { described, Id, listOf, Metadata, string, Timestamp, via } from './fields.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

/**
 * How many revisions of a comment, post or message are kept, and of how many bytes together; the oldest are removed
 * first. The largest revision that there can be, all of it characters that JSON escapes, has 640 KiB.
 */
export const revisionLimits = { countMax: 100, bytesMax: 1024 * 1024 } as const;

/** A comment, post or message before an edit. */
const Revision = Type.Object(
  {
    id: described(Id, 'The id of the revision.'),
    text: o(string('The text, as Markdown. Absent when there was none.')),
    anchor: o(
      described(Anchor, 'The place that the thread of a comment belonged to. Absent when there was none.'),
    ),
    attachment_ids: Type.Array(Id, {
      description:
        'The ids of the attachments, in their order. Attachments that an edit removed no longer exist.',
    }),
    options: Type.Array(
      Type.Object(
        { id: Option.properties.id, text: Option.properties.text },
        { description: 'An option, without its votes.' },
      ),
      { description: 'The options of the poll, in their order; empty when there was no poll.' },
    ),
    embed_id: o(described(Id, 'The id of the embed. Absent when there was none.')),
    meeting_id: o(described(Id, 'The id of the meeting. Absent when there was none.')),
    metadata: o(
      described(Metadata, 'Free-form properties, as the client sent them. Absent when there were none.'),
    ),
    tags: Type.Array(Type.String(), { description: 'The tags, in the order in which they were set.' }),
    via: o(
      via(
        'What wrote this: a program by the Model Context Protocol (`mcp`), or the provider of an agent (`agent`). Absent for plain HTTP.',
      ),
    ),
    created_at: described(
      Timestamp,
      'When this was written: at the creation, or with the edit that replaced the revision before. It held until the next revision, and the newest one until `modified_at` of the item.',
    ),
    created_by_id: described(Id, 'The id of the user who wrote this.'),
    created_by: described(User, 'The user who wrote this.'),
  },
  { $id: 'Revision', description: 'A comment, a post or a message before an edit.' },
);
const RevisionList = listOf(Revision, 'RevisionList');

/** The list of the revisions of a comment, post or message. */
function revisionsOf<const K extends 'comment' | 'post' | 'message'>(kind: K) {
  return {
    method: 'GET',
    path: `/api/${kind}s/{id}/revisions` as const,
    summary: `Lists the versions of a ${kind} before each of its edits.`,
    description: `For its author, for moderators and managers of the app, and for API keys; also while the ${kind} is in the trash. The newest ${revisionLimits.countMax} revisions are kept, of together at most ${revisionLimits.bytesMax / 1024} KiB, until the ${kind} is deleted. To restore one, send its fields in a PATCH. Revisions have neither words, tags nor a trash of their own, so a query for one of these finds none.`,
    caller: 'any',
    effect: 'list',
    list: { orderBy: ['id', 'created_at'], expand: [] },
    success: { 200: RevisionList },
    errors: [401, 403, 404],
  } as const;
}

export const revisionOperations = operationsOf('Revisions', {
  listCommentRevisions: { ...revisionsOf('comment'), on: { comment: 'inspect', trashed: 'included' } },
  listPostRevisions: { ...revisionsOf('post'), on: { post: 'inspect', trashed: 'included' } },
  listMessageRevisions: { ...revisionsOf('message'), on: { message: 'inspect', trashed: 'included' } },
});
