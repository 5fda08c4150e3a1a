import { findUser } from '../../../access/user/user-access.ts';
import { changeUser, makeUser, trashOrRestoreUser } from '../../users/user-record.ts';
import { keyOf, type PlannedPerson } from './weavy-plan.ts';
import { earlierThings, type WeavyWriting, type Written } from './weavy-things.ts';

/**
 * Writes users. One whose uid is known here is that user and stays as they are, because uids are the host product's, and
 * it may have given them to this server already.
 */
export async function writePeople(
  writing: WeavyWriting,
  people: readonly PlannedPerson[],
): Promise<Written[]> {
  const { tx, source, system: caller, at } = writing;
  const keys = people.map(({ id }) => keyOf('user', id));
  const earlier = await earlierThings(tx, source, keys);
  const written: Written[] = [];
  for (const person of people) {
    const key = keyOf('user', person.id);
    const before = earlier.get(key);
    if (before !== undefined && !before.isUndone) continue;
    const present = await findUser(tx, before ?? { uid: person.uid });
    if (present === undefined) {
      const made = await makeUser({ tx, caller, at }, person.uid, changeOf(writing, person));
      if (made === undefined) throw new Error(`the uid ${person.uid} was taken inside a transaction`);
      written.push({ key, type: 'user', id: made.id, was: 'made' });
    } else if (before !== undefined) {
      const restored = await trashOrRestoreUser({ tx, caller, at }, present, { isTrashed: false });
      const email = writing.keepsEmails ? (person.email ?? null) : null;
      await changeUser({ tx, caller, at }, restored, { values: { email } });
      written.push({ key, type: 'user', id: present.id, was: 'restored' });
    } else written.push({ key, type: 'user', id: present.id, was: 'there' });
  }
  return written;
}

function changeOf({ keepsEmails }: WeavyWriting, person: PlannedPerson) {
  const { name, email, directory, metadata, tags, isBot, isSuspended } = person;
  return {
    ...(directory === undefined ? {} : { directory: { uid: directory } }),
    isSuspended,
    values: {
      name,
      ...(keepsEmails && email !== undefined ? { email } : {}),
      ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
      tags: JSON.stringify(tags),
      isBot,
    },
  };
}
