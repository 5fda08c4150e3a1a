import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useServer } from 'confab-testing/server.ts';
import { configFrom } from '../../../src/config/config.ts';

const path = '/.well-known/security.txt';

// Who finds a vulnerability of a server learns from RFC 9116 where to report it, if its operator says so.
describe('security.txt', () => {
  const clock = { now: () => Date.UTC(2026, 2, 3, 4, 5) };
  const plain = useServer();
  const server = useServer({ CONFAB_SECURITY_CONTACT: 'mailto:security@example.com' }, { clock });

  test('names the contact and when it ends', async () => {
    const { status, headers, text } = await server.call('GET', path, undefined, { as: null });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.deepEqual(text.split('\n'), [
      'Contact: mailto:security@example.com',
      'Expires: 2026-04-02T00:00:00.000Z',
      `Canonical: ${server.url}${path}`,
      '',
    ]);
  });

  test('is not there without one', async () => {
    assert.equal((await plain.call('GET', path, undefined, { as: null })).status, 404);
  });

  for (const contact of [
    'security@example.com',
    'http://example.com',
    'mailto:',
    'https://a b',
    'mailto:a@b\nX: y',
  ])
    test(`refuses ${JSON.stringify(contact)}`, () => {
      assert.throws(() => configFrom({ CONFAB_SECURITY_CONTACT: contact }), /CONFAB_SECURITY_CONTACT/);
    });

  test('takes an address of a page', () => {
    const contact = 'https://example.com/security';
    assert.equal(configFrom({ CONFAB_SECURITY_CONTACT: contact }).securityContact, contact);
  });
});
