import { type ServerSettings, settingsOperations } from 'confab-contract/settings.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { readSite, type SiteBook } from '../site/site-book.ts';

/** The settings are those that the node was started with, for whoever runs it. */

/** The part of the server that knows its settings. */
export type SettingsParts = { readonly shownSettings: ServerSettings; readonly siteBook: SiteBook };

/** The settings that `PATCH /api/site` sets where they stand nowhere, by its fields. */
const ofSite = {
  'cors-origins': 'origins',
  'sign-in': 'sign_in',
  'pages-visitors': 'visitors',
  'pages-approval': 'approval',
} as const;

/** The settings in effect and where each one stands. */
export const getSettings = handler(
  settingsOperations.getSettings,
  async ({ db }, { shownSettings, siteBook: { given } }: SettingsParts) => {
    const set = await readSite(db.read);
    const settings = shownSettings.settings.map((setting) => {
      const field = Object.entries(ofSite).find(([name]) => name === setting.name)?.[1];
      const value = field === undefined || given[field] !== undefined ? undefined : set[field];
      return value === undefined ? setting : { ...setting, value: String(value), from: 'PATCH /api/site' };
    });
    return json(JSON.stringify({ ...shownSettings, settings }));
  },
);
