import { anchorLimits, anchorOperations } from 'confab-contract/anchors.ts';
import { limits } from 'confab-contract/fields.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { countsOfKeys, keysAfter } from './anchors.store.ts';

/** Anchors are listed by their keys, with the number of threads that each key has. */

/** The numbers of threads of an app by the keys of their anchors. */
export const listAnchors = handler(anchorOperations.listAnchors, async ({ read, on: app, query }) => {
  const { after = '', top = limits.topDefault } = query;
  const given = query.key?.slice(0, anchorLimits.keysMax).map((key) => key.trim());
  const appId = app?.id ?? 0;
  const keys =
    given === undefined
      ? (await read.all(keysAfter, { appId, after: after.trim(), top })).map(({ key }) => key)
      : [...new Set(given)];
  const { countMax } = anchorLimits;
  const rows = keys.length === 0 ? [] : await read.all(countsOfKeys, { appId, keys, countMax });
  const data = rows.map(({ key, count, openCount }) => ({ key, count, open_count: openCount }));
  return json(JSON.stringify({ data }));
});
