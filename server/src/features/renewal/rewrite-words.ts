import type { Tx } from '../../db/db.ts';
import type { WrongWords } from '../../db/index-of-words.ts';
import {
  appIndex,
  directoryIndex,
  entryIndex,
  fileIndex,
  publicUserIndex,
  userIndex,
  webhookIndex,
} from '../../db/search-index.ts';
import { searchWords } from '../../kernel/search.ts';
import { appWords } from '../apps/app-index.ts';
import { entryWords } from '../entries/entry-index.ts';
import { contentOf } from '../entries/entry-json.ts';
import { fileWords } from '../files/file-words.ts';
import { displayNameOf, publicUserWords, userWords } from '../users/user-change.ts';
import {
  appTextsAfter,
  directoryTextsAfter,
  entryTexts,
  fileTextsAfter,
  userTextsAfter,
  webhookTextsAfter,
} from './renewal.store.ts';

/** The words of one row as they must be; undefined where the row is gone. */
async function wordsOf(tx: Tx, { index, id }: WrongWords): Promise<string | undefined> {
  const page = { after: id - 1, top: 1 };
  const rowOf = <R extends { readonly id: number }>(rows: readonly R[]) => rows.find((row) => row.id === id);
  switch (index) {
    case 'entry_search': {
      const [entry] = await tx.all(entryTexts, { ids: [id] });
      return entry === undefined ? undefined : entryWords(entry, contentOf(entry.content));
    }
    case 'app_search': {
      const app = rowOf(await tx.all(appTextsAfter, page));
      return app === undefined ? undefined : appWords(app);
    }
    case 'user_search': {
      const user = rowOf(await tx.all(userTextsAfter, page));
      return user === undefined ? undefined : userWords(user);
    }
    case 'public_user_search': {
      const user = rowOf(await tx.all(userTextsAfter, page));
      return user === undefined ? undefined : publicUserWords({ ...user, displayName: displayNameOf(user) });
    }
    case 'file_search': {
      const file = rowOf(await tx.all(fileTextsAfter, page));
      return file === undefined ? undefined : fileWords(file.appId, file.name);
    }
    case 'directory_search': {
      const directory = rowOf(await tx.all(directoryTextsAfter, page));
      return directory === undefined ? undefined : searchWords(directory.name);
    }
    case 'webhook_search': {
      const webhook = rowOf(await tx.all(webhookTextsAfter, page));
      return webhook === undefined ? undefined : searchWords(webhook.payloadUrl);
    }
  }
}

const writers = {
  entry_search: entryIndex,
  app_search: appIndex,
  user_search: userIndex,
  public_user_search: publicUserIndex,
  file_search: fileIndex,
  directory_search: directoryIndex,
  webhook_search: webhookIndex,
};

/** Writes the words of some rows that lack them, and removes words without a row; must run in a transaction. */
export async function rewriteWords(tx: Tx, wrong: readonly WrongWords[]): Promise<void> {
  for (const one of wrong) {
    const words = one.isMissing ? await wordsOf(tx, one) : null;
    if (words !== undefined) tx.defer(writers[one.index], { id: one.id, words });
  }
}
