import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { addressRefusal, createRefusalLog, urlRefusal } from '../../../src/net/refusals.ts';

/** The log names the setting that decides, and users who choose addresses cannot fill it. */
describe('the log of refusals', () => {
  function start() {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return { lines, refuse: createRefusalLog(log) };
  }

  it('names host, addresses and setting', () => {
    const { lines, refuse } = start();
    refuse(addressRefusal('ci.example', ['10.0.0.1']));
    const { host, addresses, setting, msg } = lines[0] ?? {};
    assert.deepEqual([host, addresses, setting], ['ci.example', ['10.0.0.1'], 'CONFAB_EGRESS_ALLOW']);
    assert.match(String(msg), /CONFAB_EGRESS_ALLOW/);
  });

  it('logs each host once, and at most twenty hosts', () => {
    const { lines, refuse } = start();
    for (const host of Array.from({ length: 30 }, (_, index) => `a-${index}.example`))
      for (let again = 0; again < 3; again += 1) refuse(addressRefusal(host, ['10.0.0.1']));
    assert.deepEqual(
      lines.map(({ host }) => host),
      Array.from({ length: 20 }, (_, index) => `a-${index}.example`),
    );
  });

  it('names the setting for gateways only where gateways are the only obstacle', () => {
    const settingOf = (...addresses: string[]) => addressRefusal('a.example', addresses).setting;
    assert.equal(settingOf('64:ff9b::8.8.8.8', '64:ff9b::808:404'), 'CONFAB_EGRESS_NAT64');
    assert.equal(settingOf('64:ff9b::8.8.8.8', '10.0.0.1'), 'CONFAB_EGRESS_ALLOW');
  });

  it('ignores refusals that no setting can permit', () => {
    assert.equal(urlRefusal('http://a.example/#b', 'url_has_fragment'), undefined);
    assert.deepEqual(urlRefusal('http://10.0.0.1:81/', 'address_not_allowed'), {
      host: '10.0.0.1:81',
      addresses: [],
      setting: 'CONFAB_EGRESS_ALLOW',
    });
    assert.equal(urlRefusal('http://a.example/', 'https_required')?.setting, 'CONFAB_WEBHOOK_HTTPS_ONLY');
  });
});
