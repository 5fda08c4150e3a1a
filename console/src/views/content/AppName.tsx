import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { PageLink, pageOf } from '../../components/PageLink.tsx';
import { useQuery } from '../../data.ts';
import { t } from './messages.ts';

type Named = { readonly name: string; readonly page: string | undefined };

const asked = new Map<number, Promise<Named>>();

/** The name of an app and the address of its page, asked for once however many items of a list are in it. */
function namedOf(id: number): Promise<Named> {
  const read = () =>
    client.getApp(id, { trashed: true }).then((app) => ({ name: app.display_name, page: pageOf(app) }));
  const found = asked.get(id) ?? read();
  asked.set(id, found);
  const forget = () => void asked.delete(id);
  found.then(forget, forget);
  return found;
}

type AppNameProps = {
  readonly id: number;
  /** The comment at which the page is opened, where the address of the page is known. */
  readonly at?: number | undefined;
};

function useNamed(id: number): Named {
  const { data } = useQuery(`app name ${id}`, () => namedOf(id));
  return data ?? { name: t('app', { id: String(id) }), page: undefined };
}

/** A link to the app that an item is in, with its name, and one to the page where it stands. */
export function AppName({ id, at }: AppNameProps) {
  return (
    <>
      <Link to={`/apps/${id}`}>
        <bdi>
          <AppWords id={id} />
        </bdi>
      </Link>
      <AppPage id={id} at={at} />
    </>
  );
}

/** The name of an app. */
export function AppWords({ id }: { readonly id: number }) {
  return <>{useNamed(id).name}</>;
}

/** A link to the page where an item stands, if its address is known. */
export function AppPage({ id, at }: AppNameProps) {
  const { page } = useNamed(id);
  return page === undefined ? null : <PageLink address={page} at={at} />;
}
