import type { Migration } from './migration.ts';

/**
 * Visitors who sign in by Confab itself: how they did, the skeletons of their names, by which look-alike names are found,
 * their addresses, which bans name, and their secrets. Those have a table of their own, so that a program that does not know visitors refuses them in place
 * of taking a visitor for a user of the product.
 */
export const signingIn: Migration = {
  id: 40,
  name: 'signing-in',
  up: ({ id, blob, integer, text, table }) => [
    `alter table users add column way ${text}`,
    `alter table users add column is_trusted ${integer} not null default 0`,
    `alter table users add column skeleton ${text} not null default ''`,
    `create index users_skeleton on users (skeleton) where skeleton <> ''`,
    table(
      'visitor_secrets',
      `hash ${blob} primary key, kind ${text} not null check (kind in ('access', 'renewal', 'code')),
       session ${blob} not null, user_id ${integer} not null references users(id), challenge ${text},
       created_at ${integer} not null, expires_at ${integer} not null, used_at ${integer}`,
    ),
    `create index visitor_secrets_user on visitor_secrets (user_id, session)`,
    `create index visitor_secrets_expiry on visitor_secrets (expires_at)`,
    table(
      'sign_in_identities',
      `way ${text} not null, subject ${text} not null, user_id ${integer} not null references users(id),
       created_at ${integer} not null, primary key (way, subject)`,
    ),
    `create index sign_in_identities_user on sign_in_identities (user_id)`,
    table(
      'sign_in_requests',
      `hash ${blob} primary key, way ${text} not null, origin ${text} not null, return_to ${text},
       challenge ${text} not null, email ${text}, sealed ${text}, code_hash ${blob}, link_hash ${blob},
       tries ${integer} not null default 0, created_at ${integer} not null, expires_at ${integer} not null,
       sent_at ${integer}, user_id ${integer} references users(id)`,
    ),
    `create unique index sign_in_requests_link on sign_in_requests (link_hash)`,
    `create index sign_in_requests_email on sign_in_requests (email, created_at) where email is not null`,
    `create index sign_in_requests_unsent on sign_in_requests (created_at) where email is not null and sent_at is null`,
    `create index sign_in_requests_user on sign_in_requests (user_id) where user_id is not null`,
    `create index sign_in_requests_expiry on sign_in_requests (expires_at)`,
    `alter table erasures add column heir_id ${integer} references users(id)`,
    table('refused_mailboxes', `hash ${blob} primary key, until_at ${integer} not null`),
    table(
      'visitor_addresses',
      `user_id ${integer} primary key references users(id), address ${text} not null, used_at ${integer} not null`,
    ),
    `create index visitor_addresses_age on visitor_addresses (used_at)`,
    `create index users_way on users (way, id) where way is not null`,
    `create index approved_counts_user on approved_counts (user_id)`,
    table(
      'bans',
      `${id}, address ${text} not null unique, reason ${text}, created_at ${integer} not null,
       expires_at ${integer} not null`,
    ),
    `create index bans_expiry on bans (expires_at)`,
    table('solved_puzzles', `hash ${blob} primary key, expires_at ${integer} not null`),
    `create index solved_puzzles_expiry on solved_puzzles (expires_at)`,
    table(
      'counted_guests',
      `hash ${blob} primary key, reaction_id ${integer}, expires_at ${integer} not null`,
    ),
    `create index counted_guests_reaction on counted_guests (reaction_id) where reaction_id is not null`,
    `create index counted_guests_expiry on counted_guests (expires_at)`,
    `alter table blobs add column is_of_visitor ${integer} not null default 0`,
    `create index blobs_of_visitors on blobs (size) where is_of_visitor = 1`,
  ],
};
