import type { MailSettings } from 'confab-client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Failure } from '../../components/Loaded.tsx';
import { useAction, useQuery } from '../../data.ts';
import { t } from './messages.ts';

/** Whether a moderator gets mail about each new comment. For users alone: an API key has no mailbox. */
export function NewComments() {
  const { data } = useQuery('mail', (signal) => client.getMail({ signal }), { live: ['mail_'] });
  return data === undefined ? null : <Choice settings={data} />;
}

function Choice({ settings }: { readonly settings: MailSettings }) {
  const [isTold, setTold] = useState(settings.new_comments);
  // Another page may change it as well.
  useEffect(() => setTold(settings.new_comments), [settings]);
  const action = useAction(async (next: boolean) => await client.updateMail({ new_comments: next }));
  const choose = async (next: boolean) => {
    setTold(next);
    if (!(await action.run(next))) setTold(!next);
  };
  const { address } = settings;
  return (
    <div class="queue-mail">
      <label class="check">
        <input
          type="checkbox"
          checked={isTold}
          disabled={address === undefined && !isTold}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />
        <span>
          {t('mailNewComments')}{' '}
          <span class="soft">{address === undefined ? t('mailNoAddress') : <bdi>{address}</bdi>}</span>
        </span>
      </label>
      <Failure error={action.error} />
    </div>
  );
}
