import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Types of questions (RFC 1035, RFC 3596). */
export const A = 1;
export const AAAA = 28;
const CNAME = 5;

/** Codes of answers. */
export const SERVFAIL = 2;
export const NXDOMAIN = 3;

/** One record of an answer. Records after an alias belong to its target. */
export type ZoneRecord = { readonly type: number; readonly bytes: Buffer; readonly leadsTo?: Buffer };

/** The answer to a question: records, the code of a failure, or no answer. */
export type Zone = (name: string, type: number) => readonly ZoneRecord[] | number | 'silent';

/** An IPv4 address. */
export function a(address: string): ZoneRecord {
  return { type: A, bytes: Buffer.from(address.split('.').map(Number)) };
}

/** An IPv6 address with all its eight groups. */
export function aaaa(address: string): ZoneRecord {
  const groups = address.split(':').map((group) => Number.parseInt(group, 16));
  return { type: AAAA, bytes: Buffer.from(groups.flatMap((group) => [group >> 8, group & 255])) };
}

/** An alias of the previous name. */
export function alias(name: string): ZoneRecord {
  const bytes = Buffer.from(
    `${name
      .split('.')
      .map((label) => String.fromCharCode(label.length) + label)
      .join('')}\0`,
    'latin1',
  );
  return { type: CNAME, bytes, leadsTo: bytes };
}

/** The question of a query: labels with their lengths, a zero, type and class (RFC 1035 section 4.1). */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, reply: Exclude<ReturnType<Zone>, 'silent'>): Buffer {
  const records = typeof reply === 'number' ? [] : reply;
  const { end } = readQuestion(query);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (typeof reply === 'number' ? reply : 0), 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  let owner: Buffer = query.subarray(12, end - 4);
  const answers = records.map(({ type, bytes, leadsTo }) => {
    // Class IN, no time to live.
    const fixed = Buffer.from([0, type, 0, 1, 0, 0, 0, 0, bytes.length >> 8, bytes.length & 255]);
    const record = Buffer.concat([owner, fixed, bytes]);
    owner = leadsTo ?? owner;
    return record;
  });
  return Buffer.concat([header, query.subarray(12, end), ...answers]);
}

/** A name server on loopback that answers from `zone` and records the questions. */
export async function startNameServer(
  zone: Zone,
): Promise<{ address: string; asked: string[]; close: () => void }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type } = readQuestion(query);
    asked.push(`${name} ${type}`);
    const reply = zone(name, type);
    if (reply !== 'silent') socket.send(answer(query, reply), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}
