import { userOperations } from 'confab-contract/users.ts';
import type { ReadableApp } from '../../access/access.ts';
import { appAccess } from '../../access/app-access.ts';
import { levelOf } from '../../access/standing.ts';
import { handler } from '../../binding/handler.ts';
import { searchExpression } from '../../db/dialect.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope } from '../../kernel/page.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { type AutocompleteShape, countCandidates, listCandidates } from './autocomplete.store.ts';
import { visibilityFor } from './users.sql.ts';

/** How many users are returned by default: as many as fit below a text cursor. */
const topDefault = 5;

/** A user who can be mentioned or invited, with the membership in the app that the query names. */
type Candidate = {
  readonly id: number;
  readonly uid: string;
  readonly displayName: string;
  readonly pictureUrl: string | null;
  readonly directoryId: number | null;
  readonly isActive: number;
  readonly memberAccess: string | null;
  readonly memberRole: string | null;
};

/**
 * Finds users to mention or invite: those of the caller's directory (all users for an API key) and the members of the
 * app that the query names. Throws `not_found` for an app that the caller may not see.
 */
export const autocompleteUsers = handler(
  userOperations.autocompleteUsers,
  async ({ read, caller, query }, { people }: { people: PeopleSetting }) => {
    const app =
      query.id === undefined
        ? undefined
        : await appAccess.read({ read, caller, ref: { id: query.id }, isTrashedIncluded: false });
    const { id: userId, directoryId } = caller.user;
    const visibility = visibilityFor(caller, people);
    // Existing clients send `*` for all users, before anything has been typed.
    const terms = query.q === '*' ? undefined : parseQuestion(query.q);
    const shape: AutocompleteShape = {
      directories: visibility === 'every' ? 'every' : directoryId === null ? 'none' : 'one',
      hasApp: app !== undefined,
      hasQuestion: terms !== undefined,
      visibility,
    };
    const parameters = {
      userId,
      directoryId: directoryId ?? 0,
      appId: app?.id ?? 0,
      question: terms === undefined ? [] : searchExpression(terms),
      top: query.top ?? topDefault,
      skip: query.skip ?? 0,
    };
    const key = JSON.stringify(shape);
    const rows = await read.all(listCandidates(key), parameters);
    const isCounted = query.count === true;
    const count = isCounted ? ((await read.get(countCandidates(key), parameters))?.count ?? 0) : undefined;
    const items = rows.map((row) => render(row, app));
    return envelope({ skip: parameters.skip, countOnly: false }, { items, count });
  },
);

function render(user: Candidate, app: ReadableApp | undefined): Json {
  const avatar = user.pictureUrl === null ? '' : `"avatar_url":${jsonString(user.pictureUrl)},`;
  const membership =
    app === undefined ? '' : `,"is_member":${user.memberAccess !== null},"access":"${accessOf(user, app)}"`;
  return json(
    `{"id":${user.id},"uid":${jsonString(user.uid)},"display_name":${jsonString(user.displayName)},` +
      `${avatar}"presence":"${user.isActive === 1 ? 'active' : 'away'}"${membership}}`,
  );
}

/** The access of a user to an app as the API returns it, where a manager has `admin` and a moderator `write`. */
function accessOf({ id, directoryId, memberAccess, memberRole }: Candidate, app: ReadableApp): string {
  const user = { id, directoryId, role: null };
  const level = levelOf({ kind: 'token', user }, { ...app, memberAccess, memberRole });
  if (level === 'moderate') return 'write';
  return level === 'manage' ? 'admin' : level;
}
