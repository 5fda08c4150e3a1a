import type { AppView } from '../../access/access.ts';
import type { Read } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { firstMembers } from '../members/member-json.ts';
import { renderedUsers } from '../users/users.ts';
import { renderApp } from './app-json.ts';

const everything: ReadonlySet<string> = new Set(['created_by', 'modified_by', 'members']);

/** The reader of apps, with the caller's access. */
type Reader = { readonly read: Read; readonly caller: Principal };

/** An app with its creator, last editor and first members. */
export async function appDetail(reader: Reader, app: AppView): Promise<Json> {
  const [rendered] = await renderApps(reader, [app], everything);
  if (rendered === undefined) throw new Error('an app was not rendered');
  return rendered;
}

/** Renders apps with what `expand` names. The number of statements does not depend on the number of apps. */
export async function renderApps(
  { read, caller }: Reader,
  apps: readonly AppView[],
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  const users = await renderedUsers(
    read,
    caller,
    apps.flatMap((app) => [
      ...(expand.has('created_by') ? [app.createdById] : []),
      ...(expand.has('modified_by') && app.modifiedById !== null ? [app.modifiedById] : []),
    ]),
  );
  const ids = apps.map(({ id }) => id);
  const members = expand.has('members') ? await firstMembers(read, ids, caller.form) : undefined;
  return apps.map((app) =>
    renderApp(app, {
      createdBy: expand.has('created_by') ? users.get(app.createdById) : undefined,
      modifiedBy:
        expand.has('modified_by') && app.modifiedById !== null ? users.get(app.modifiedById) : undefined,
      members: members?.get(app.id),
      form: caller.form,
    }),
  );
}
