import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Api } from '../src/api.ts';
import type { Comment } from '../src/thread/comment.ts';
import { find } from '../src/thread/find.ts';
import { countBelow, type Place } from '../src/thread/places.ts';
import { createReading } from '../src/thread/reading.ts';
import { refresh } from '../src/thread/refresh.ts';
import type { Order } from '../src/thread/roots.ts';
import { createThread, type Thread } from '../src/thread/thread.ts';

/** A server with the comments of one app, which answers as the real one does. */
function fakeServer(order: Order) {
  const comments = new Map<number, Comment>();
  let lastId = 0;

  const ofThread = (root: number) => [...comments.values()].filter((each) => each.root_id === root);
  const shown = (comment: Comment): Comment => {
    const { id, root_id: root } = comment;
    const below =
      root === undefined ? ofThread(id) : ofThread(root).filter((each) => each.reply_to_id === id);
    const count = below.filter((each) => !each.is_trashed).length;
    return { ...comment, ...(count === 0 ? {} : { reply_count: count }) };
  };
  const roots = () => {
    const all = [...comments.values()].filter((each) => each.root_id === undefined).map(shown);
    return order === 'newest' ? all.reverse() : all;
  };

  const api: Pick<Api, 'call'> = {
    async call<T>(path: string) {
      const url = new URL(path, 'http://server');
      const top = Number(url.searchParams.get('top'));
      const cursor = url.searchParams.get('after');
      const [, , isDescending, , after] = cursor === null ? [] : JSON.parse(atob(cursor));
      const one = /^\/api\/comments\/(\d+)$/.exec(url.pathname)?.[1];
      const answered = /^\/api\/comments\/(\d+)\/replies$/.exec(url.pathname)?.[1];
      if (url.pathname === '/api/counts') return ok({ counts: [comments.size] });
      if (one !== undefined) {
        const comment = comments.get(Number(one));
        return comment === undefined ? refused : ok(shown(comment));
      }
      const all = answered === undefined ? roots() : ofThread(Number(answered));
      const rest = all.filter(({ id }) => after === undefined || (isDescending ? id < after : id > after));
      const data = rest.slice(0, top).map((each) => {
        const replies = ofThread(each.id).slice(0, 3).map(shown);
        return answered === undefined ? { ...each, replies } : shown(each);
      });
      return ok({ data, count: all.length }, rest.length > top ? 'next' : undefined);

      function ok(body: unknown, next?: string) {
        return { ok: true as const, body: body as T, next, isWritable: true };
      }
    },
  };

  return {
    api,
    opens: async () => false,
    comments,
    roots: () => roots().map(({ id }) => id),
    write(answers?: number): number {
      lastId += 1;
      const answered = answers === undefined ? undefined : comments.get(answers);
      const root = answered === undefined ? undefined : (answered.root_id ?? answered.id);
      const place = root === undefined ? {} : { root_id: root, reply_to_id: answers };
      comments.set(lastId, commentOf(lastId, place));
      return lastId;
    },
    /** Holds a comment of the reader, which stays in their lists. */
    hold(id: number): number {
      comments.set(id, { ...(comments.get(id) as Comment), is_held: true });
      return id;
    },
    /** A comment as it is answered to its author. */
    take: (id: number) => shown(comments.get(id) as Comment),
    /** Removes a comment without answers. Returns whether it has none. */
    remove(id: number): boolean {
      const isAlone = ![...comments.values()].some((each) => each.reply_to_id === id);
      if (isAlone) comments.delete(id);
      return isAlone;
    },
  };
}

const refused = { ok: false, status: 401, code: 'unauthorized', message: '', retryAfter: undefined } as const;

function commentOf(id: number, fields: object): Comment {
  return {
    id,
    app_id: 1,
    html: `<p>${id}</p>`,
    attachment_count: 0,
    attachments: [],
    option_count: 0,
    options: [],
    reactions: [],
    tags: [],
    created_at: '2026-01-01T00:00:00Z',
    is_trashed: false,
    ...fields,
  } as Comment;
}

function shownRoots(thread: Thread): number[] {
  return thread.shown().flatMap((each) => ('comment' in each ? [each.comment.id] : []));
}

function gaps(thread: Thread): number[] {
  return thread.shown().flatMap((each) => ('gapAfter' in each ? [each.gapAfter] : []));
}

function idsBelow(place: Place): number[] {
  return [place.comment.id, ...place.answers.flatMap(idsBelow)];
}

function shownIds(thread: Thread): number[] {
  return thread.shown().flatMap((each) => ('comment' in each ? idsBelow(each) : []));
}

/** What somebody does with a thread that others write in. Numbers choose among what there is. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'write',
      'answer',
      'many',
      'manyAnswers',
      'own',
      'ownAnswer',
      'ownWhileReading',
      'ownRemovalWhileReading',
      'remove',
      'refresh',
      'more',
      'find',
      'reveal',
      'answers',
    ),
    at: fc.nat(1000),
  }),
  { maxLength: 40 },
);

// Whatever is written, removed, read and found in whichever order: nothing is shown twice or in a wrong order, nothing moves
// by itself, and at the end everything is there.
describe('a thread', () => {
  test('counts a reply that was just written, once', async () => {
    const server = fakeServer('newest');
    const root = server.write();
    const thread = createThread('newest');
    await createReading(server, 'app', thread).threads();
    assert.equal(thread.total(), 1);
    const reply = server.take(server.write(root));
    thread.put(reply);
    thread.put(reply);
    assert.equal(thread.total(), 2);
    thread.put(server.take(server.write()));
    assert.equal(thread.total(), 3);
  });

  test('shows and counts once what waits for approval, from the list and from the browser', async () => {
    for (const isListFirst of [true, false]) {
      const server = fakeServer('newest');
      const root = server.write();
      for (let written = 0; written < 4; written += 1) server.write(root);
      const [held, reply] = [server.hold(server.write()), server.hold(server.write(root))];
      const thread = createThread('newest');
      const reading = createReading(server, 'app', thread);
      const restOf = () => thread.shown().flatMap((each) => ('rest' in each ? [each.rest?.count] : []));
      const put = () => {
        for (const id of [held, reply]) thread.put(server.take(id));
      };
      if (!isListFirst) put();
      await reading.threads();
      if (isListFirst) put();
      assert.deepEqual(shownRoots(thread), [held, root]);
      assert.equal(thread.get(held)?.is_held, true);
      assert.equal(thread.total(), 7);
      // Three replies of the first page and the held one are shown, and the server counts five.
      assert.deepEqual(restOf(), [undefined, 2]);
      await readAll(thread, reading);
      assert.equal(shownIds(thread).length, 7);
      assert.deepEqual([thread.total(), ...restOf()], [7, undefined, undefined]);
    }
  });

  test('forgets what waited and is in no list any more, and keeps what a moderator looks at', async () => {
    const server = fakeServer('newest');
    const [root, held] = [server.write(), server.hold(server.write())];
    const thread = createThread('newest');
    const reading = createReading(server, 'app', thread);
    await reading.threads();
    const looked = server.hold(server.write());
    thread.put(server.take(looked));
    for (const id of [held, looked]) server.comments.delete(id);
    await refresh({ thread, reading }, new Set([root]));
    assert.deepEqual(shownRoots(thread), [looked, root]);
    assert.equal(thread.total(), 1);
  });

  for (const order of ['newest', 'oldest'] as const)
    test(`loses and doubles nothing, ${order} first`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(0, 1, 60), steps, async (begun, todo) => {
          const server = fakeServer(order);
          for (let written = 0; written < begun; written += 1) server.write();
          const thread = createThread(order);
          const reading = createReading(server, 'app', thread);
          await reading.threads();
          for (const { kind, at } of todo) {
            const before = shownIds(thread);
            const ids = [...server.comments.keys()];
            const id = ids[at % ids.length] ?? 1;
            const root = shownRoots(thread)[at % shownRoots(thread).length] ?? 1;
            const gap = gaps(thread)[at % (gaps(thread).length || 1)];
            if (kind === 'write') server.write();
            else if (kind === 'many') for (let written = 0; written < 30; written += 1) server.write();
            else if (kind === 'manyAnswers' && ids.length > 0)
              for (let written = 0; written < 60; written += 1) server.write(root);
            else if (kind === 'own') thread.put(server.take(server.write()));
            else if (kind === 'ownAnswer' && ids.length > 0) thread.put(server.take(server.write(root)));
            else if (kind === 'ownWhileReading' && ids.length > 0) {
              const reading_ = refresh({ thread, reading }, new Set(shownRoots(thread).slice(0, 4)));
              const own = server.write(at % 2 === 0 || !thread.isShown(root) ? undefined : root);
              thread.put(server.take(own));
              await reading_;
              assert.ok(thread.isShown(own), `${own} is shown no more`);
            } else if (kind === 'ownRemovalWhileReading' && thread.isShown(id)) {
              const reading_ = refresh({ thread, reading }, new Set(shownRoots(thread).slice(0, 4)));
              if (server.remove(id)) thread.remove(id);
              const isRemoved = !server.comments.has(id);
              await reading_;
              assert.equal(thread.isShown(id), !isRemoved);
              assert.equal(thread.get(id) === undefined, isRemoved);
            } else if (kind === 'answer' && ids.length > 0) server.write(id);
            else if (kind === 'remove') server.remove(id);
            else if (kind === 'refresh')
              await refresh({ thread, reading }, new Set(shownRoots(thread).slice(0, 4)));
            else if (kind === 'more' && gap !== undefined) await reading.threads(gap);
            else if (kind === 'find' && ids.length > 0) {
              await find({ api: server.api, thread, reading }, id);
              assert.ok(thread.isShown(id) && shownIds(thread).includes(id), `${id} is not shown`);
            } else if (kind === 'reveal') thread.reveal();
            else if (kind === 'answers' && ids.length > 0) await reading.answers(root);

            const now = shownIds(thread);
            if (kind === 'reveal') {
              const shown = shownRoots(thread).filter((each) => !before.includes(each));
              assert.ok(shown.length <= 25, `${shown.length} threads are shown at once`);
            }
            assert.equal(new Set(now).size, now.length, 'something is shown twice');
            const sorted = shownRoots(thread).toSorted((a, b) => (order === 'newest' ? b - a : a - b));
            assert.deepEqual(shownRoots(thread), sorted);
            if (kind === 'refresh') {
              const wasThere = new Set(before);
              assert.ok(
                now.every((each) => wasThere.has(each)),
                'a change shows something by itself',
              );
            }
          }
          await readAll(thread, reading);
          assert.deepEqual(shownRoots(thread), server.roots());
          assert.deepEqual(
            shownIds(thread).toSorted((a, b) => a - b),
            [...server.comments.keys()],
          );
          assert.equal(thread.total(), server.comments.size);
        }),
        { numRuns: 100 },
      );
    });

  test('draws answers as deep as three, and deeper ones below one another with whom they answer', async () => {
    const server = fakeServer('newest');
    let last = server.write();
    for (let written = 0; written < 6; written += 1) last = server.write(last);
    const thread = createThread('newest');
    const reading = createReading(server, 'app', thread);
    await reading.threads();
    await readAll(thread, reading);
    const [root] = thread.shown();
    assert.ok(root !== undefined && 'comment' in root);
    const third = root.answers[0]?.answers[0];
    assert.equal(third?.depth, 2);
    assert.deepEqual(
      third.answers.map(({ comment, depth, answered }) => [comment.id, depth, answered?.id]),
      [
        [4, 3, undefined],
        [5, 3, 4],
        [6, 3, 5],
        [7, 3, 6],
      ],
    );
  });

  test('counts what is below a comment where all of it is known, and else says nothing', async () => {
    const server = fakeServer('newest');
    let last = server.write();
    for (let written = 0; written < 8; written += 1) last = server.write(last);
    server.comments.set(3, { ...(server.comments.get(3) as Comment), is_trashed: true });
    const thread = createThread('newest');
    const reading = createReading(server, 'app', thread);
    await reading.threads();
    const counts = (place?: Place): (number | undefined)[] =>
      place === undefined ? [] : [countBelow(place), ...counts(place.answers[0])];
    const first = () => counts(thread.shown().find((each) => 'comment' in each));
    assert.deepEqual(first().slice(0, 3), [7, undefined, undefined]);
    await readAll(thread, reading);
    assert.deepEqual(first().slice(0, 3), [7, 6, 6]);
    thread.put(server.take(server.write(3)));
    assert.deepEqual(first().slice(0, 3), [8, 7, 7]);
  });

  test('keeps the object of every place in which nothing has changed', async () => {
    const server = fakeServer('newest');
    const first = server.write();
    const second = server.write();
    server.write(first);
    const thread = createThread('newest');
    const reading = createReading(server, 'app', thread);
    await reading.threads();
    const [newer, older] = thread.shown();
    server.comments.set(second, commentOf(second, { html: '<p>changed</p>' }));
    await refresh({ thread, reading }, new Set());
    const [newerNow, olderNow] = thread.shown();
    assert.equal(olderNow, older);
    assert.notEqual(newerNow, newer);
  });

  test('takes away an answer that is gone, on whichever page of its thread it was', async () => {
    for (const gone of [50, 51, 52, 61, 260, 301]) {
      const server = fakeServer('newest');
      const root = server.write();
      const thread = createThread('newest');
      const reading = createReading(server, 'app', thread);
      await reading.threads();
      for (let written = 0; written < 300; written += 1) server.write(root);
      // The pages do not begin where the list of answers does.
      await find({ api: server.api, thread, reading }, 3);
      await readAll(thread, reading);
      server.remove(gone);
      await refresh({ thread, reading }, new Set([root]));
      assert.deepEqual(shownIds(thread), [...server.comments.keys()], `without ${gone}`);
    }
  });

  test('says which answers are new', async () => {
    const server = fakeServer('newest');
    const root = server.write();
    for (let written = 0; written < 5; written += 1) server.write(root);
    const thread = createThread('newest');
    const reading = createReading(server, 'app', thread);
    await reading.threads();
    const rest = () => thread.shown().flatMap((each) => ('comment' in each ? [each.rest] : []))[0];
    assert.deepEqual(rest(), { count: 2, isNew: false });
    await reading.answers(root);
    assert.equal(rest(), undefined);
    server.write(root);
    await refresh({ thread, reading }, new Set([root]));
    assert.deepEqual(rest(), { count: 1, isNew: true });
    await reading.answers(root);
    assert.equal(rest(), undefined);
    assert.equal(shownIds(thread).length, 7);
  });
});

/** Reads until nothing is missing, as somebody does who presses every button. */
async function readAll(thread: Thread, reading: ReturnType<typeof createReading>): Promise<void> {
  for (let again = 0; again < 30; again += 1) {
    await refresh({ thread, reading }, new Set(shownRoots(thread)));
    thread.reveal();
    const [gap] = gaps(thread);
    if (gap !== undefined) await reading.threads(gap);
    // What is far from the screen is read when it comes near.
    for (const id of shownRoots(thread)) await refresh({ thread, reading }, new Set([id]));
    for (const each of thread.shown())
      if ('comment' in each && each.rest !== undefined) await reading.answers(each.comment.id);
    const isWhole = gaps(thread).length === 0 && thread.waitingCount() === 0;
    if (isWhole && thread.shown().every((each) => 'comment' in each && each.rest === undefined)) return;
  }
}
