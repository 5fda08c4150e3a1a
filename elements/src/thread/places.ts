import type { Comment } from './comment.ts';

/** A comment at its place. Its object is the same until something in it or below it changes. */
export type Place = {
  readonly comment: Comment;
  /** 0 for one that answers none, at most `depthMax`. */
  readonly depth: number;
  /** Whom it answers, where its place does not show it. */
  readonly answered: Comment | undefined;
  readonly answers: readonly Place[];
  /** The answers of a thread that are not shown; only at its beginning. */
  readonly rest: { readonly count: number; readonly isNew: boolean } | undefined;
};

/** Deeper answers are drawn below one another, with the name of whom they answer. */
const depthMax = 3;

type Draft = {
  readonly comment: Comment;
  readonly depth: number;
  readonly answered: Comment | undefined;
  readonly answers: Draft[];
  /** In whose answers it is drawn. */
  readonly list: Draft | undefined;
};

/**
 * How many answers are below a place, except for places of removed ones. Undefined while some are not known: the server says
 * how many a whole thread has, and for any other comment how many answer it.
 */
export function countBelow({ comment, answers, rest }: Place): number | undefined {
  const below = commentsOf(answers);
  const known = below.filter((each) => !each.is_trashed).length;
  if (comment.root_id === undefined) return known + (rest?.count ?? 0);
  const all = [comment, ...below].reduce((sum, each) => sum + (each.reply_count ?? 0), 0);
  return known < all ? undefined : known;
}

function commentsOf(places: readonly Place[]): Comment[] {
  return places.flatMap(({ comment, answers }) => [comment, ...commentsOf(answers)]);
}

/** Creates what arranges the answers of a thread below what they answer. `comments` has all that are known, by their id. */
export function createPlaces(comments: ReadonlyMap<number, Comment>) {
  /** What was shown last, with what it was made of, so that what has not changed is the same object. */
  const shown = new Map<number, { readonly place: Place; readonly made: readonly unknown[] }>();

  function settle({ comment, depth, answered, answers: drafts }: Draft, rest: Place['rest']): Place {
    const answers = drafts.map((draft) => settle(draft, undefined));
    const made = [comment, depth, answered, rest?.count, rest?.isNew, ...answers];
    const known = shown.get(comment.id);
    if (known?.made.length === made.length && made.every((each, index) => each === known.made[index]))
      return known.place;
    const place = { comment, depth, answered, answers, rest };
    shown.set(comment.id, { place, made });
    return place;
  }

  return {
    /** The place of a thread, with the answers of these ids. */
    arrange(root: Comment, ids: readonly number[], rest: Place['rest']): Place {
      const drafts = new Map<number, Draft>();
      const top: Draft = { comment: root, depth: 0, answered: undefined, answers: [], list: undefined };
      drafts.set(root.id, top);
      for (const id of ids) {
        const answer = comments.get(id);
        if (answer === undefined) continue;
        const parent = drafts.get(answer.reply_to_id ?? root.id);
        // The answered one may not be known yet, or be drawn as deep as it goes.
        const above = parent === undefined || parent.depth === depthMax ? (parent?.list ?? top) : parent;
        const answered = above === parent ? undefined : comments.get(answer.reply_to_id ?? root.id);
        const draft: Draft = {
          comment: answer,
          depth: above.depth + 1,
          answered,
          answers: [],
          list: above,
        };
        above.answers.push(draft);
        drafts.set(id, draft);
      }
      return settle(top, rest);
    },

    /** Forgets a comment that is gone. */
    forget: (id: number) => shown.delete(id),
  };
}
