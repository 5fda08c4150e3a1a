import type { Comment, ReactionCount } from '../thread/comment.ts';

/** The emoji to choose from. A comment can have others, of clients that offer more. */
export const offered = ['👍', '❤️', '😄', '🎉', '🤔', '👀'] as const;

/** Somebody who reacts. Visitors get each emoji once, users one of each person. */
type Reacting = { readonly id: number; readonly isVisitor: boolean };

/** The emoji with which somebody has reacted to a comment. */
export function ownReaction({ reactions }: Comment, { id }: Reacting): string | undefined {
  return reactions.find((each) => each.is_own || each.created_by_id === id)?.content;
}

/** A comment as it is once somebody has reacted with an emoji, or taken their reaction back. */
export function withReaction(comment: Comment, by: Reacting, emoji: string | undefined): Comment {
  const own = ownReaction(comment, by);
  const others = comment.reactions.filter(
    ({ created_by_id: id, content, count }) =>
      !(id === by.id || (by.isVisitor && content === own && count === 1)),
  );
  const counted = others.map((each) => {
    const count = each.count + (each.content === emoji ? 1 : 0) - (each.content === own ? 1 : 0);
    const { is_own: _, ...rest } = each;
    return { ...rest, count, ...(by.isVisitor && each.content === emoji ? { is_own: true } : {}) };
  });
  if (emoji === undefined) return { ...comment, reactions: counted };
  const known = counted.find(({ content }) => content === emoji);
  const added: ReactionCount = {
    content: emoji,
    count: known?.count ?? 1,
    ...(by.isVisitor ? { is_own: true } : { created_by_id: by.id }),
  };
  const isListed = by.isVisitor && known !== undefined;
  return { ...comment, reactions: isListed ? counted : [...counted, added] };
}
