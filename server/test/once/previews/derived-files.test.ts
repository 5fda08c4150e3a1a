import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { createDerivedFiles, type Recipe } from '../../../src/features/previews/derived-files.ts';
import { openBlobFolder } from '../../../src/storage/folder.ts';
import type { BlobStorage } from '../../../src/storage/storage.ts';

const path = mkdtempSync(join(tmpdir(), 'confab-test-'));
after(() => rmSync(path, { recursive: true }));

test('a derived file is created once, even when a request learns late that it was missing', async () => {
  const folder = await openBlobFolder(path, 0);
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const storage: BlobStorage = {
    ...folder,
    async sizeOf(stored) {
      looks += 1;
      const isSecond = looks === 2;
      const size = await folder.sizeOf(stored);
      if (isSecond && size === undefined) await first.promise;
      return size;
    },
  };
  let made = 0;
  const recipe: Recipe = {
    form: 'preview',
    mediaType: 'text/plain',
    async make({ target }) {
      made += 1;
      await writeFile(target, 'made');
      return true;
    },
  };
  const { key } = await folder.write(Readable.from('bytes'), { headBytesMax: 0 });
  await folder.place(key);
  const derived = createDerivedFiles(storage);
  const requests = [derived(key, recipe), derived(key, recipe)];
  await requests[0];
  first.resolve();
  await requests[1];
  assert.equal(made, 1);
});
