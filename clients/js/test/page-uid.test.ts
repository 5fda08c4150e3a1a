import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { uidFault } from 'confab-contract/values/ids.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { noPages, pageAddresses } from 'confab-testing/corpus/page-addresses.ts';
import fc from 'fast-check';
import { pageUid as pageUidOfClient } from '../index.js';

// One rule names the comments of a page, for imports and for browsers.
describe('the uid of a page', () => {
  test('is the same for every address of the page', () => {
    assert.ok(pageAddresses.length >= 200, `${pageAddresses.length} addresses`);
    for (const [address, uid] of pageAddresses) assert.equal(pageUid(address), uid, address);
    for (const address of noPages) assert.equal(pageUid(address), undefined, address);
  });

  // Patterns that start again at each character of a run take minutes for this.
  test('takes linear time for a long run of slashes', { timeout: 60_000 }, () => {
    assert.equal(pageUid(`https://example.com/${'/'.repeat(600_000)}a`), 'example.com~a');
  });

  test('is the same in a browser, which is sent the source of the function', () => {
    const inBrowser = runInNewContext(`(${pageUid})`, { URL });
    for (const [address, uid] of pageAddresses) assert.equal(inBrowser(address), uid, address);
    for (const address of noPages) assert.equal(inBrowser(address), undefined, address);
  });

  test('is the same in confab-client', () => {
    for (const [address, uid] of pageAddresses) assert.equal(pageUidOfClient(address), uid, address);
    for (const address of noPages) assert.equal(pageUidOfClient(address), undefined, address);
  });

  test('is a valid uid that survives a path, escaped or not', () => {
    const base = 'https://confab.example';
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true, size: 'large' }), (address) => {
        const uid = pageUid(address) ?? '';
        assert.equal(uidFault(uid), undefined);
        assert.match(uid, /^[\w.~=:-]{1,256}$/);
        assert.equal(new URL(`/api/apps/${uid}`, base).pathname, `/api/apps/${uid}`);
        assert.equal(decodeURIComponent(encodeURIComponent(uid)), uid);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps pages apart that are longer than a uid', () => {
    const [one, other] = ['1', '2'].map((end) => pageUid(`https://example.com/${'a'.repeat(300)}${end}`));
    assert.equal(one?.length, 256);
    assert.equal(one?.slice(0, 200), other?.slice(0, 200));
    assert.notEqual(one, other);
  });
});
