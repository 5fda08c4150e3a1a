import { findApp } from '../../access/access.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { recordApp } from '../apps/app-changes.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import type { ErasingStep } from './erasures.ts';
import { clearPictures, picturedApps } from './owned-rows.store.ts';

/** Removes the first pictures of apps that the person uploaded, each with an event; returns how many. */
export async function erasePictures(
  tx: Tx,
  { person: { userId }, caller, at }: ErasingStep,
  top: number,
): Promise<number> {
  const rows = await tx.all(picturedApps, { userId, top });
  if (rows.length === 0) return 0;
  await tx.run(clearPictures, { ids: rows.map(({ id }) => id) });
  await dropBlobs(
    tx,
    rows.map(({ pictureId }) => pictureId).filter((id) => id !== null),
    at,
  );
  const change = { tx, at, caller: { ...caller, kind: 'key' } satisfies Principal };
  for (const { id } of rows) {
    const app = await findApp(tx, change.caller, { id });
    if (app !== undefined) await recordApp(change, 'app_updated', { app });
  }
  return rows.length;
}
