import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { root } from 'confab-tools/places.ts';
import { goOperations, goTypes } from '../src/go.ts';
import { clientModel } from '../src/methods.ts';
import { pythonOperations, pythonTypes } from '../src/python.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const model = clientModel();

/** The operations that stream, for which the guides of the libraries name another way. */
const streamed = [
  'streamEvents',
  'watchApp',
  'negotiateConnection',
  'openConnection',
  'sendToConnection',
  'endConnection',
];

function withoutMethod(text: string, nameOf: (id: string) => string): readonly string[] {
  return operationList.map(({ id }) => id).filter((id) => !text.includes(nameOf(id)));
}

// A new operation has a method in each language, under its own name.
describe('the libraries for other languages', () => {
  test('have a method for every operation but those that stream', () => {
    const python = read('clients/python/src/confab/operations.py');
    const pythonName = (id: string) =>
      `    def ${id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(`;
    assert.deepEqual(withoutMethod(python, pythonName), streamed);
    const go = read('clients/go/operations.go');
    const goName = (id: string) => `func (c *Client) ${id.slice(0, 1).toUpperCase()}${id.slice(1)}(`;
    assert.deepEqual(withoutMethod(go, goName), streamed);
  });

  test('are what the contract makes of them', () => {
    assert.equal(read('clients/python/src/confab/types.py'), pythonTypes(model));
    assert.equal(read('clients/python/src/confab/operations.py'), pythonOperations(model));
    assert.equal(read('clients/go/types.go'), goTypes(model));
    assert.equal(read('clients/go/operations.go'), goOperations(model));
  });

  test('send an idempotency key where the server keeps one', () => {
    const go = goOperations(model).split('\n\n');
    const withKey = (name: string) =>
      go.find((one) => one.includes(`) ${name}(`))?.includes('takesKey: true');
    assert.equal(withKey('CreateAppComment'), true);
    assert.equal(withKey('IssueToken'), false);
    assert.equal(withKey('UpsertApp'), false);
  });

  test('can clear what a change may clear, and nothing else', () => {
    const python = pythonTypes(model);
    const patch = /class UserPatch\(TypedDict\):\n(.*?)\n\n\n/s.exec(python)?.[1] ?? '';
    assert.match(patch, /^ {4}uid: NotRequired\[str\]$/m);
    assert.match(patch, /^ {4}email: NotRequired\[str \| None\]$/m);
    const create = /class UserCreate\(TypedDict\):\n(.*?)\n\n\n/s.exec(python)?.[1] ?? '';
    assert.match(create, /^ {4}email: NotRequired\[str\]$/m);
  });

  test('keep to the width of their lines', () => {
    for (const text of [pythonTypes(model), pythonOperations(model)])
      assert.deepEqual(
        text.split('\n').filter((line) => line.length > 100),
        [],
      );
  });

  test('have the version of the server', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.match(read('clients/python/pyproject.toml'), new RegExp(`^version = "${version}"$`, 'm'));
  });
});
