import Type, { type Static } from 'typebox';
import { anchorFields } from './anchors.ts';
import { entryDetailFields, entryExpandedFields, entryItemFields, threadFields } from './entries.ts';
import { boolean, described, Id, listOf, string } from './fields.ts';
import { resolvedFields } from './resolving.ts';

/** What people without a credential read of comments: authors without uids, and reactions as numbers. */

const Author = Type.Object(
  {
    id: described(Id, 'The id of the user.'),
    display_name: string('The name to show.'),
    avatar_url: Type.Optional(
      string("The address of the user's picture; needs no credential. Absent for a user without a picture."),
    ),
    is_bot: boolean('Whether the user is a program rather than a person.'),
    is_guest: Type.Optional(
      boolean('True for a visitor who only gave a name, which nobody has checked. Absent for everyone else.'),
    ),
    is_moderator: Type.Optional(
      boolean(
        'True for a user with the role `moderator` and without a directory, who moderates everything that visitors see. Absent for everyone else.',
      ),
    ),
  },
  { $id: 'Author', description: 'The author of a comment, as people without a credential see them.' },
);

const ReactionCount = Type.Object(
  {
    content: string('The emoji, exactly one.'),
    count: Type.Integer({ minimum: 1, description: 'How many users reacted with it.' }),
    is_own: Type.Optional(
      boolean('True where the visitor who has signed in reacted with it. Absent otherwise.'),
    ),
  },
  { $id: 'ReactionCount', description: 'How many users reacted to a comment with one emoji.' },
);

const itemFields = {
  ...entryItemFields,
  ...threadFields,
  reactions: Type.Array(ReactionCount, { description: 'The emoji of the reactions to it, each once.' }),
};

export const VisitorComment = Type.Object(
  {
    ...itemFields,
    ...resolvedFields,
    ...anchorFields,
    parent: entryDetailFields.parent,
    embed: entryDetailFields.embed,
    created_by: described(Author, 'The user who wrote it.'),
  },
  { $id: 'VisitorComment', description: 'A comment as people without a credential see it.' },
);
export type VisitorComment = Static<typeof VisitorComment>;

const VisitorAnswerItem = Type.Object(
  {
    ...itemFields,
    created_by_id: Type.Optional(
      described(
        Id,
        'The id of its author. Absent only in the place of a comment that was deleted or is in the trash, in a thread.',
      ),
    ),
    embed: entryExpandedFields.embed,
    created_by: Type.Optional(described(Author, 'The user who wrote it. Only where `expand` asks for it.')),
  },
  {
    $id: 'VisitorAnswerItem',
    description: 'A comment in a list of replies as people without a credential see it.',
  },
);

const VisitorCommentItem = Type.Object(
  {
    ...VisitorAnswerItem.properties,
    ...resolvedFields,
    ...anchorFields,
    replies: Type.Optional(
      Type.Array(VisitorAnswerItem, {
        description: 'The first comments of the thread below it, by id. Only in a list of threads.',
      }),
    ),
  },
  { $id: 'VisitorCommentItem', description: 'A comment in a list as people without a credential see it.' },
);

export const VisitorCommentList = listOf(VisitorCommentItem, 'VisitorCommentList');
export const VisitorAnswerList = listOf(VisitorAnswerItem, 'VisitorAnswerList');

export const VisitorApp = Type.Object(
  {
    id: described(Id, 'The id of the app.'),
    type: Type.Unsafe<'comments'>({
      type: 'string',
      enum: ['comments'],
      description: 'The type of the app.',
    }),
    uid: string('The uid of the app.'),
  },
  { $id: 'VisitorApp', description: 'An app as a visitor who has signed in sees it.' },
);
