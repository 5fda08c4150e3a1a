/** The way from this server to one client, whatever carries it. */
export type Wire = {
  /** Sends whole records. The same bytes may go to many, so nobody changes them. */
  send(records: Buffer): void;
  /** How many bytes were sent and are still here. */
  waitingBytes(): number;
  /** Says that this side is there in the way of the carrier, which the carrier of the other side answers. */
  probe(): void;
  /** Ends the connection when what was sent has left. */
  end(): void;
  /** Ends it at once; what was sent may be lost. */
  cut(): void;
};

/** What a wire tells whoever opened it. */
export type WireEvents = {
  /** A piece has come. */
  onText(text: string): void;
  /** What came is nothing the wire carries. */
  onFault(error: string): void;
  /** Something came that says only that the other side is there. */
  onSign(): void;
  /** The other side wants to end. */
  onEnd(): void;
  /** The other side is gone, or this one has ended it. */
  onGone(): void;
};

/** A client that lets more than this many bytes wait is cut: it cannot keep up, and others do not pay for it. */
const waitingBytesMax = 1024 * 1024;
/** The same for all connections, and for all streams, of a user together. */
const waitingUserBytesMax = 16 * 1024 * 1024;

/** How many bytes may wait for one of so many clients of a user. */
export function waitingBytesMaxOf(clients: number): number {
  return Math.min(waitingBytesMax, waitingUserBytesMax / clients);
}

/** The most bytes of a piece that a client sends; its largest are calls with the name of a channel. */
export const pieceBytesMax = 64 * 1024;
