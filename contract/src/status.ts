import Type, { type Static } from 'typebox';
import { boolean, count, described, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const Check = Type.Object(
  {
    name: Type.String({ description: 'The name of the check.', examples: ['disk'] }),
    is_ok: boolean('Whether the server can be ready with it.'),
    figures: Type.Unsafe<{ [name: string]: boolean | number | string }>({
      type: 'object',
      additionalProperties: { type: ['boolean', 'number', 'string'] },
      description: 'The figures of the check, such as `free_bytes`. Any release can add figures.',
    }),
  },
  { $id: 'StatusCheck', description: 'The state of one part of the server, as `GET /readyz` has it.' },
);

const seconds = (description: string) => Type.Number({ minimum: 0, description });

const Minute = Type.Object(
  {
    at: described(Timestamp, 'When the minute began.'),
    requests: count('Requests that were answered.'),
    failures: count('How many of them failed on the server (5xx).'),
    comments: { ...count('Comments that were created.'), examples: [3] },
    deliveries: count('Attempts to deliver that succeeded.'),
    failed_deliveries: count('Attempts to deliver that failed.'),
    median_seconds: seconds(
      'The median (p50) of the response times, rounded up to a step such as 0.005; 0 without requests. Operations that wait by design do not count.',
    ),
    slow_seconds: seconds('The 95th percentile (p95), with the same rounding.'),
  },
  { $id: 'StatusMinute', description: 'The activity of this node in one minute.' },
);
/** The activity of this node in one minute. */
export type StatusMinute = Static<typeof Minute>;

const RefusedOrigin = Type.Object(
  {
    origin: Type.String({
      description: 'The origin as the client named it; `null` for a page without one, such as a local file.',
      examples: ['https://blog.example.com'],
    }),
    at: described(Timestamp, 'When it was refused last.'),
  },
  { $id: 'RefusedOrigin', description: 'An origin whose pages may not call the server (CORS).' },
);

const Status = Type.Object(
  {
    version: string('The version of the server.'),
    engine: Type.Unsafe<'sqlite' | 'postgres'>({
      type: 'string',
      enum: ['sqlite', 'postgres'],
      description: 'Where the store is: in a file (`sqlite`) or on PostgreSQL.',
    }),
    started_at: described(Timestamp, 'When this node started.'),
    is_ready: boolean('Whether all checks are in order.'),
    checks: Type.Array(Check, { description: 'The checks of readiness.' }),
    minutes: Type.Array(Minute, {
      description: 'The last 60 minutes of this node, the oldest first; the last minute is not complete.',
    }),
    refused_origins: Type.Array(RefusedOrigin, {
      description:
        'The origins whose pages this node refused in the last 24 hours (CORS), the newest first, at most 100. Any client can name any origin.',
    }),
  },
  { $id: 'Status', description: 'The state of the node that responds, and its activity in the last hour.' },
);
/** How a node is. */
export type Status = Static<typeof Status>;

export const statusOperations = operationsOf('Server', {
  getStatus: {
    method: 'GET',
    path: '/api/status',
    summary: 'Gets the state of the server, and its activity in the last hour.',
    description:
      'Each of several nodes counts separately and reports only its own figures. The figures start again with the process; use `/metrics` for figures that should be kept.',
    caller: 'key',
    on: 'server',
    effect: 'wait',
    success: { 200: Status },
    errors: [401],
  },
});
