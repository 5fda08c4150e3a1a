import type { Readable } from 'node:stream';
import { notFound } from 'confab-contract/problem.ts';
import type { Principal } from '../kernel/principal.ts';
import type { HubCaller } from './caller.ts';
import { longPollingWire, type Poll, type PolledWire } from './long-polling.ts';
import { serverSentWire } from './server-sent.ts';
import type { Wire, WireEvents } from './wire.ts';

/** How long a poll waits for records: shorter than the time-out of common proxies. */
const pollMs = 50_000;

/** A connection that sends and receives through separate requests. */
type Session = {
  readonly userId: number;
  readonly events: WireEvents;
  /** Absent for server-sent events. */
  readonly polled?: PolledWire;
  polledAt: number;
};

/**
 * The connections over server-sent events and long polling, by the id of their negotiation, with which each further
 * request of their client names them. `open` adds a connection to the hub.
 */
export function createSessions(open: (wire: Wire, caller: HubCaller) => WireEvents) {
  const sessions = new Map<string, Session>();

  function sessionOf(token: string | undefined, { user }: Principal): Session {
    const session = sessions.get(token ?? '');
    if (session?.userId !== user.id) throw notFound('connection');
    return session;
  }

  function forget(id: string, events: WireEvents): void {
    sessions.delete(id);
    events.onGone();
  }

  return {
    /** Opens a connection over server-sent events; returns the body of the response. */
    openStream(id: string, caller: HubCaller): Readable {
      let onClose = () => {};
      const { wire, body } = serverSentWire(() => onClose());
      const events = open(wire, caller);
      onClose = () => forget(id, events);
      sessions.set(id, { userId: caller.principal.user.id, events, polledAt: 0 });
      return body;
    },

    /** Opens a connection over long polling, for which the client polls. */
    openPolled(id: string, caller: HubCaller): PolledWire {
      let onClose = () => {};
      const polled = longPollingWire(() => onClose());
      const events = open(polled, caller);
      onClose = () => forget(id, events);
      sessions.set(id, { userId: caller.principal.user.id, events, polled, polledAt: performance.now() });
      return polled;
    },

    /** The waiting records of an open long-polling connection; undefined when there is none. */
    pollAgain(principal: Principal, token: string | undefined): Promise<Poll> | undefined {
      const session = sessions.get(token ?? '');
      if (session?.polled === undefined || session.userId !== principal.user.id) return undefined;
      session.polledAt = performance.now();
      session.events.onAlive();
      return session.polled.poll();
    },

    /** Receives records from a client; throws `not_found` when there is no such connection. */
    receive(principal: Principal, token: string | undefined, text: string): void {
      sessionOf(token, principal).events.onText(text);
    },

    /** Ends a connection at its client's request. */
    end(principal: Principal, token: string | undefined): void {
      const { events, polled } = sessionOf(token, principal);
      events.onEnd();
      // Its client has stopped polling, so it cannot receive a closing record.
      polled?.cut();
    },

    /** Answers the polls that have waited long enough. */
    sweep(): void {
      const now = performance.now();
      for (const { polled, polledAt } of sessions.values())
        if (polled?.isPolled() === true && now - polledAt > pollMs) polled.release();
    },
  };
}
