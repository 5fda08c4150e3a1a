import { timestamp } from 'confab-contract/values/time.ts';
import { type Json, json } from '../../kernel/json.ts';
import { listWithCount } from './list-with-count.ts';

/** What the second form shows of a comment, post or message besides what the first form shows. */

/** The facts that it is made of; `updatedBy` is the rendered user. */
export type EntryFacts = {
  readonly appId: number;
  readonly updatedAt: number | null;
  readonly updatedBy: Json | undefined;
};

/** The additional fields by name. */
export function entryFields({ appId, updatedAt, updatedBy }: EntryFacts): {
  readonly [name: string]: Json | undefined;
} {
  return {
    app: entryApp(appId),
    updated_at: updatedAt === null ? undefined : json(`"${timestamp(updatedAt)}"`),
    updated_by: updatedBy,
  };
}

/** The app that an entry is in. */
export function entryApp(appId: number): Json {
  return json(`{"id":${appId}}`);
}

/** The rendered things that an entry ends with. */
export type EntryEnd = {
  readonly attachments: readonly string[];
  readonly options: readonly string[];
  readonly reactions: readonly string[];
};

/** The end of an entry, from after its stored JSON to before its closing brace. */
export function entryEnd({ attachments, options, reactions }: EntryEnd): string {
  const collected = (things: readonly string[]) => listWithCount(things.length, things);
  return (
    `,"attachments":${collected(attachments)},"options":${collected(options)}` +
    `,"reactions":${collected(reactions)},"is_starred":false`
  );
}
