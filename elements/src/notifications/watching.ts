import { type Server, serverAt, watchStream } from '../shared.ts';
import { createInbox, type Inbox } from './inbox.ts';

/** Of the stream of all changes, what is about notifications. */
const news = /"action":"notifications?_/;

/** What hears of it. */
type Listener = {
  /** Called after each change, with by how much the number of unread notifications has grown. */
  changed(added: number): void;
  /** Called when the person who is signed in may have changed. */
  personChanged(): void;
};

/** Reads the notifications of who is signed in at a server, from `follow` until `end`. */
export function createWatching({ changed, personChanged }: Listener) {
  let server: Server | undefined;
  let userId: number | undefined;
  let inbox: Inbox | undefined;
  let unwatch: (() => void) | undefined;
  const ends: (() => void)[] = [];

  function begin({ api }: Server): void {
    let unread = 0;
    const begun = createInbox(api, () => {
      if (begun !== inbox) return;
      const added = begun.unread() - unread;
      unread = begun.unread();
      changed(added);
    });
    inbox = begun;
    unwatch = watchStream(api, { path: '/api/events/stream', news }, (messages) => {
      if (messages?.length !== 0) void begun.refresh();
    });
  }

  function leave(): void {
    unwatch?.();
    unwatch = undefined;
    inbox = undefined;
  }

  return {
    /** Where the notifications are; undefined before the first `follow`. */
    server: () => server,

    /** The notifications; undefined while nobody is signed in. */
    inbox: () => inbox,

    /** Begins anew where another server or person is meant than before. Returns whether it does. */
    follow(address: string | null): boolean {
      const next = serverAt(address);
      const { user } = next.session;
      // Visitors have no notifications.
      const id = user?.way === undefined ? user?.id : undefined;
      if (next === server && id === userId && inbox !== undefined) return false;
      leave();
      server = next;
      userId = id;
      ends.push(next.session.subscribe(personChanged));
      if (id !== undefined) begin(next);
      return true;
    },

    end(): void {
      leave();
      for (const end of ends.splice(0)) end();
    },
  };
}
