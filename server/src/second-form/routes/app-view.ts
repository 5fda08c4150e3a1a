import type { AppView } from '../../access/access.ts';
import type { Read, Tx } from '../../db/db.ts';
import { appDetail } from '../../features/apps/app-detail.ts';
import { chatTypes } from '../../features/apps/app-types.ts';
import {
  readConversation,
  readerOf,
  type ViewParts,
} from '../../features/conversations/conversation-view.ts';
import type { Json } from '../../kernel/json.ts';

type Shown = Parameters<typeof readerOf>[0] & ({ readonly tx: Tx } | { readonly read: Read });

/** An app as the second form shows it: a chat as a conversation of its reader. */
export async function appView(call: Shown, app: AppView, parts: ViewParts): Promise<Json> {
  const { caller } = call;
  if (chatTypes.includes(app.type)) return (await readConversation(readerOf(call, parts), app)).render();
  return await appDetail({ read: 'tx' in call ? call.tx : call.read, caller }, app);
}
