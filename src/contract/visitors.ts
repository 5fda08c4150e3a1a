import Type, { type Static } from 'typebox';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { boolean, described, Id, listOf, string } from './fields.ts';

/** What people without a credential read of comments: authors without uids, and reactions as numbers. */

const Author = Type.Object(
  {
    id: described(Id, 'The id of the user.'),
    display_name: string('The name to show.'),
    avatar_url: Type.Optional(
      string("The address of the user's picture; needs no credential. Absent for a user without a picture."),
    ),
    is_bot: boolean('Whether the user is a program rather than a person.'),
  },
  { $id: 'Author', description: 'The author of a comment, as people without a credential see them.' },
);

const ReactionCount = Type.Object(
  {
    content: string('The emoji, exactly one.'),
    count: Type.Integer({ minimum: 1, description: 'How many users reacted with it.' }),
  },
  { $id: 'ReactionCount', description: 'How many users reacted to a comment with one emoji.' },
);

const itemFields = {
  ...entryItemFields,
  reactions: Type.Array(ReactionCount, { description: 'The emoji of the reactions to it, each once.' }),
};

export const VisitorComment = Type.Object(
  {
    ...itemFields,
    parent: entryDetailFields.parent,
    embed: entryDetailFields.embed,
    created_by: described(Author, 'The user who wrote it.'),
  },
  { $id: 'VisitorComment', description: 'A comment as people without a credential see it.' },
);
export type VisitorComment = Static<typeof VisitorComment>;

const VisitorCommentItem = Type.Object(
  {
    ...itemFields,
    embed: entryExpandedFields.embed,
    created_by: Type.Optional(described(Author, 'The user who wrote it. Only where `expand` asks for it.')),
  },
  { $id: 'VisitorCommentItem', description: 'A comment in a list as people without a credential see it.' },
);

export const VisitorCommentList = listOf(VisitorCommentItem, 'VisitorCommentList');
