import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bucketOfProcess } from './network/bucket.ts';
import type { Answer, Caller, Sending } from './server.ts';

/** An upload as the API returns it. */
export type BlobBody = {
  id: number;
  name: string;
  media_type: string;
  width?: number;
  height?: number;
  size: number;
  thumbnail_url?: string;
};

/** A file to upload; the declared type is what a browser guesses or a hostile client claims. */
export type UploadFields = {
  readonly bytes?: string | Uint8Array<ArrayBuffer>;
  readonly name?: string;
  readonly type?: string;
};

/** Sends a form with one file. */
export async function sendUpload(
  by: Caller,
  { bytes = 'some text', name = 'note.txt', type = '' }: UploadFields = {},
  sending: Sending = {},
): Promise<Answer<BlobBody>> {
  const form = new FormData();
  form.set('blob', new Blob([bytes], { type }), name);
  return await by.call('POST', '/api/blobs', form, sending);
}

/** Uploads a file; fails unless it is accepted. */
export async function upload(
  by: Caller,
  fields: UploadFields = {},
  sending: Sending = {},
): Promise<BlobBody> {
  const answer = await sendUpload(by, fields, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Uploads several small texts and returns their ids in order. */
export async function uploadIds(by: Caller, count: number, sending: Sending = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i += 1)
    ids.push((await upload(by, { bytes: `text ${i}`, name: `note-${i}.txt` }, sending)).id);
  return ids;
}

/**
 * The files that a server stores, relative to its folder of blobs or to the bucket of this process; `tmp/` contains
 * unfinished ones.
 */
export function keptFiles(folder: string): string[] {
  const blobs = join(folder, 'blobs');
  if (!existsSync(blobs)) return [];
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(blobs.length + 1));
  return [...files, ...(bucketOfProcess()?.names() ?? [])].sort();
}

/** Removes the bytes of a blob without the server's knowledge. */
export function loseFile(folder: string, key: string): void {
  const name = `${key.slice(0, 2)}/${key}`;
  rmSync(bucketOfProcess()?.pathOf(name) ?? join(folder, 'blobs', name));
}

/** The code of the problem at an address. */
export async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}
