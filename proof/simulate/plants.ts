import { registerHooks } from 'node:module';

/** A mistake in the sources, which a run must find: a text of a file, and what stands in its place. */
export type Plant = {
  readonly file: string;
  readonly from: string;
  readonly to: string;
};

/** The mistakes by their names. Each is one that a change could make. */
export const plants: { readonly [name: string]: Plant } = {
  // Another node takes a lane that is leased.
  'lease-ignored': {
    file: 'server/src/features/webhooks/sending/lanes.store.ts',
    from: `        .where('due_at', '<=', value('now'))
        .where((where) =>
          where.or([where('leased_until', 'is', null), where('leased_until', '<=', value('now'))]),
        )`,
    to: `        .where('due_at', '<=', value('now'))`,
  },
  // The lane of a node that died is taken by nobody.
  'lease-forever': {
    file: 'server/src/features/webhooks/sending/lanes.store.ts',
    from: `        .where((where) =>
          where.or([where('leased_until', 'is', null), where('leased_until', '<=', value('now'))]),
        )`,
    to: `        .where('leased_until', 'is', null)`,
  },
  // A sender that lost its lane records what it did nevertheless.
  'lost-lane-recorded': {
    file: 'server/src/features/webhooks/sending/lanes.ts',
    from: 'lanes.get(claim.webhookId)?.lease === claim.lease',
    to: 'lanes.has(claim.webhookId)',
  },
  // A pause between two attempts is too short.
  'early-retry': {
    file: 'server/src/features/webhooks/sending/retry.ts',
    from: 'return delayMs + Math.floor',
    to: 'return delayMs * 0.9 + Math.floor',
  },
  // The last attempt is left out, so deliveries are given up a day early.
  'gives-up-early': {
    file: 'server/src/features/webhooks/sending/retry.ts',
    from: '  20 * hours,\n  24 * hours,\n];',
    to: '  20 * hours,\n];',
  },
  'retry-after-ignored': {
    file: 'server/src/features/webhooks/sending/retry.ts',
    from: 'now + Math.max(delayMs, requestedMs)',
    to: 'now + delayMs',
  },
  // A receiver that is gone for good is tried again.
  'gone-is-retried': {
    file: 'server/src/features/webhooks/sending/retry.ts',
    from: 'result.statusCode === 410 :',
    to: 'result.statusCode === 411 :',
  },
  // An ordered webhook gets its newest delivery first.
  'order-reversed': {
    file: 'server/src/features/webhooks/sending/lanes.sql.ts',
    from: 'as waiting order by id limit',
    to: 'as waiting order by id desc limit',
  },
  // One event in fifty has no deliveries.
  'delivery-forgotten': {
    file: 'server/src/features/webhooks/deliveries/publication.ts',
    from: '{ events: JSON.stringify(events) }',
    to: '{ events: JSON.stringify(events.filter(({ eventId }) => eventId % 50 !== 0)) }',
  },
  // The sender waits for news of commits and does not poll.
  'no-poll': {
    file: 'server/src/workers/webhook-sender.ts',
    from: 'return Math.max(claimAt - performance.now(), 0);',
    to: 'return undefined;',
  },
  // The pauses of the sender are measured by a clock that can be set back.
  'pauses-by-the-clock': {
    file: 'server/src/workers/webhook-sender.ts',
    from: 'performance.now()',
    to: 'clock.now()',
  },
  // After a transaction that took ten minutes, the sender records nothing for twenty.
  'pause-without-limit': {
    file: 'server/src/workers/webhook-recorder.ts',
    from: 'const recordPauseMsMax = 1000;',
    to: 'const recordPauseMsMax = Number.POSITIVE_INFINITY;',
  },
  'trash-emptied-early': {
    file: 'server/src/features/files/trash-retention.ts',
    from: 'days * dayMs',
    to: '(days - 1) * dayMs',
  },
  // Answers for retries are never removed.
  'answers-kept': {
    file: 'server/src/db/kept-answers.ts',
    from: 'clock.now() - keptMs',
    to: 'clock.now() - 100 * keptMs',
  },
  'token-without-end': {
    file: 'server/src/features/credentials/authentication.ts',
    from: "if (row.expiresAt <= clock.now()) throw refused('The access token has expired.');",
    to: '',
  },
  'key-without-end': {
    file: 'server/src/features/credentials/authentication.ts',
    from: 'row.expiresAt !== null && row.expiresAt <= clock.now()',
    to: 'row.expiresAt !== null && row.expiresAt <= 0',
  },
  // The code of a window is good for an hour instead of a minute.
  'long-code': {
    file: 'server/src/features/visitors/visitor-sessions.ts',
    from: 'const codeMs = 60_000',
    to: 'const codeMs = 3_600_000',
  },
  'late-lock': {
    file: 'server/src/access/locks.ts',
    from: 'from <= at)',
    to: 'from <= at - 60_000)',
  },
  // A node keeps the bans that it read first until it hears of a change.
  'ban-without-end': {
    file: 'server/src/features/bans/ban-book.ts',
    from: 'if (until > now)',
    to: 'if (until > 0)',
  },
  'early-digest': {
    file: 'server/src/features/mail/mail-schedule.ts',
    from: 'each.createdAt + digestMs',
    to: 'each.createdAt + digestMs / 2',
  },
  // Two messages cover the same notifications.
  'mailed-twice': {
    file: 'server/src/features/mail/mail.store.ts',
    from: "        upto: value('upto'),\n        sent_at",
    to: '        sent_at',
  },
};

/** Puts a mistake into the sources that this process imports from then on. Throws when there is none of the name. */
export function plantIn(name: string): void {
  const plant = plants[name];
  if (plant === undefined) throw new RangeError(`there is no ${name} to plant`);
  const { file, from, to } = plant;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(from)) throw new Error(`${file} has no such text for ${name}`);
      return { ...loaded, source: source.replaceAll(from, to) };
    },
  });
}
