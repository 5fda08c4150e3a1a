import type { Json } from '../kernel/json.ts';

/**
 * The records of the SignalR hub protocol, JSON, version 1, each ended by the byte 0x1E. Only the parts that clients of
 * this server need are implemented: calls of a method without a stream, their completions, pings and closing.
 * Source: `HubProtocol.md` of ASP.NET Core.
 */

const end = '\x1e';
/** The most records of one message. */
const recordsMax = 1000;

/** A client broke the protocol; the message is sent to it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** A record of a client; `other` is one to ignore. */
export type HubRecord =
  | {
      readonly kind: 'call';
      readonly method: string;
      readonly values: readonly unknown[];
      readonly id?: string;
    }
  | { readonly kind: 'stream'; readonly id: string }
  | { readonly kind: 'close' }
  | { readonly kind: 'other' };

/** Splits a message into records. Throws a `ProtocolError` when it is empty, incomplete or has too many. */
export function splitRecords(text: string): string[] {
  if (!text.endsWith(end)) throw new ProtocolError('The message is incomplete.');
  const records = text.slice(0, -1).split(end, recordsMax + 1);
  if (records.length > recordsMax) throw new ProtocolError('The message holds too many records.');
  return records;
}

function readObject(record: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(record);
  } catch (error) {
    throw new ProtocolError('A record is not valid JSON.', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('A record is not a JSON object.');
  return value as Record<string, unknown>;
}

/** Reads the first record of a client; throws a `ProtocolError` unless it asks for the JSON protocol, version 1. */
export function readHandshake(record: string): void {
  const { protocol, version } = readObject(record);
  if (protocol !== 'json') throw new ProtocolError('Only the protocol "json" is spoken here.');
  if (version !== 1) throw new ProtocolError('Only version 1 of the protocol "json" is spoken here.');
}

/** Reads any later record; throws a `ProtocolError` for one that breaks the protocol. */
export function readRecord(record: string): HubRecord {
  const { type, target, arguments: values, invocationId: id } = readObject(record);
  if (typeof type !== 'number') throw new ProtocolError('A record has no type.');
  if (id !== undefined && id !== null && typeof id !== 'string')
    throw new ProtocolError('An invocationId is not a string.');
  if (type === 7) return { kind: 'close' };
  if (type !== 1 && type !== 4) return { kind: 'other' };
  if (typeof target !== 'string') throw new ProtocolError('A call names no method.');
  if (!Array.isArray(values)) throw new ProtocolError('A call has no arguments.');
  if (type === 4) {
    if (typeof id !== 'string') throw new ProtocolError('A stream has no invocationId.');
    return { kind: 'stream', id };
  }
  return { kind: 'call', method: target, values, ...(typeof id === 'string' ? { id } : {}) };
}

/** The response to a handshake; after one with an error the connection ends. */
export function handshakeReply(error?: string): Buffer {
  return Buffer.from(`${error === undefined ? '{}' : JSON.stringify({ error })}${end}`);
}

/** Reports that a call succeeded, or why it failed. */
export function completion(invocationId: string, error?: string): Buffer {
  const outcome = error === undefined ? { result: null } : { error };
  return Buffer.from(`${JSON.stringify({ type: 3, invocationId, ...outcome })}${end}`);
}

/** Calls the client's method `target` with one argument. */
export function invocation(target: string, argument: Json): Buffer {
  return Buffer.from(`{"type":1,"target":${JSON.stringify(target)},"arguments":[${argument}]}${end}`);
}

/** A ping. */
export const ping: Buffer = Buffer.from(`{"type":6}${end}`);

/** Closes the connection; with `allowReconnect` the client reconnects by itself. */
export function closing(why: { error?: string; allowReconnect?: true }): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 7, ...why })}${end}`);
}
