import type { Db } from '../../db/db.ts';
import { searchExpression } from '../../db/dialect.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope } from '../../kernel/page.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { levelOf, type ReadableApp, readableApp } from '../access/access.ts';
import { type AutocompleteShape, countPeople, listPeople } from './autocomplete.store.ts';
import { sightOf } from './users.sql.ts';

/** How many people are answered unless the request says otherwise: as many as fit under a cursor. */
const topDefault = 5;

type Person = {
  readonly id: number;
  readonly uid: string;
  readonly displayName: string;
  readonly pictureUrl: string | null;
  readonly directoryId: number | null;
  readonly isActive: number;
  readonly memberAccess: string | null;
  readonly memberRole: string | null;
};

function render(person: Person, app: ReadableApp | undefined): Json {
  const avatar = person.pictureUrl === null ? '' : `"avatar_url":${jsonString(person.pictureUrl)},`;
  const standing =
    app === undefined
      ? ''
      : `,"is_member":${person.memberAccess !== null},"access":"${accessOf(person, app)}"`;
  return json(
    `{"id":${person.id},"uid":${jsonString(person.uid)},"display_name":${jsonString(person.displayName)},` +
      `${avatar}"presence":"${person.isActive === 1 ? 'active' : 'away'}"${standing}}`,
  );
}

/** What a person may do in an app, in the word that clients know for who manages one. */
function accessOf({ id, directoryId, memberAccess, memberRole }: Person, app: ReadableApp): string {
  const level = levelOf({ kind: 'token', user: { id, directoryId } }, { ...app, memberAccess, memberRole });
  return level === 'manage' ? 'admin' : level;
}

/** What autocompletion asks for; ranges are those of the contract. */
export type AutocompleteQuery = {
  readonly q?: string;
  readonly top?: number;
  readonly skip?: number;
  readonly count?: boolean;
  readonly id?: number;
};

/** What autocompletion does; see the operation of the same name. */
export type Autocomplete = ReturnType<typeof createAutocomplete>;

/** Finds people for a mention or an invitation. */
export function createAutocomplete({ db, people }: { db: Db; people: PeopleSetting }) {
  return {
    /**
     * The people of the caller's directory (everybody for an API key) and the members of the app that the query names.
     * Throws `not_found` for an app the caller may not see.
     */
    async autocompleteUsers(principal: Principal, query: AutocompleteQuery): Promise<Json> {
      const app =
        query.id === undefined ? undefined : await readableApp(db.read, principal, { id: query.id });
      const { directoryId } = principal.user;
      const sight = sightOf(principal, people);
      // Existing clients ask so for everybody, before anything has been typed.
      const terms = query.q === '*' ? undefined : parseQuestion(query.q);
      const shape: AutocompleteShape = {
        directories: sight === 'every' ? 'every' : directoryId === null ? 'none' : 'one',
        hasApp: app !== undefined,
        hasQuestion: terms !== undefined,
        sight,
      };
      const parameters = {
        userId: principal.user.id,
        directoryId: directoryId ?? 0,
        appId: app?.id ?? 0,
        question: terms === undefined ? '' : searchExpression(terms),
        top: query.top ?? topDefault,
        skip: query.skip ?? 0,
      };
      const key = JSON.stringify(shape);
      const rows = await db.read.all(listPeople(key), parameters);
      const isCounted = query.count === true;
      const count = isCounted ? ((await db.read.get(countPeople(key), parameters))?.count ?? 0) : undefined;
      return envelope(
        { skip: parameters.skip, countOnly: false },
        { items: rows.map((row) => render(row, app)), count },
      );
    },
  };
}
