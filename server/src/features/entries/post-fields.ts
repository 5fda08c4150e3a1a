import type { Read } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { listWithCount } from '../../second-form/shapes/list-with-count.ts';
import { postFacts } from './post-fields.store.ts';

/** The fields of some posts besides those of every entry, by the id of the post and the name of the field. */
export async function renderedPostFields(
  read: Read,
  caller: Principal,
  posts: readonly { readonly id: number }[],
): Promise<Map<number, { readonly [name: string]: Json }>> {
  const facts = await read.all(postFacts, { ids: posts.map(({ id }) => id), userId: caller.user.id });
  return new Map(
    facts.map(({ id, commentCount, isSubscribed }) => [
      id,
      {
        comment_count: json(String(commentCount)),
        comments: json(caller.form === undefined ? '[]' : listWithCount(commentCount, [])),
        is_subscribed: json(String(isSubscribed === 1)),
      },
    ]),
  );
}
