import type { Ban } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { type Column, List } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { toast } from '../../components/Toasts.tsx';
import { usePages } from '../../data.ts';
import { hasKey, mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { BanDialog } from './BanDialog.tsx';
import { t } from './messages.ts';

/** The addresses that are banned, until when and why. */
export function Bans() {
  const list = usePages('bans', (signal) => client.listBans({}, { signal }), {
    live: ['address_'],
  });
  const [asked, setAsked] = useState<Ban | 'new'>();
  const mayChange = hasKey() && mayCall('moderate');
  const ask = () => setAsked('new');
  useShortcuts(mayChange ? [{ keys: 'n', label: t('banAddress'), run: ask }] : []);
  const close = () => {
    setAsked(undefined);
    list.refresh();
  };
  return (
    <Page
      title={t('bans')}
      actions={
        mayChange && (
          <button type="button" class="primary" onClick={ask}>
            {t('banAddress')}
          </button>
        )
      }
    >
      <List
        label={t('bans')}
        list={list}
        columns={[...columns(), ...(mayChange ? [end(setAsked)] : [])]}
        keyOf={({ id }) => id}
        empty={t('noBans')}
      />
      {asked === 'new' && <BanDialog onClose={close} />}
      {asked !== undefined && asked !== 'new' && (
        <Confirm
          title={t('endBanName', { address: asked.address })}
          text={t('endBanAbout')}
          button={t('endBan')}
          change={() => client.deleteBan(asked.id)}
          onClose={(isDone) => {
            close();
            if (isDone) toast(t('banEnded'));
          }}
        />
      )}
    </Page>
  );
}

function columns(): readonly Column<Ban>[] {
  return [
    { label: t('address'), cell: ({ address }) => <code dir="ltr">{address}</code> },
    { label: t('reason'), cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
    { label: t('since'), cell: ({ created_at }) => <Time at={created_at} /> },
    { label: t('until'), cell: ({ expires_at }) => <Time at={expires_at} /> },
  ];
}

function end(ask: (ban: Ban) => void): Column<Ban> {
  return {
    label: t('change'),
    cell: (ban) => (
      <button type="button" aria-label={t('endBanName', { address: ban.address })} onClick={() => ask(ban)}>
        {t('endBan')}
      </button>
    ),
  };
}
