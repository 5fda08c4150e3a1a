/** How long clients may keep the server waiting, and how many resources they may use. Times are in milliseconds. */
export type ClientLimits = {
  /** Until the request line and the headers have arrived. */
  readonly headersMs: number;
  /** Until the whole request has arrived. */
  readonly requestMs: number;
  /** How often these two are checked. */
  readonly checkMs: number;
  /**
   * How long a response may wait without the client reading a byte. Progress restarts the time, and Node checks it only
   * when the time is over, so a connection is closed after one to two times this value.
   */
  readonly unreadMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly idleMs: number;
  /** How long a refused connection is kept for the client to read why. */
  readonly refusedMs: number;
  /** How long a stopping server waits for a client that neither sends nor reads a byte. */
  readonly stalledMs: number;
  /** The most connections of one address without a running request. The one idle for longest is closed. */
  readonly waitingPerAddressMax: number;
  /** The most unread response bytes of one user. The response that has waited longest is cut. */
  readonly unreadUserBytesMax: number;
  /** The same for all callers together, API keys included. */
  readonly unreadBytesMax: number;
  /** The most live connections and event streams of one user on a node. */
  readonly livePerUserMax: number;
  /** The most apps that the clients of one address watch on a node without a credential, and all such clients together. */
  readonly visitorWatchesPerAddressMax: number;
  readonly visitorWatchesMax: number;
  /** How long a watch is silent between two messages, and between two that say how many people are present. */
  readonly watchEveryMs: number;
  readonly presenceEveryMs: number;
  /** How long a change of the headcount waits, because a reader who reloads a page leaves and comes back. */
  readonly presenceSettleMs: number;
  /** How often the credential of a stream or a watch is checked again, if no event ends it. */
  readonly provedEveryMs: number;
  /**
   * How many requests may be running when a node accepts one of an API key, a change by a user, or a read by
   * a user.
   */
  readonly runningMax: { readonly key: number; readonly change: number; readonly read: number };
};

/** The limits of every server; tests set smaller ones. */
export const clientLimits: ClientLimits = {
  headersMs: 15_000,
  // Time for the largest upload at 1.5 Mbit/s.
  requestMs: 300_000,
  checkMs: 5000,
  // The kernel reports progress in steps of up to a few hundred kilobytes, so a slow reader needs some time for one.
  unreadMs: 30_000,
  // Longer than the 60 s for which common proxies keep connections, so that the proxy is the one to close.
  idleMs: 72_000,
  // A round trip on any network; the client has nothing else to do with the connection.
  refusedMs: 2000,
  stalledMs: 2000,
  // Behind a proxy every client has its address. Proxies keep a few hundred idle connections, far fewer than this.
  waitingPerAddressMax: 1024,
  // Three of the largest pages of a list, for a browser that loads several at a time over a slow line.
  unreadUserBytesMax: 16 * 1024 * 1024,
  // Eight users at their limit; a small machine has that to spare.
  unreadBytesMax: 128 * 1024 * 1024,
  // A browser tab has one, so this is more tabs than anyone has open on all devices.
  livePerUserMax: 100,
  // The open tabs of one reader. Beyond it, readers who share an address read again after a pause.
  visitorWatchesPerAddressMax: 6,
  // Each takes 20 kB and a file descriptor; CONFAB_VISITOR_STREAMS changes the number (`reader-room.ts`).
  visitorWatchesMax: 10_000,
  // A busy app makes each client read it once a second.
  watchEveryMs: 1000,
  // The number changes whenever a reader comes or goes, and nobody waits for it.
  presenceEveryMs: 5000,
  presenceSettleMs: 1000,
  // The messages of a stream or a watch need no check each.
  provedEveryMs: 15_000,
  // A request takes 0.2 to 0.4 ms of processor time, so these are waits of about 0.3, 1 and 2 seconds.
  runningMax: { key: 1000, change: 4000, read: 8000 },
};
