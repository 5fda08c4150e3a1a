import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { useQuery } from '../../data.ts';
import { t } from './messages.ts';

const asked = new Map<number, Promise<string>>();

/** The name of an app, asked for once however many items of a list are in it. */
function nameOf(id: number): Promise<string> {
  const found = asked.get(id) ?? client.getApp(id, { trashed: true }).then((app) => app.display_name);
  asked.set(id, found);
  const forget = () => void asked.delete(id);
  found.then(forget, forget);
  return found;
}

/** A link to the app that an item is in, with its name. */
export function AppName({ id }: { readonly id: number }) {
  const { data } = useQuery(`app name ${id}`, () => nameOf(id));
  return (
    <Link to={`/apps/${id}`}>
      <bdi>{data ?? t('app', { id: String(id) })}</bdi>
    </Link>
  );
}
