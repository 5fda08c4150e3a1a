import { keyOperations, listedKeysMax } from 'confab-contract/keys.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { listLastKeys } from '../credentials/keys.ts';
import { shownKey } from './key-json.ts';

/** The newest keys. */
export const listKeys = handler(keyOperations.listKeys, async ({ read, caller }) => {
  const keys = await listLastKeys(read, listedKeysMax);
  const items = keys.map((key) => ({
    ...shownKey(key),
    ...(key.id === caller.apiKeyId ? { is_current: true } : {}),
  }));
  return json(JSON.stringify(items));
});
