import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { useServer } from 'confab-testing/server.ts';

const languages = path.join(import.meta.dirname, '../src/texts/languages');
const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });

// The elements mark moderators by a word of the reader's language, so the server has to know each of these words.
test('no guest has a name with which the elements mark moderators, in any language', async () => {
  const marks = readdirSync(languages).map(
    (name) => /^ {2}moderator: '(.+)'/m.exec(readFileSync(path.join(languages, name), 'utf8'))?.[1] ?? '',
  );
  assert.ok(marks.length >= 14);
  for (const name of marks) {
    const { status, body } = await server.call('POST', '/api/sign-in/guest', { name }, { as: null });
    assert.equal(status, 422, name);
    assert.equal(body.errors[0].code, 'taken', name);
  }
});
