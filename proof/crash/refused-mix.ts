import type { Operation } from 'confab-testing/harness/model.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import type { World, Writer } from './world.ts';

/** An id that no run reaches. */
const nobody = 900_000_000;

/**
 * A request that must be refused. Each has a fresh marker in what it would write, so that anything it leaves behind is
 * found; several are refused only after the transaction has begun to write.
 */
export function refusedOperation(
  world: World,
  writer: Writer,
  random: Random,
  marker: string,
): Omit<Operation, 'name' | 'credential'> | undefined {
  const { home } = writer;
  const other = world.writers[(writer.index + 1) % world.writers.length] ?? writer;
  const text = `${marker} must not be here`;
  const app = { uid: `home${writer.index}posts`, type: 'comments', name: marker };
  const drawn = random.pick<Pick<Operation, 'method' | 'path' | 'status'> & { body: unknown }>([
    // The uid of another of the client's apps.
    { method: 'POST', path: '/api/apps', body: app, status: 422 },
    { method: 'PATCH', path: `/api/apps/${home.comments.id}`, body: { ...app }, status: 422 },
    // A missing upload, which is noticed after the entry was inserted.
    {
      method: 'POST',
      path: `/api/apps/${home.comments.id}/comments`,
      body: { text, tags: [marker], blobs: [nobody] },
      status: 422,
    },
    { method: 'POST', path: `/api/apps/${nobody}/comments`, body: { text }, status: 404 },
    { method: 'POST', path: `/api/apps/${home.files.id}/comments`, body: { text }, status: 422 },
    { method: 'POST', path: `/api/apps/${home.comments.id}/comments`, body: { text: 5 }, status: 400 },
    // Another user's app, in which the client may write but which it does not manage.
    {
      method: 'PATCH',
      path: `/api/apps/${other.home.comments.id}`,
      body: { description: marker },
      status: 403,
    },
    // The first of these users exists.
    {
      method: 'POST',
      path: `/api/apps/${home.comments.id}/members`,
      body: [{ uid: world.readerUids[0] }, { uid: `nobody-${marker}` }],
      status: 404,
    },
    {
      method: 'POST',
      path: '/api/webhooks',
      body: { payload_url: `http://127.0.0.1:1999/${marker}`, triggers: ['comments'] },
      status: 403,
    },
  ]);
  return drawn === undefined ? undefined : { ...drawn, effects: [] };
}
