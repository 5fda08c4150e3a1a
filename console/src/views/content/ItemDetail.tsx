import type { File } from 'confab-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../components/Dialog.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded, missingWords } from '../../components/Loaded.tsx';
import { NotFound } from '../../components/NotFound.tsx';
import { Page } from '../../components/Page.tsx';
import { ServerHtml } from '../../components/ServerHtml.tsx';
import { Time } from '../../components/Time.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import { formatBytes } from '../../i18n.ts';
import { navigate, type Params } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { AppName } from './AppName.tsx';
import { Items, States } from './Items.tsx';
import {
  type Change,
  changes,
  contentActions,
  type Item,
  isOpenTo,
  type Kind,
  kindNames,
  kindOf,
  kinds,
  operations,
  opposites,
} from './kinds.ts';
import { LockDialog } from './LockDialog.tsx';
import { t } from './messages.ts';
import { Revisions } from './Revisions.tsx';
import { rowOfItem } from './rows.ts';

/** One comment, post, message or file: what it says, what it said before, and what was written on it. */
export function ItemDetail({ params }: { readonly params: Params }) {
  const kind = kinds.find((each) => each === params.kind);
  return kind === undefined ? <NotFound /> : <Detail kind={kind} name={params.id ?? ''} />;
}

type DetailProps = {
  readonly kind: Kind;
  /** What stands in the address for the id. */
  readonly name: string;
};

function Detail({ kind, name }: DetailProps) {
  const id = Number(name);
  const { get, comments, revisions } = operations[kind];
  const query = useQuery(`${kind} ${id}`, (signal) => get(id, { trashed: true }, { signal }), {
    live: contentActions,
  });
  const item = query.data;
  return (
    <Page
      title={t(`${kind}One`, { id: name })}
      actions={
        item !== undefined && mayCall('moderate') && <Actions {...{ kind, item, onChange: query.refresh }} />
      }
    >
      <Loaded query={query} missing={missingWords(kindNames[kind], name)}>
        {(found) => (
          <>
            <About kind={kind} item={found} />
            {revisions !== undefined && found.modified_at !== undefined && (
              <Revisions
                kind={kind}
                id={id}
                list={revisions}
                text={'text' in found ? (found.text ?? '') : ''}
              />
            )}
            {comments !== undefined && !found.is_trashed && (
              <>
                <h2>{t('comments')}</h2>
                <Items
                  kind="comments"
                  name={`comments of ${kind} ${id}`}
                  app={String(found.app_id)}
                  isOldestFirst
                  open={(asked, options) => comments(id, asked, options)}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type ActionsProps = { readonly kind: Kind; readonly item: Item; readonly onChange: () => void };

function Actions({ kind, item, onChange }: ActionsProps) {
  const [dialog, setDialog] = useState<'lock' | 'delete'>();
  const { id } = item;
  const { lock, unlock, remove } = operations[kind];
  const action = useAction(async (change: Change) => {
    await operations[kind][change](id);
    onChange();
    toast(t(`${change}Done`, { count: 1 }), {
      undo: async () => {
        await operations[kind][opposites[change]](id);
        onChange();
      },
    });
  });
  const unlocking = useAction(async () => {
    await unlock?.(id);
    onChange();
    toast(t('unlocked'));
  });
  const isLocked = 'locked_at' in item && item.locked_at !== undefined;
  return (
    <>
      <Failure error={action.error ?? unlocking.error} />
      {changes
        .filter((change) => isOpenTo(change, item))
        .map((change) => (
          <button type="button" key={change} disabled={action.isRunning} onClick={() => action.run(change)}>
            {t(`${change}Button`)}
          </button>
        ))}
      {lock !== undefined && !item.is_trashed && !isLocked && (
        <button type="button" onClick={() => setDialog('lock')}>
          {t('lockButton')}
        </button>
      )}
      {isLocked && !item.is_trashed && (
        <button type="button" disabled={unlocking.isRunning} onClick={() => unlocking.run()}>
          {t('unlockButton')}
        </button>
      )}
      <button type="button" class="danger" onClick={() => setDialog('delete')}>
        {t('deleteButton')}
      </button>
      {dialog === 'lock' && lock !== undefined && (
        <LockDialog
          lock={(body) => lock(id, body)}
          onClose={(isDone) => {
            setDialog(undefined);
            if (isDone) onChange();
          }}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={t('deleteTitle')}
          text={t('deleteText')}
          button={t('deleteButton')}
          isDangerous
          change={async () => await remove(id)}
          onClose={(isDone) => {
            setDialog(undefined);
            if (isDone) navigate(`/apps/${item.app_id}`);
          }}
        />
      )}
    </>
  );
}

function About({ kind, item }: { readonly kind: Kind; readonly item: Item }) {
  const { parent, created_by, modified_at } = item;
  const parentKind = parent === undefined ? undefined : kindOf(parent.type);
  const row = rowOfItem(kind, item);
  return (
    <section class="card" aria-label={t('about')}>
      <dl class="facts">
        <Fact label={t('author')}>
          {created_by !== undefined && (
            <Link to={`/people/${encodeURIComponent(created_by.uid)}`}>
              <bdi>{created_by.display_name}</bdi>
            </Link>
          )}
        </Fact>
        <Fact label={t('written')}>
          <Time at={item.created_at} isExact />
        </Fact>
        {modified_at !== undefined && (
          <Fact label={t('edited')}>
            <Time at={modified_at} isExact />
          </Fact>
        )}
        <Fact label={t('inApp')}>
          <AppName id={item.app_id} at={kind === 'comments' ? item.id : undefined} />
        </Fact>
        {parent !== undefined && parentKind !== undefined && (
          <Fact label={t('on')}>
            <Link to={`/content/${parentKind}/${parent.id}`}>
              {t(`${parentKind}One`, { id: String(parent.id) })}
            </Link>
          </Fact>
        )}
        {(row.is_trashed || row.is_held || row.lockedAt !== undefined) && (
          <Fact label={t('state')}>
            <States {...row} />
          </Fact>
        )}
      </dl>
      {'html' in item && item.html !== undefined && <ServerHtml html={item.html} />}
      {'options' in item && item.options.length > 0 && (
        <ul>
          {item.options.map(({ id, text }) => (
            <li key={id} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
      {'name' in item && <FileLine file={item} />}
      {'attachments' in item && item.attachments.map((file) => <FileLine key={file.id} file={file} />)}
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type FileLineProps = {
  readonly file: Pick<File, 'name' | 'media_type' | 'size' | 'thumbnail_url' | 'download_url'>;
};

function FileLine({ file }: FileLineProps) {
  const { name, media_type, size, thumbnail_url, download_url } = file;
  return (
    <p class="file">
      {thumbnail_url !== undefined && <img src={thumbnail_url} alt="" />}
      <span>
        {download_url === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={download_url} download>
            <bdi>{name}</bdi>
          </a>
        )}{' '}
        <span class="soft">
          <bdi>{media_type}</bdi>, {formatBytes(size)}
        </span>
      </span>
    </p>
  );
}
