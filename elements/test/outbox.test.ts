import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOutbox } from '../src/write/outbox.ts';
import { createStore } from '../src/write/store.ts';

type Refusal = { status: number; code?: string; retryAfter?: number };
type Sent = {
  readonly path: string;
  readonly key: string;
  readonly text: string;
  readonly as: number | undefined;
};

/** A storage in memory, as tabs of one origin share it. */
function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
  };
}

/** A server that writes each key once, and refuses what it is told to refuse. */
function fakeServer() {
  const written = new Map<string, string>();
  const requests: Sent[] = [];
  /** What happens to the next requests, the first to the first. */
  const faults: (Refusal | 'answer is lost' | undefined)[] = [];
  const call = async (
    path: string,
    { headers, body, as }: { headers: Record<string, string>; body: { text: string }; as?: number },
  ) => {
    const key = headers['idempotency-key'] ?? '';
    requests.push({ path, key, text: body.text, as });
    const fault = faults.shift();
    const failed = { ok: false, status: 0, code: '', message: '', retryAfter: undefined };
    if (fault !== undefined && fault !== 'answer is lost') return { ...failed, message: 'no', ...fault };
    written.set(key, body.text);
    if (fault !== undefined) return failed;
    return { ok: true, body: { id: written.size, text: body.text }, next: undefined, isWritable: true };
  };
  return { written, requests, faults, api: { call } as never };
}

function begin({
  storage = memory(),
  user = 7 as number | null,
  now = (): number => 1000,
  isMissing = false,
} = {}) {
  const server = fakeServer();
  const session = { user: user === null ? undefined : { id: user, display_name: 'Ada' } };
  const timers: { readonly task: () => void; readonly ms: number }[] = [];
  const sent: string[] = [];
  const made: number[] = [];
  let asked = 0;
  const outbox = createOutbox({
    api: server.api,
    session: session as never,
    store: createStore(() => storage),
    prefix: 'confab-write unsent ',
    path: '/api/apps/page/comments',
    changed: () => undefined,
    sent: ({ text = '' }) => void sent.push(text),
    askToSignIn: () => {
      asked += 1;
    },
    isMissing: () => isMissing,
    makeApp: async (as) => {
      made.push(as);
      return undefined;
    },
    later: (task, ms) => void timers.push({ task, ms }),
    now,
  });
  return { ...server, outbox, session, sent, made, timers, storage, asked: () => asked };
}

/** Lets everything run that needs no timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const write = (text: string) => ({ text, replyTo: undefined, blobs: [] });

// A comment is written exactly once, whatever happens between pressing "send" and the answer of the server.
describe('the outbox', () => {
  it('sends with the same key until there is an answer', async () => {
    const { outbox, faults, requests, written, sent, timers, storage } = begin();
    faults.push('answer is lost', { status: 503, retryAfter: 5 }, { status: 429, retryAfter: 30 });
    outbox.add(write('once'));
    for (const ms of [2000, 5000, 30_000]) {
      await settled();
      assert.equal(outbox.items()[0]?.state, 'waiting');
      assert.equal(storage.length, 2);
      const timer = timers.shift();
      assert.equal(timer?.ms, ms);
      timer?.task();
    }
    await settled();
    assert.deepEqual([...written.values()], ['once']);
    assert.equal(new Set(requests.map(({ key }) => key)).size, 1);
    assert.equal(requests.length, 4);
    assert.deepEqual(sent, ['once']);
    assert.deepEqual(outbox.items(), []);
    assert.equal(storage.length, 0);
  });

  it('keeps what is refused, with the reason, until its author decides', async () => {
    const { outbox, faults, timers, storage, written } = begin();
    faults.push({ status: 403, code: 'locked' });
    const key = outbox.add(write('later'));
    await settled();
    assert.deepEqual(
      outbox.items().map(({ state, message }) => [state, message]),
      [['refused', 'no']],
    );
    assert.equal(timers.length, 0);
    assert.equal(storage.length, 2);
    await outbox.send(key);
    assert.deepEqual([...written.values()], ['later']);
    assert.equal(storage.length, 0);
  });

  it('waits for its author to sign in, and does not send as somebody else', async () => {
    const { outbox, session, written, asked, faults } = begin({ user: null });
    outbox.add(write('mine'));
    assert.equal(outbox.items()[0]?.state, 'signIn');
    session.user = { id: 7, display_name: 'Ada' };
    faults.push({ status: 401 });
    await outbox.sendAll();
    assert.equal(asked(), 2);
    session.user = { id: 8, display_name: 'Bob' };
    await outbox.sendAll();
    assert.equal(written.size, 0);
    assert.deepEqual(outbox.items(), [], 'nobody else is shown it');
    session.user = { id: 7, display_name: 'Ada' };
    assert.equal(outbox.items()[0]?.state, 'kept');
    await outbox.send(outbox.items()[0]?.key as string);
    assert.deepEqual([...written.values()], ['mine']);
  });

  it('sends what waits for a connection as nobody but its author, whatever wakes it', async () => {
    for (const wakes of ['the timer', 'a connection', 'a reload'] as const) {
      const { outbox, session, written, faults, timers, storage } = begin();
      faults.push('answer is lost');
      outbox.add(write('of Ada'));
      await settled();
      assert.equal(outbox.items()[0]?.state, 'waiting');
      session.user = { id: 8, display_name: 'Bob' };
      const other = begin({ storage, user: 8 });
      if (wakes === 'the timer') timers.shift()?.task();
      else if (wakes === 'a connection') await outbox.sendAll();
      else {
        other.outbox.load();
        await other.outbox.sendAll();
      }
      await settled();
      assert.deepEqual([written.size, other.written.size], [1, 0], `${wakes}: only the first try`);
      assert.deepEqual([...outbox.items(), ...other.outbox.items()], []);
      session.user = { id: 7, display_name: 'Ada' };
      assert.equal(outbox.items()[0]?.state, wakes === 'a reload' ? 'waiting' : 'kept');
    }
  });

  it('is sent as nobody else where the other person signs in while it is on its way', async () => {
    const { outbox, session, faults, requests, asked } = begin();
    faults.push({ status: 401 });
    outbox.add(write('of Ada'));
    session.user = { id: 8, display_name: 'Bob' };
    await settled();
    assert.deepEqual(
      requests.map(({ as }) => as),
      [7],
    );
    assert.equal(asked(), 0);
    session.user = { id: 7, display_name: 'Ada' };
    assert.equal(outbox.items()[0]?.state, 'kept');
  });

  it('forgets after 30 days what its author has not come back for', () => {
    const storage = memory();
    const before = begin({ storage, user: null, now: () => 0 });
    before.outbox.add(write('old'));
    const { outbox } = begin({ storage, now: () => 31 * 86_400_000 });
    outbox.load();
    assert.deepEqual([outbox.items(), storage.length], [[], 0]);
  });

  it('makes the app of a page that has none', async () => {
    const { outbox, faults, written } = begin();
    faults.push({ status: 404 });
    outbox.add(write('first'));
    await settled();
    await settled();
    assert.deepEqual([...written.values()], ['first']);
  });

  it('makes the app first where it knows that there is none, as the author', async () => {
    const { outbox, made, requests, written } = begin({ isMissing: true });
    outbox.add(write('first'));
    await settled();
    assert.deepEqual([made, requests.length, [...written.values()]], [[7], 1, ['first']]);
  });

  it('takes over what an earlier visit has left, and sends by itself only what is fresh', async () => {
    const storage = memory();
    const before = begin({ storage, user: null, now: () => 0 });
    before.outbox.add(write('old'));
    const { outbox, written } = begin({ storage, now: () => 3_600_000 });
    outbox.load();
    await outbox.sendAll();
    assert.equal(outbox.items()[0]?.state, 'kept');
    assert.equal(written.size, 0);
    const fresh = begin({ storage, now: () => 60_000 });
    fresh.outbox.load();
    await fresh.outbox.sendAll();
    assert.deepEqual([...fresh.written.values()], ['old']);
  });

  it('notices what another tab has sent', async () => {
    const storage = memory();
    const [one, other] = [begin({ storage, user: null }), begin({ storage })];
    const key = one.outbox.add(write('shared'));
    other.outbox.load();
    await other.outbox.send(key);
    one.outbox.load();
    assert.deepEqual(one.outbox.items(), []);
  });

  it('shows its own comment, whose key another tab has used to send it meanwhile', async () => {
    const storage = memory();
    const { outbox, faults, sent, timers } = begin({ storage });
    faults.push({ status: 409, code: 'idempotency_key_in_use' });
    const key = outbox.add(write('shared'));
    await settled();
    storage.removeItem(`confab-write unsent ${key}`);
    outbox.load();
    timers.shift()?.task();
    await settled();
    assert.deepEqual(sent, ['shared']);
    assert.deepEqual(outbox.items(), []);
  });

  it('keeps in memory what a blocked or full storage does not take', async () => {
    const blocked = {
      ...memory(),
      setItem: () => {
        throw new Error('full');
      },
    };
    const { outbox, faults, timers, sent } = begin({ storage: blocked as never });
    faults.push({ status: 0 });
    outbox.add(write('here'));
    await settled();
    outbox.load();
    assert.equal(outbox.items().length, 1);
    timers.shift()?.task();
    await settled();
    assert.deepEqual(sent, ['here']);
  });
});
