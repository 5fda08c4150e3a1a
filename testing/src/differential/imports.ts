import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { Random } from '../harness/random.ts';
import type { Caller } from './callers.ts';
import { drawExport } from './exports.ts';
import type { Planned } from './requests.ts';
import type { Answer, Request } from './servers.ts';
import type { Texts } from './texts.ts';
import { type Pair, type Text, textOf, twinIn, valueFor } from './twins.ts';
import { formOf } from './uploads.ts';

/**
 * Imports an export: uploads it, tries the import, mostly runs it and sometimes takes it back. Drawn requests hardly ever
 * come in this order.
 */
export async function tryImport(
  { caller, random, texts }: { caller: Caller; random: Random; texts: Texts },
  perform: (planned: Planned) => Promise<Pair<Answer>>,
): Promise<void> {
  const send = async (
    operation: Operation,
    path: Text,
    sent: { readonly type: string; readonly body: Request['body'] } | undefined,
  ): Promise<Pair<Answer>> => {
    const headers = { ...caller.headers, ...(sent === undefined ? {} : { 'content-type': sent.type }) };
    const body = sent?.body === undefined ? {} : { body: sent.body };
    const request = { method: operation.method, path, headers, ...body };
    return await perform({ name: operation.id, operation, caller, request, about: undefined });
  };
  const file = drawExport(random, texts);
  const { type, bytes } = formOf(`${texts.word()}.xml`, file.bytes);
  const blob = await send(operations.createBlob, '/api/blobs', { type, body: () => bytes });
  if (blob.left.status !== 201) return;
  const wanted = {
    kind: random.oneIn(10) ? random.pick(['disqus', 'wordpress']) : file.kind,
    blob_id: twinIn(blob, 'id', Number),
    keeps_emails: random.oneIn(2),
    replies: random.pick(['thread', 'quote']),
  };
  const created = await send(operations.createImport, '/api/imports', {
    type: 'application/json',
    body: (side) => JSON.stringify(valueFor(wanted, side)),
  });
  if (created.left.status !== 201) return;
  const path = textOf`/api/imports/${twinIn(created, 'id', Number)}`;
  const steps = [operations.runImport, operations.undoImport].slice(0, random.integer(0, 2));
  for (const operation of steps) {
    const action = operation === operations.runImport ? 'run' : 'undo';
    await send(operation, textOf`${path}/${action}`, undefined);
  }
}
