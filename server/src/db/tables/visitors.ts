import type { Generated } from 'kysely';

/** The rows of the tables of visitors who sign in; see `tables.ts`. */
export type VisitorTables = {
  /**
   * What visitors prove themselves with, by `kind`: an access token, the secret that renews it, which stays when it was
   * used so that a copy is noticed, and the code of a window, with the challenge of the page that opened it. Those of one
   * signing in have the same `session`.
   */
  visitor_secrets: {
    hash: Uint8Array;
    kind: 'access' | 'renewal' | 'code';
    session: Uint8Array;
    user_id: number;
    challenge: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** By what a visitor is known again: the mailbox, or what a provider calls them. */
  sign_in_identities: { way: string; subject: string; user_id: number; created_at: number };
  /**
   * Signing in that a window has begun: by mail, with the code and the link that were sent, sealed until they are, or by a
   * provider, by the hash of the state that went there, with its nonce and verifier, sealed.
   */
  sign_in_requests: {
    hash: Uint8Array;
    way: string;
    origin: string;
    /** Where a page goes back to that could open no window. */
    return_to: string | null;
    challenge: string;
    email: string | null;
    sealed: string | null;
    code_hash: Uint8Array | null;
    link_hash: Uint8Array | null;
    tries: Generated<number>;
    created_at: number;
    expires_at: number;
    sent_at: number | null;
    /** The visitor who wants to sign in by the mailbox as well; null where somebody signs in. */
    user_id: number | null;
    /** How often the mail server has put the mail off, and when it is due. */
    attempts: Generated<number>;
    due_at: Generated<number>;
    /**
     * Hashes, with a secret of the store, of the mailbox in whatever spelling and of this with the network that asked; null
     * where no mail is sent.
     */
    mailbox_hash: Uint8Array | null;
    asker_hash: Uint8Array | null;
  };
  /** Mailboxes whose owners want no codes for a while, by the `mailbox_hash` of requests. */
  refused_mailboxes: { hash: Uint8Array; until_at: number };
  /** The network from which a visitor last signed in or stayed signed in, as `networkOfClient` spells it. */
  visitor_addresses: { user_id: number; address: string; used_at: number };
  /** Networks from which visitors may neither sign in nor write for a while, as CIDR in their usual spelling. */
  bans: {
    id: Generated<number>;
    address: string;
    reason: string | null;
    created_at: number;
    expires_at: number;
  };
  /** The puzzles that were solved already, until they expire. */
  solved_puzzles: { hash: Uint8Array; expires_at: number };
  /**
   * What guests of an address have counted for an item on a day, until it ends, by a hash of these. `reaction_id` is the
   * reaction that takes it back, which may be gone; null for a report.
   */
  counted_guests: { hash: Uint8Array; reaction_id: number | null; expires_at: number };
};
