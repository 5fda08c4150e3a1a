import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type EgressSettings, parseEgressRules } from '../../../src/net/rules.ts';
import {
  checkTarget,
  createTargetCheck,
  SERVICE_PORTS,
  type TargetRefusalCode,
} from '../../../src/net/target.ts';

const none = parseEgressRules();

function verdict(url: string, allowed = ''): TargetRefusalCode | 'ok' {
  const check = checkTarget(url, parseEgressRules({ allow: allowed }));
  return check.ok ? 'ok' : check.code;
}

function expectEach(code: TargetRefusalCode | 'ok', urls: readonly string[]): void {
  for (const url of urls) {
    it(`returns ${code} for ${JSON.stringify(url.slice(0, 80))}`, () => assert.equal(verdict(url), code));
  }
}

/** Every spelling of an internal address is refused, because the check sees the result of the URL parser. */
describe('checkTarget: addresses', () => {
  const LOOPBACK = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.255',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7F.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '00000177.1',
    '127.0.0.1.',
    '127.0x1',
    '0x7f.0x0.0x0.0x1',
    '①②⑦.⓪.⓪.①',
    '１２７.0.0.1',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '１２７。０。０。１',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    '[::]',
    '0.1.2.3',
    '[::ffff:0.0.0.0]',
  ];
  const INTERNAL = [
    '10.0.0.0',
    '10.255.255.255',
    '012.0.0.1',
    '167772161',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.170.2',
    '169.254.170.23',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.1',
    '192.168.255.255',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '4294967295',
    '168.63.129.16',
    '0xa83f8110',
  ];
  const INTERNAL_V6 = [
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:168.63.129.16]',
    '[::2]',
    '[::10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::1]',
    '[64:ff9b:1:fffe::10.0.0.1]',
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001::1]',
    '[2001:0:7f00:1::]',
    '[2001:1::1]',
    '[2001:2::1]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:30::1]',
    '[2001:1ff:ffff::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::1]',
    '[2002:a9fe:a9fe::]',
    '[2002::]',
    '[2620:4f:8000::1]',
    '[3fff::1]',
    '[3fff:fff::1]',
    '[4000::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fdff::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[feff::1]',
    '[ff00::1]',
    '[ff02::1]',
    '[ff0e::1]',
    '[::ffff:0:10.0.0.1]',
    '[2606:4700::5efe:127.0.0.1]',
    '[2606:4700::200:5efe:a00:1]',
    '[1fff::1]',
  ];
  const hosts = [...LOOPBACK, ...INTERNAL, ...INTERNAL_V6];
  expectEach(
    'address_not_allowed',
    hosts.map((host) => `http://${host}/hook`),
  );
  expectEach(
    'address_not_allowed',
    ['127.1', '[::ffff:7f00:1]', '169.254.169.254'].map((host) => `https://${host}:8443/hook`),
  );
  expectEach('ok', [
    'http://1.1.1.1/',
    'https://8.8.8.8/hook',
    'http://134744072/',
    'http://0x08080808/',
    'http://010.8.8.8/',
    'http://9.255.255.255/',
    'http://11.0.0.0/',
    'http://172.32.0.1/',
    'http://[2606:4700:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[2a00:1450:4001::200e]:8080/x',
  ]);

  it('refuses the addresses of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const urls = own.map(({ address, family }) =>
      family === 'IPv6' ? `http://[${address}]/` : `http://${address}/`,
    );
    assert.notEqual(urls.length, 0);
    assert.deepEqual(
      urls.map((url) => verdict(url)),
      urls.map(() => 'address_not_allowed'),
    );
  });
});

/** A name with a fixed internal meaning is refused; for any other name, its addresses decide. */
describe('checkTarget: names', () => {
  expectEach('address_not_allowed', [
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://lo%63alhost/',
    'http://ⓛocalhost/',
    'http://ｌocalhost/',
    'http://a.localhost/',
    'http://a.b.localhost.:8080/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata.goog/',
    'http://metadata/',
    'http://db/',
    'http://intranet./',
    'http://com/',
    'http://kubernetes:8080/',
    'http://my_host/',
  ]);
  expectEach('ok', [
    'http://example.com',
    'https://example.com/',
    'https://EXAMPLE.com./hook',
    'https://example.com:443/a?b=c',
    'http://a.b.c.example/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://a_b.example/',
    'https://127.0.0.1.nip.io/',
    'https://localhost.example/',
    'https://notlocalhost.example/',
    'https://example.com/a%20b%0d%0a',
    'https://example.com/ü',
    'https://example.com/@x',
    'https://example.com?a=b@c',
    'HTTPS://example.com/',
    'https://metadata.google.internal.example/',
  ]);
  expectEach('invalid_url', [
    'http://example.com../',
    'http://.example.com/',
    'http://a..b/',
    `http://${'a'.repeat(64)}.example/`,
    `http://${'a.'.repeat(130)}example/`,
    'http://a*b.example/',
    "http://a'b.example/",
    'http://example.0x1/',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://1.1.1.256/',
    'http://0x100000000/',
  ]);
});

/** Anything but a plain absolute http or https URL is refused with the reason, and never corrected. */
describe('checkTarget: syntax', () => {
  expectEach('invalid_url', [
    '',
    'x',
    '//example.com',
    '/p',
    '?q',
    '#f',
    'example.com/hook',
    '1http://example.com',
    'http://',
    'http:///',
    'http:///example.com',
    'https:////example.com',
    'http:127.0.0.1',
    'http:example.com',
    'http:/example.com',
    'https:example.com/a',
    'http://?x',
    'http://:80/',
    'http://example.com:65536/',
    'http://example.com:-1/',
    'http://example.com:8o/',
    'http://example.com:80:80/',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[]/',
    'http://[1.2.3.4]/',
    'http://[::g]/',
    'http://exa%20mple.com/',
    'http://exa%00mple.com/',
    'http://a<b.example/',
    'http://%zz.example/',
    'http://example.com/\ud800',
    '\u00a0http://example.com/',
    '\ufeffhttp://example.com/',
  ]);
  expectEach('url_has_control_characters', [
    'http://exa\tmple.com/',
    'http://exa\nmple.com/',
    'http://exa\rmple.com/',
    'ht\ttp://example.com/',
    'http:\n//example.com/',
    'http://example.com/\t',
    'http://example.com/\n',
    ' http://example.com/',
    'http://example.com/ ',
    '\thttp://example.com/',
    '\0http://example.com/',
    'http://example.com/\0',
    'http://example.com/a b',
    'http://exa mple.com/',
    'http:\\\\example.com',
    'http:/\\example.com',
    'http://example.com\\@127.0.0.1/',
    'http://example.com/a\\b',
    'http://example.com/\u007f',
    'http://example.com/\u0085',
    ' ',
    'http://127.0.0.1\t/',
  ]);
  expectEach('unsupported_scheme', [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://example.com/',
    'wss://example.com/',
    'blob:https://example.com/x',
    'unix:/run/x.sock',
    'http+unix://%2Frun%2Fx.sock/',
    'mailto:a@example.com',
    'localhost:8080',
    'httpss://example.com/',
    'about:blank',
    'view-source:http://example.com/',
  ]);
  expectEach('url_has_credentials', [
    'http://u:p@example.com/',
    'http://u@example.com/',
    'http://:p@example.com/',
    'http://@example.com/',
    'http://:@example.com/',
    'http://127.0.0.1@example.com/',
    'http://example.com@127.0.0.1/',
    'http://example.com:80@127.0.0.1/',
    'http://u%40x@example.com/',
    'http://a@b@example.com/',
  ]);
  expectEach('url_has_fragment', [
    'http://example.com/#',
    'http://example.com/#a',
    'http://example.com#@127.0.0.1/',
    'https://example.com?x#y',
  ]);

  it('accepts 2048 characters and refuses one more', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    assert.equal(url.length, 2048);
    assert.equal(verdict(url), 'ok');
    assert.equal(verdict(`${url}a`), 'url_too_long');
  });

  it('returns a verdict for any text and permits only http or https with a host', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.string().map((tail) => `http://${tail}`),
    );
    fc.assert(
      fc.property(text, (url) => {
        const check = checkTarget(url, none);
        if (check.ok) {
          assert.match(check.url.href, /^https?:\/\/[^/@]+\//);
          assert.equal(check.url.username + check.url.password + check.url.hash, '');
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the parsed form to send to', () => {
    const check = checkTarget('HTTPS://Bücher.example:443/a?b', none);
    assert.equal(check.ok && check.url.href, 'https://xn--bcher-kva.example/a?b');
  });
});

/** Only ports 80 and 443 and unassigned ports above 1023 are reachable, unless the operator listed the host. */
describe('checkTarget: ports', () => {
  expectEach(
    'port_not_allowed',
    [
      '0',
      '1',
      '21',
      '22',
      '23',
      '25',
      '53',
      '79',
      '81',
      '110',
      '143',
      '442',
      '444',
      '465',
      '587',
      '636',
      '993',
      '1023',
    ].map((port) => `http://example.com:${port}/`),
  );
  expectEach('port_not_allowed', [
    'http://8.8.8.8:22/',
    'https://[2606:4700::1]:25/',
    'https://example.com:0/',
  ]);
  expectEach(
    'ok',
    ['80', '443', '1024', '3000', '5000', '8080', '8443', '9000', '65535'].map(
      (port) => `http://example.com:${port}/`,
    ),
  );
  for (const [port, service] of SERVICE_PORTS) {
    it(`refuses port ${port} of ${service}`, () =>
      assert.equal(verdict(`http://example.com:${port}/`), 'port_not_allowed'));
  }
  for (const port of [2049, 3306, 5432, 6379, 11211, 27017]) {
    it(`has ${port} among the service ports`, () => assert.equal(SERVICE_PORTS.has(port), true));
  }
});

/** The operator's list opens exactly its addresses and names, on every port but 0. */
describe('checkTarget: allow-list', () => {
  const CASES: readonly (readonly [allowed: string, url: string, code: TargetRefusalCode | 'ok'])[] = [
    ['127.0.0.0/8', 'http://127.1:6379/', 'ok'],
    ['127.0.0.0/8', 'http://127.0.0.1:0/', 'port_not_allowed'],
    ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]:22/', 'ok'],
    ['127.0.0.0/8', 'http://localhost:25/', 'ok'],
    ['127.0.0.0/8', 'http://localhost.:8080/', 'ok'],
    ['127.0.0.0/8', 'http://a.localhost/', 'ok'],
    ['127.0.0.0/8', 'http://[::1]/', 'address_not_allowed'],
    ['127.0.0.0/8', 'http://10.0.0.1/', 'address_not_allowed'],
    ['::1', 'http://[::1]:1/', 'ok'],
    ['::1', 'http://localhost/', 'ok'],
    ['::1', 'http://127.0.0.1/', 'address_not_allowed'],
    ['127.0.0.2', 'http://localhost/', 'address_not_allowed'],
    ['127.0.0.2', 'http://127.0.0.2:22/', 'ok'],
    ['127.0.0.2', 'http://127.0.0.1/', 'address_not_allowed'],
    ['localhost', 'http://LOCALHOST.:22/', 'ok'],
    ['localhost', 'http://a.localhost/', 'address_not_allowed'],
    ['localhost', 'http://127.0.0.1/', 'address_not_allowed'],
    ['localhost', 'http://localhost:0/', 'port_not_allowed'],
    ['db', 'http://db:5432/', 'ok'],
    ['db', 'http://db.example:5432/', 'port_not_allowed'],
    ['metadata.google.internal', 'http://metadata.google.internal/', 'ok'],
    ['hooks.example', 'http://hooks.example:22/', 'ok'],
    ['hooks.example', 'http://other.example:22/', 'port_not_allowed'],
    ['10.0.0.0/8', 'http://10.9.8.7:3306/', 'ok'],
    ['10.0.0.0/8', 'http://u:p@10.9.8.7/', 'url_has_credentials'],
    ['10.0.0.0/8', 'ftp://10.9.8.7/', 'unsupported_scheme'],
    ['8.8.8.8', 'http://8.8.8.8:22/', 'ok'],
    ['fd00::/8', 'http://[fd00::1]:9999/', 'ok'],
    ['0.0.0.0/0', 'http://[::1]/', 'address_not_allowed'],
  ];
  for (const [allowed, url, code] of CASES) {
    it(`returns ${code} for ${url} with ${allowed}`, () => assert.equal(verdict(url, allowed), code));
  }
});

/** The operator can restrict requests to some ports, or to https. */
describe('checkTarget: the settings of the operator', () => {
  const judge = (url: string, settings: EgressSettings): TargetRefusalCode | 'ok' => {
    const check = checkTarget(url, parseEgressRules(settings));
    return check.ok ? 'ok' : check.code;
  };

  it('permits only the configured ports', () => {
    const ports = '443,22';
    const urls = [
      'https://a.example/',
      'http://a.example:22/',
      'http://a.example/',
      'https://a.example:8443/',
    ];
    assert.deepEqual(
      urls.map((url) => judge(url, { ports })),
      ['ok', 'ok', 'port_not_allowed', 'port_not_allowed'],
    );
    assert.equal(judge('http://10.0.0.1:9/', { ports, allow: '10.0.0.1' }), 'ok');
    assert.equal(judge('http://10.0.0.1:443/', { ports }), 'address_not_allowed');
  });

  it('permits only https, even for listed names', () => {
    const settings = { isHttpsOnly: true, allow: '10.0.0.1' };
    const urls = ['https://a.example/', 'http://a.example/', 'HTTP://10.0.0.1/', 'https://10.0.0.1/'];
    assert.deepEqual(
      urls.map((url) => judge(url, settings)),
      ['ok', 'https_required', 'https_required', 'ok'],
    );
  });

  it('checks the address behind a declared NAT64 gateway', () => {
    const settings = { nat64: '64:ff9b::/96' };
    assert.equal(judge('http://[64:ff9b::8.8.8.8]/', settings), 'ok');
    assert.equal(judge('http://[64:ff9b::169.254.169.254]/', settings), 'address_not_allowed');
  });
});

/** A public error message contains no address and no port, but names the setting for the operator. */
describe('checkTarget: messages', () => {
  const REFUSED = ['http://127.0.0.1:22/secret', 'http://db/secret', 'http://example.com:6379/secret'];
  for (const url of REFUSED) {
    it(`names the setting and repeats nothing of ${url}`, () => {
      const check = checkTarget(url, none);
      const message = check.ok ? '' : check.message;
      assert.match(message, /CONFAB_EGRESS_ALLOW/);
      assert.doesNotMatch(message, /127|db\b|22|6379|secret|loopback/);
    });
  }
});

/** A verdict is remembered only where nothing but the rules decides. */
describe('createTargetCheck', () => {
  const check = createTargetCheck(parseEgressRules({ allow: '127.0.0.0/8' }));
  const urlOf = (text: string): URL | undefined => {
    const verdict = check(text);
    return verdict.ok ? verdict.url : undefined;
  };

  for (const text of ['https://example.com/hook', 'http://127.0.0.9:9000/'])
    it(`reads ${text} once`, () => {
      assert.notEqual(urlOf(text), undefined);
      assert.equal(urlOf(text), urlOf(text));
    });

  it('checks an address that is not listed each time, because an interface may get it', () => {
    assert.notEqual(urlOf('https://93.184.215.14/'), undefined);
    assert.notEqual(urlOf('https://93.184.215.14/'), urlOf('https://93.184.215.14/'));
  });

  it('remembers no permission for another URL, and refuses each time', () => {
    assert.notEqual(urlOf('https://example.com/'), undefined);
    for (const text of ['https://example.com/#', 'http://10.0.0.1/', 'http://10.0.0.1/'])
      assert.equal(urlOf(text), undefined);
  });
});
