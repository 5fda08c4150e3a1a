/** The connection to one client, over any transport. */
export type Wire = {
  /** Sends whole records. Clients may share the buffer, so it must not be changed. */
  send(records: Buffer): void;
  /** How many bytes wait to be sent. */
  waitingBytes(): number;
  /** Sends a ping of the transport, which the client's transport answers. */
  probe(): void;
  /** Ends the connection once every record has been sent. */
  end(): void;
  /** Ends it at once; records that wait are lost. */
  cut(): void;
};

/** The handlers of what arrives over a wire. */
export type WireEvents = {
  /** Text arrived. */
  onText(text: string): void;
  /** Something arrived that the transport does not allow. */
  onFault(error: string): void;
  /** A sign of life arrived that carries no records. */
  onAlive(): void;
  /** The client closes the connection. */
  onEnd(): void;
  /** The connection has ended. */
  onGone(): void;
};

/** A client with more waiting bytes than this is cut, so that one that cannot keep up does not cost the others memory. */
const waitingBytesMax = 1024 * 1024;
/** The same for all connections, and for all streams, of a user together. */
const waitingUserBytesMax = 16 * 1024 * 1024;

/** How many bytes may wait for each of a user's clients, given their number. */
export function waitingBytesMaxOf(clients: number): number {
  return Math.min(waitingBytesMax, waitingUserBytesMax / clients);
}

/** The most bytes of one message of a client; the longest are calls with the name of a channel. */
export const pieceBytesMax = 64 * 1024;
