import type { Facts, Operation, Tracked } from 'confab-testing/harness/model.ts';

type Known = NonNullable<Facts>;
type Chosen = { readonly object: Tracked; readonly id: number; readonly facts: Known };
type Change = Omit<Operation, 'name' | 'credential'>;

/** Whether an entry exists and is not in the trash. */
export function isLive(facts: Known): boolean {
  return facts.is_trashed === false;
}

function pathOf({ object, id }: Chosen): string {
  return `/api/${object.kind}s/${id}`;
}

/** Reacts to one of the client's own entries, changes the reaction, or removes it when it is the same. */
export function reaction(chosen: Chosen, emoji: string): Change {
  const { object, facts } = chosen;
  const [present] = facts.reactions as string[];
  const removed = present === undefined ? [] : [`reaction_removed ${present}`];
  const path = `${pathOf(chosen)}/reactions`;
  if (present === emoji)
    return {
      method: 'DELETE',
      path,
      status: 200,
      effects: [{ object, facts: { ...facts, reactions: [] }, events: removed }],
    };
  return {
    method: 'POST',
    path,
    body: { content: emoji },
    status: 204,
    effects: [
      { object, facts: { ...facts, reactions: [emoji] }, events: [...removed, `reaction_added ${emoji}`] },
    ],
  };
}

/** Votes in one of the client's own polls: for the first time, for another option, or again to clear the vote. */
export function vote({ object, facts }: Chosen, place: number): Change {
  const votes = facts.votes as number[];
  const options = facts.options as string[];
  const chosen = votes.indexOf(1);
  const removed = chosen === -1 ? [] : [`option_unvoted ${options[chosen]}`];
  const isBack = chosen === place;
  return {
    method: 'POST',
    path: `/api/options/${object.options[place]}/vote`,
    status: 200,
    answersOther: true,
    effects: [
      {
        object,
        facts: { ...facts, votes: votes.map((_, index) => (index === place && !isBack ? 1 : 0)) },
        events: isBack ? removed : [...removed, `option_voted ${options[place]}`],
      },
    ],
  };
}

/** Deletes an entry permanently. */
export function deletion(kind: 'comment' | 'post', chosen: Chosen): Change {
  return {
    method: 'DELETE',
    path: pathOf(chosen),
    status: 204,
    effects: [{ object: chosen.object, facts: undefined, events: [`${kind}_deleted`] }],
  };
}
