import type { App } from 'confab-client';
import type { Params } from '../../router.ts';
import { Items } from '../content/Items.tsx';
import { type Kind, operations } from '../content/kinds.ts';
import { AppFrame } from './AppFrame.tsx';
import { t } from './messages.ts';

const kindsOfTypes: { readonly [type: string]: Kind } = {
  comments: 'comments',
  posts: 'posts',
  files: 'files',
  chat: 'messages',
  chat_room: 'messages',
  private_chat: 'messages',
};

/** What an app's type holds. */
export function kindOfApp({ type }: App): Kind {
  return kindsOfTypes[type] ?? 'comments';
}

/** What was written in one app. */
export function AppContent({ params }: { readonly params: Params }) {
  const ref = params.app ?? '';
  return (
    <AppFrame app={ref}>
      {(app) => {
        if (app.is_trashed) return <p class="empty">{t('trashedText')}</p>;
        const kind = kindOfApp(app);
        return (
          <Items
            kind={kind}
            name={`content of ${app.id}`}
            app={String(app.id)}
            open={(query, options) => operations[kind].ofApp(app.id, query, options)}
          />
        );
      }}
    </AppFrame>
  );
}
