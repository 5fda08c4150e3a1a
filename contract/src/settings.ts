import Type, { type Static } from 'typebox';
import { string } from './fields.ts';
import { operationsOf } from './operation.ts';

const ShownSetting = Type.Object(
  {
    name: Type.String({
      description: 'The name of the setting as the file of settings has it; `--` before it makes the flag.',
      examples: ['data-dir'],
    }),
    value: Type.String({
      description: 'The value in effect: empty without one, and `(hidden)` for a secret that is set.',
      examples: ['./data'],
    }),
    from: Type.String({
      description:
        'Where the value stands: the setting as it is spelled there, such as `--port` or `CONFAB_PORT`; `PATCH /api/site` for what that has set; else `default`, or `not set`.',
      examples: ['CONFAB_DATA_DIR'],
    }),
  },
  { $id: 'ShownSetting', description: 'A setting of the node that answers.' },
);
/** A setting of a node, without a secret. */
export type ShownSetting = Static<typeof ShownSetting>;

const ServerSettings = Type.Object(
  {
    file: Type.Optional(string('The path of the file of settings. Absent when there is none.')),
    settings: Type.Array(ShownSetting, { description: 'Every setting, in the order of the reference.' }),
  },
  { $id: 'ServerSettings', description: 'The settings in effect, as `confab config` prints them.' },
);
/** The settings in effect. */
export type ServerSettings = Static<typeof ServerSettings>;

export const settingsOperations = operationsOf('Server', {
  getSettings: {
    method: 'GET',
    path: '/api/settings',
    summary: 'Gets the settings in effect, without secrets, and where each one stands.',
    description:
      'Of the node that answers. They stay the same until it starts again, except what `PATCH /api/site` sets.',
    caller: 'key',
    on: 'server',
    effect: 'wait',
    success: { 200: ServerSettings },
    errors: [401],
  },
});
