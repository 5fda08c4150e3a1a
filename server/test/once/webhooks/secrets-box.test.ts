import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { configFrom } from '../../../src/config/config.ts';
import { ensureKeyFile, readKeyFile } from '../../../src/features/webhooks/secrets/key-file.ts';
import { openSecretBox } from '../../../src/features/webhooks/secrets/secret-keys.ts';
import {
  createSecretBox,
  keyIdOf,
  makeKeyText,
  readKeys,
  sealCharacters,
} from '../../../src/kernel/secret-box.ts';

const [one, other] = [makeKeyText(), makeKeyText()];
const box = (...keys: string[]) => createSecretBox(readKeys(keys.join(',')));

// A sealed secret opens with its key, for what it was sealed for, and in no other case.
describe('a sealed secret', () => {
  test('opens to the same text, with any content', () => {
    for (const text of ['s', 'pässwörd 🔑\u2028', 'x'.repeat(1024), ''])
      assert.equal(box(one).open(box(one).seal(text, 'webhook 1'), 'webhook 1'), text);
  });

  test('reveals nothing of the text and differs each time', () => {
    const sealed = Array.from({ length: 50 }, () => box(one).seal('never shown', 'webhook 1'));
    assert.equal(new Set(sealed).size, 50);
    for (const text of sealed) {
      const bytes = Buffer.from(text.slice(sealCharacters + 1), 'base64');
      assert.equal(bytes.length, 12 + 16 + 'never shown'.length);
      assert.ok(!text.includes('never') && !bytes.includes('never'));
    }
  });

  test('is sealed by the first key of a box and opens with the key that sealed it', () => {
    const [before, between] = [box(one), box(other, one)];
    const sealed = before.seal('text', 'webhook 1');
    assert.equal(between.open(sealed, 'webhook 1'), 'text');
    assert.equal(keyIdOf(sealed), before.keyIds[0]);
    assert.equal(keyIdOf(between.seal('text', 'webhook 1')), box(other).keyIds[0]);
    assert.throws(() => box(other).open(sealed, 'webhook 1'), {
      message: `the secret of webhook 1 is sealed with the key ${before.keyIds[0]}, which is not here`,
    });
  });

  test('opens only for its own binding', () => {
    assert.throws(() => box(one).open(box(one).seal('text', 'webhook 1'), 'webhook 11'), /something else/);
  });

  test('does not open when one of its bytes has changed', () => {
    const sealed = box(one).seal('text', 'webhook 1');
    const bytes = Buffer.from(sealed.slice(sealCharacters + 1), 'base64');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const kept = `${sealed.slice(0, sealCharacters)}:${changed.toString('base64')}`;
      assert.throws(() => box(one).open(kept, 'webhook 1'), /was changed in the store/);
    }
    for (const length of [0, 11, 12, 27])
      assert.throws(
        () =>
          box(one).open(
            `${sealed.slice(0, sealCharacters)}:${bytes.subarray(0, length).toString('base64')}`,
            'webhook 1',
          ),
        /was changed in the store/,
      );
  });

  test('is distinguishable from a chosen secret', () => {
    assert.equal(box(one).open('sealed1:0123abcd:AAAA', 'webhook 1'), 'sealed1:0123abcd:AAAA');
  });

  test('needs a key', () => {
    assert.throws(() => createSecretBox([]).seal('text', 'webhook 1'), /no key/);
  });
});

// A key has exactly 32 bytes; an invalid one is reported before anything is sealed.
describe('the keys', () => {
  const root = mkdtempSync(join(tmpdir(), 'confab-keys-'));
  after(() => rmSync(root, { recursive: true }));

  test('are read in base64 and hex, separated by commas and lines', () => {
    const hex = Buffer.from(one, 'base64').toString('hex');
    assert.deepEqual(readKeys(`${one}\n${other}\n`), readKeys(`${hex}, ${other}`));
    assert.equal(readKeys(hex.toUpperCase())[0]?.id, readKeys(one)[0]?.id);
  });

  for (const [name, text] of [
    ['none', ' \n'],
    ['a short one', Buffer.alloc(31).toString('base64')],
    ['a long one', Buffer.alloc(33).toString('base64')],
    ['one without its padding', one.slice(0, -1)],
    ['words', 'correct horse battery staple'],
    ['the same twice', `${one},${one}`],
  ] as const)
    test(`are refused with ${name}`, () => {
      assert.throws(
        () => configFrom({ CONFAB_SECRETS_KEY: text }),
        /^Error: CONFAB_SECRETS_KEY (must hold|holds)/,
      );
    });

  test('may be in only one place', () => {
    assert.throws(
      () => configFrom({ CONFAB_SECRETS_KEY: one, CONFAB_SECRETS_KEY_FILE: '/key' }),
      /both set; set one of them/,
    );
  });

  test('are created once in a file that no other user can read', () => {
    const path = join(root, 'secrets.key');
    assert.equal(readKeyFile(path), undefined);
    const [made] = ensureKeyFile(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(ensureKeyFile(path), [made]);
    assert.equal(Buffer.from(readFileSync(path, 'utf8'), 'base64').length, 32);
    assert.deepEqual(readKeyFile(path), [made]);
  });

  test('are created only in a folder that is persistent anyway', () => {
    const place = { secretsKey: undefined, secretsKeyFile: undefined, s3Bucket: 'bucket' };
    const dataDir = mkdtempSync(join(root, 'data-'));
    const elsewhere = openSecretBox({ ...place, dataDir, databaseUrl: 'postgres://db/confab' });
    elsewhere.makeKey();
    assert.deepEqual([elsewhere.keyIds, readdirSync(dataDir)], [[], []]);
    const here = openSecretBox({ ...place, dataDir, databaseUrl: undefined });
    assert.deepEqual([here.keyIds, readdirSync(dataDir)], [[], []]);
    here.makeKey();
    assert.deepEqual([here.keyIds.length, readdirSync(dataDir)], [1, ['secrets.key']]);
  });

  test('that another node created in the folder are found when one is needed', () => {
    const dataDir = mkdtempSync(join(root, 'data-'));
    const place = { dataDir, databaseUrl: 'postgres://db/confab', s3Bucket: undefined };
    const [here, there] = [1, 2].map(() =>
      openSecretBox({ ...place, secretsKey: undefined, secretsKeyFile: undefined }),
    );
    here?.makeKey();
    assert.equal(there?.open(here?.seal('text', 'webhook 1') ?? '', 'webhook 1'), 'text');
    assert.deepEqual(there?.keyIds, here?.keyIds);
  });

  test('are refused with the name of their file when it contains anything else', () => {
    const path = join(root, 'wrong.key');
    writeFileSync(path, 'words');
    assert.throws(() => readKeyFile(path), /the file of keys .*wrong\.key must hold keys of 32 bytes/);
  });
});
