import type { Peers } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { newestForm } from '../kernel/form.ts';
import type { Log } from '../kernel/log.ts';
import type { PeopleSetting } from '../kernel/principal.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { VisibilityCache } from './app-visibility.ts';
import { type HubCaller, proveAll } from './caller.ts';
import type { Connection } from './connection.ts';
import { createTokenForms } from './forms.ts';
import { createHubAddressing } from './hub-addressing.ts';
import { createHubCalls } from './hub-calls.ts';
import { createHubConnections } from './hub-connections.ts';
import { createHubPresence } from './hub-presence.ts';
import type { Presence } from './presence.ts';
import type { Wire, WireEvents } from './wire.ts';

/**
 * The hub: live connections and the channels they listen to.
 *
 * Players: the *connections* are its only state (`hub-connections.ts`); *calls* are what clients send, and change the
 * channels of a connection (`hub-calls.ts`); *addressing* selects who gets an event (`hub-addressing.ts`); *presence* is the
 * channel of present users (`hub-presence.ts`).
 *
 * A client may listen to any channel name, so that listening reveals nothing about an app; access is checked for each
 * event. The messages of one step of the log go to a connection in one piece.
 */

/** The dependencies of the hub. */
export type HubOptions = {
  readonly peers: Peers | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilities: VisibilityCache;
  readonly presence: Presence;
  readonly people: PeopleSetting;
  readonly rateLimits: RateLimits;
  /** Called when a connection starts to listen to presence, to send it the present users. */
  readonly onOnline: (connection: Connection) => void;
};

/** A hub without connections. */
export function createHub(options: HubOptions) {
  const { presence } = options;
  const connections = createHubConnections(options);
  const { index } = connections;
  const tokenForms = createTokenForms({
    peers: options.peers,
    // The connections that follow the token get its form.
    onNews({ userId, key, form }) {
      for (const connection of index.of(userId)) if (connection.formKey === key) connection.form = form;
    },
  });
  const receive = createHubCalls({
    ...options,
    connections,
    onSecondForm: ({ form, formKey: key, principal }) => {
      if (key !== undefined && form === undefined)
        tokenForms.learn({ userId: principal.user.id, key, form: newestForm });
    },
  });

  return {
    connections,
    ...createHubAddressing({ ...options, connections }),
    ...createHubPresence({ ...options, connections }),

    /** Adds the connection of a client, which has the form that is known of its token by now; the returned handlers take what arrives from it. */
    open(wire: Wire, client: HubCaller): WireEvents {
      const connection = connections.add(wire, { ...client, form: tokenForms.formOf(client) });
      return {
        onText: (text) => receive(connection, text),
        onFault: (error) => connections.end(connection, { error }),
        onAlive: () => {
          connection.receivedAt = performance.now();
        },
        onEnd: () => connections.acceptClose(connection),
        onGone: () => connections.forget(connection),
      };
    },

    /** Notes the form that a request with an access token has asked for. */
    noteForm: tokenForms.note,

    /** Checks the credentials of the connections of users again; ends those whose credential has ended. */
    async proveAgain(userIds: readonly number[]): Promise<void> {
      await proveAll(
        userIds.flatMap((id) => [...index.of(id)]),
        {
          hold: (connection, principal) => {
            connection.principal = principal;
            if (connection.state === 'open') presence.connected(principal.user);
          },
          end: connections.refuse,
        },
      );
    },
  };
}
