import { signatureHeaders } from '../src/features/webhooks/secrets/signature.ts';

/** The input of a vector; everything else is derived from it. */
type Given = {
  readonly name: string;
  /** The secrets of the webhook, the newer first. */
  readonly secrets: readonly string[];
  readonly body: string;
  /** The receiver's value in place of these, where it must be refused. */
  readonly received?: { readonly secret?: string; readonly body?: string; readonly id?: string };
};

const id = '2f1c7a04-6f0d-4a57-9a3e-0c5f6b7d8e90';
const at = 1_790_000_000_000;
const ascii = 'it is a secret';
const standard = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const beyondAscii = 'pässwörd 🔑';
const body = '{"id":7,"action":"comment_created","guid":"2f1c7a04-6f0d-4a57-9a3e-0c5f6b7d8e90"}';
const unusual = '{"id":8,"comment":{"text":"line\u2028separator 👋 \\u0000 \\"quoted\\" </script> é"}}';

const given: readonly Given[] = [
  { name: 'a secret of ASCII', secrets: [ascii], body },
  { name: 'a secret whsec_', secrets: [standard], body },
  { name: 'a secret beyond ASCII', secrets: [beyondAscii], body },
  { name: 'a body with U+2028, an emoji and escapes', secrets: [standard], body: unusual },
  { name: 'two secrets, verified with the newer', secrets: [standard, ascii], body },
  {
    name: 'two secrets, verified with the older',
    secrets: [standard, ascii],
    body,
    received: { secret: ascii },
  },
  { name: 'another secret', secrets: [ascii], body, received: { secret: 'it is another secret' } },
  { name: 'a body with one byte more', secrets: [ascii], body, received: { body: `${body}\n` } },
  {
    name: 'the id of another delivery',
    secrets: [ascii],
    body,
    received: { id: '00000000-0000-4000-8000-000000000000' },
  },
];

/** Deliveries with all their headers, for authors of verifiers. */
export function webhookVectors(): string {
  const vectors = given.map(({ name, secrets, body: sent, received = {} }) => {
    const headers = signatureHeaders(
      { guid: id, body: sent, at, secrets },
      { headerPrefix: 'X-Weavy', isStripe: true },
    );
    const secret = received.secret ?? secrets[0] ?? '';
    const isSameBody = received.body === undefined;
    return {
      name,
      is_valid: isSameBody && received.id === undefined && secrets.includes(secret),
      // A hex digest covers only the body and uses only the newer secret.
      is_valid_by_hex: isSameBody && secret === secrets[0],
      secret,
      body: received.body ?? sent,
      headers: { ...headers, ...(received.id === undefined ? {} : { 'webhook-id': received.id }) },
    };
  });
  return `${JSON.stringify({ now: at / 1000, vectors }, null, 2)}\n`;
}
