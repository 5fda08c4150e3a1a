import { factsOf } from 'confab-contract/actions.ts';
import { aboutOf, deliveredActions, deliverySchema } from 'confab-contract/webhook-events.ts';
import type { TSchema } from 'typebox';
import { type Schema, Types } from './type-text.ts';

const head = `/** Why a request is refused. */
export type VerificationCode =
  | 'body_not_raw'
  | 'body_not_json'
  | 'header_missing'
  | 'header_repeated'
  | 'secret_missing'
  | 'secret_invalid'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_unknown'
  | 'signature_mismatch';

/** What \`verify\` throws: \`code\` is for programs, the message says to people what is wrong. */
export class WebhookVerificationError extends Error {
  constructor(message: string, options: { code: VerificationCode; cause?: unknown });
  readonly code: VerificationCode;
}

/** Headers of a request: those of the Fetch standard, or an object of any spelling. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** The body as it arrived, before any JSON parser. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: RequestHeaders;
  /** The secret of the webhook. */
  readonly secret?: string;
  /** The secrets that are accepted, instead of \`secret\`, while one replaces the other. */
  readonly secrets?: readonly string[];
  /** How far the time of the request may be from that of this machine; 300 when absent. \`Infinity\` looks at no time. */
  readonly toleranceSeconds?: number;
  /** The time to compare with, in milliseconds since 1970; the clock of this machine when absent. */
  readonly now?: number;
}

/** Verifies a request and answers its event. Throws a \`WebhookVerificationError\` when it is not to be trusted. */
export function verify(options: VerifyOptions): WebhookEvent;
`;

const common = deliverySchema('comment_created').properties;

/**
 * The declarations of `clients/js/webhooks.js`: its functions, and every event that a webhook can be sent. `index.d.ts`
 * declares the objects in them.
 */
export function receiverTypes(): string {
  const types = new Types();
  const shapeOf = (properties: { readonly [name: string]: TSchema }, required: readonly string[]) =>
    types.of({ type: 'object', properties: properties as { [name: string]: Schema }, required });
  const { comment: _, action: _action, type: _type, ...shared } = common;
  const events = deliveredActions.map((action) => {
    const { required = [] } = deliverySchema(action);
    const parameters = `'${action}', '${action.replace('_', '.')}'`;
    return `/** ${factsOf(action).sentence} */\n${action}: Delivered<${parameters}> & ${shapeOf(aboutOf(action), required)};`;
  });
  const delivered = shapeOf(shared, Object.keys(shared));
  const lines = types.names().map((name) => `  ${name},`);
  const names = `{\n${lines.join('\n')}\n}`;
  return `${[
    `// Made by \`npm run generate\` from the contract of the server.\n`,
    `import type ${names} from './index.js';\n`,
    `export type ${names};\n`,
    head,
    '/** What every delivery holds. */',
    `export interface Delivered<Action, Type> ${delivered.replace('{', '{\n  action: Action;\n  /** The action with a dot. */\n  type: Type;')}\n`,
    '/** What is delivered, by its action. A later version of the server may send more actions and properties. */',
    `export interface WebhookEvents {\n${events.join('\n').replaceAll(/^/gm, '  ')}\n}\n`,
    '/** The action of an event. */\nexport type WebhookAction = keyof WebhookEvents;\n',
    '/** The body of a delivery. Its `action` says which one it is. */\nexport type WebhookEvent = WebhookEvents[WebhookAction];',
  ].join('\n')}\n`;
}
