import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { command, insertRow, query } from '../../db/statement.ts';

/** Adds a request to sign in. */
export const insertSignInRequest = insertRow('sign_in_requests', [
  'hash',
  'way',
  'origin',
  'return_to',
  'challenge',
  'email',
  'sealed',
  'code_hash',
  'link_hash',
  'created_at',
  'expires_at',
  'user_id',
  'due_at',
  'mailbox_hash',
  'asker_hash',
]);

/** A request by mail that can still be confirmed, by its ticket or its link, and who is known by its mailbox. */
export const mailedRequest = query<{ hash: Uint8Array; now: number }>()((q, value) =>
  q
    .selectFrom('sign_in_requests')
    .leftJoin('sign_in_identities', (join) =>
      join
        .onRef('sign_in_identities.way', '=', 'sign_in_requests.way')
        .onRef('sign_in_identities.subject', '=', 'sign_in_requests.email'),
    )
    .select([
      'hash',
      'email',
      'origin',
      'return_to as returnTo',
      'challenge',
      'code_hash as codeHash',
      'tries',
      'sign_in_requests.user_id as userId',
      'mailbox_hash as mailboxHash',
      'sign_in_identities.user_id as knownId',
    ])
    .where((where) => where.or([where('hash', '=', value('hash')), where('link_hash', '=', value('hash'))]))
    .where('sign_in_requests.way', '=', sql.lit('email'))
    .where('expires_at', '>', value('now')),
);

/** A request by a provider that can still be answered. */
export const providerRequest = query<{ hash: Uint8Array; way: string; now: number }>()((q, value) =>
  q
    .selectFrom('sign_in_requests')
    .select(['origin', 'return_to as returnTo', 'challenge', 'sealed'])
    .where('hash', '=', value('hash'))
    .where('way', '=', value('way'))
    .where('expires_at', '>', value('now')),
);

/** Counts a code that was tried, before it is compared, and locks the row for others. */
export const countTry = command<{ hash: Uint8Array }>()((q, value) =>
  q
    .updateTable('sign_in_requests')
    .set({ tries: sql`tries + 1` })
    .where('hash', '=', value('hash'))
    .returning('tries'),
);

/** Deletes a request: of two that would use it up, one changes a row. */
export const deleteSignInRequest = command<{ hash: Uint8Array }>()((q, value) =>
  q.deleteFrom('sign_in_requests').where('hash', '=', value('hash')),
);

/** How many mails to a mailbox were requested since a time: by one asker, and by all. */
export const mailsSince = query<{ mailboxHash: Uint8Array; askerHash: Uint8Array; since: number }>()(
  (q, value) =>
    q
      .selectFrom('sign_in_requests')
      .select([
        sql<number>`count(case when asker_hash = ${value('askerHash')} then 1 end)`.as('ofAsker'),
        sql<number>`count(*)`.as('ofAll'),
      ])
      .where('mailbox_hash', '=', value('mailboxHash'))
      .where('created_at', '>', value('since')),
);

/** A row where the visitor whom a way knows last signed in from a network. */
export const visitorFrom = query<{ way: string; subject: string; network: string }>()((q, value) =>
  q
    .selectFrom('sign_in_identities')
    .innerJoin('visitor_addresses', 'visitor_addresses.user_id', 'sign_in_identities.user_id')
    .select('sign_in_identities.user_id as userId')
    .where('way', '=', value('way'))
    .where('subject', '=', value('subject'))
    .where('address', '=', value('network')),
);

/** The requests whose mail is due, those that were put off the least often first. */
export const dueRequests = query<{ now: number; top: number }>()((q, value) =>
  q
    .selectFrom('sign_in_requests')
    .select(['hash', 'email', 'origin', 'return_to as returnTo', 'challenge', 'sealed', 'attempts'])
    .select(['expires_at as expiresAt', 'user_id as userId'])
    .where('email', 'is not', null)
    .where('sent_at', 'is', null)
    .where('due_at', '<=', value('now'))
    .orderBy('attempts')
    .orderBy('due_at')
    .limit(rowCount(value('top'))),
);

/** Notes that the mail of a request is sent, or is not worth sending; nothing is left that could be sent again. */
export const setMailSent = command<{ hash: Uint8Array; at: number }>()((q, value) =>
  q
    .updateTable('sign_in_requests')
    .set({ sent_at: value('at'), sealed: null })
    .where('hash', '=', value('hash'))
    .where('sent_at', 'is', null),
);

/**
 * Notes when a mail that was put off is due again. `sentAt` is when this process noted that it is sent, or null: what another
 * process has sent meanwhile stays sent.
 */
export const putOffMail = command<{
  hash: Uint8Array;
  sealed: string;
  dueAt: number;
  sentAt: number | null;
}>()((q, value) =>
  q
    .updateTable('sign_in_requests')
    .set({ sent_at: null, sealed: value('sealed'), due_at: value('dueAt'), attempts: sql`attempts + 1` })
    .where('hash', '=', value('hash'))
    .where((where) => where.or([where('sent_at', 'is', null), where('sent_at', '=', value('sentAt'))])),
);

/** Refuses mails to a mailbox until a time. */
export const refuseMailbox = command<{ hash: Uint8Array; until: number }>()((q, value) =>
  q
    .insertInto('refused_mailboxes')
    .values({ hash: value('hash'), until_at: value('until') })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ until_at: value('until') })),
);

/** A row while a mailbox gets no mail. */
export const refusedMailbox = query<{ hash: Uint8Array; now: number }>()((q, value) =>
  q
    .selectFrom('refused_mailboxes')
    .select('hash')
    .where('hash', '=', value('hash'))
    .where('until_at', '>', value('now')),
);

/** The user by whom a way knows somebody. */
export const userOfIdentity = query<{ way: string; subject: string }>()((q, value) =>
  q
    .selectFrom('sign_in_identities')
    .select('user_id as userId')
    .where('way', '=', value('way'))
    .where('subject', '=', value('subject')),
);

/** Notes by what a new visitor is known again, which nobody else has. */
export const insertNewIdentity = insertRow('sign_in_identities', ['way', 'subject', 'user_id', 'created_at']);

/** Notes by what a visitor is known again; changes no row when another has it. */
export const insertIdentity = command<{ way: string; subject: string; userId: number; at: number }>()(
  (q, value) =>
    q
      .insertInto('sign_in_identities')
      .values({
        way: value('way'),
        subject: value('subject'),
        user_id: value('userId'),
        created_at: value('at'),
      })
      .onConflict((conflict) => conflict.columns(['way', 'subject']).doNothing()),
);

/** Makes everything by which a visitor is known again lead to another. */
export const giveIdentities = command<{ userId: number; heirId: number }>()((q, value) =>
  q
    .updateTable('sign_in_identities')
    .set({ user_id: value('heirId') })
    .where('user_id', '=', value('userId')),
);
