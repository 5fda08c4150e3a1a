import { type ServerSettings, settingsOperations } from 'confab-contract/settings.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';

/** The settings are those that the node was started with, for whoever runs it. */

/** The part of the server that knows its settings. */
export type SettingsParts = { readonly shownSettings: ServerSettings };

/** The settings in effect and where each one stands. */
export const getSettings = handler(
  settingsOperations.getSettings,
  async (_call, { shownSettings }: SettingsParts) => json(JSON.stringify(shownSettings)),
);
