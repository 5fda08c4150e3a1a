import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFolderPlace } from 'confab-server/src/backup/folder-place.ts';
import { lastFinished } from 'confab-server/src/backup/list.ts';
import { verifyBackup } from 'confab-server/src/backup/verify.ts';
import type { FaultPlan } from 'confab-testing/disk/shim.ts';
import { Client, uploadOf } from 'confab-testing/harness/client.ts';
import { mustConfab, runConfab } from 'confab-testing/harness/confab-command.ts';
import { freshKey } from 'confab-testing/harness/confab-process.ts';
import { startLocal } from 'confab-testing/harness/local-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { importDone, outcomeOf } from '../power/works.ts';
import { type Fault, type Point, textOf } from './sweep.ts';

/** A disk that is full from one call on, in the middle of a backup or of an import. */

const full: Fault = { error: 'ENOSPC', isLasting: true };
const key = freshKey();
/** The library that lets the calls of this process fail does so in its commands. */
const shim = Object.fromEntries(
  ['LD_PRELOAD', 'DISK_SHIM_ROOT', 'DISK_SHIM_FAULT'].map((name) => [name, process.env[name] ?? '']),
);
const outcomes = { untouched: 'untouched', failed: 'failed', done: 'done' } as const;

/** A sweep over the calls of a work of several minutes at most. */
export class FullDisk {
  readonly #root: string;
  readonly #plan: FaultPlan;
  #template: string | undefined;
  #outcome = '';

  constructor(root: string, plan: FaultPlan) {
    this.#root = root;
    this.#plan = plan;
  }

  /** A store with some content, and a place with a backup of it. */
  async #prepared(): Promise<string> {
    if (this.#template !== undefined) return this.#template;
    const template = join(this.#root, 'template-full');
    mkdirSync(template);
    const data = join(template, 'data');
    {
      await using server = await startLocal({ folder: data, key, parts: { isQuiet: true } });
      await using client = new Client(server);
      await client.must('PUT', '/api/apps/full', { type: 'files' });
      for (let number = 0; number < 3; number += 1) {
        const blob = await client.create(
          '/api/blobs',
          uploadOf(`${number}.txt`, `file ${number} `.repeat(2000)),
        );
        await client.must('POST', '/api/apps/full/files', { blob_id: blob });
      }
    }
    await mustConfab(['backup', 'create', join(template, 'place')], { CONFAB_DATA_DIR: data });
    {
      await using server = await startLocal({ folder: data, key, parts: { isQuiet: true } });
      await using client = new Client(server);
      const blob = await client.create('/api/blobs', uploadOf('late.txt', 'a late file '.repeat(2000)));
      await client.must('POST', '/api/apps/full/files', { blob_id: blob });
    }
    const sound = join(this.#root, 'sound-full');
    cpSync(data, sound, { recursive: true });
    {
      await using server = await startLocal({ folder: sound, key });
      await using client = new Client(server);
      await importDone(client, () => undefined);
    }
    this.#outcome = outcomeOf(sound);
    rmSync(sound, { recursive: true });
    this.#template = template;
    return template;
  }

  async #fresh(): Promise<string> {
    const template = await this.#prepared();
    const folder = join(this.#root, 'run-full');
    rmSync(folder, { recursive: true, force: true });
    cpSync(template, folder, { recursive: true });
    return folder;
  }

  #arm(first: number): void {
    this.#plan.arm({ first, last: Number.MAX_SAFE_INTEGER, error: full.error });
  }

  /** A backup whose call number `first` finds the disk full. */
  async backup(first: number): Promise<Point> {
    const folder = await this.#fresh();
    const [data, to] = [join(folder, 'data'), join(folder, 'place')];
    const wrong: string[] = [];
    this.#arm(first);
    const { status, stderr } = await runConfab(['backup', 'create', to], { CONFAB_DATA_DIR: data, ...shim });
    const failed = this.#plan.disarm();
    if (status !== 0 && !/^confab: [^\n]+\n$/.test(stderr)) wrong.push(`the command says ${stderr}`);
    wrong.push(...(await damageIn(to)));
    // With room again, the next one is whole.
    const again = await runConfab(['backup', 'create', to], { CONFAB_DATA_DIR: data });
    if (again.status !== 0) wrong.push(`the next backup fails: ${again.stderr}`);
    else wrong.push(...(await damageIn(to)));
    const ended = status === 0 ? outcomes.done : outcomes.failed;
    return {
      what: textOf(first, full, failed),
      outcome: failed.length === 0 ? outcomes.untouched : ended,
      wrong,
    };
  }

  /** An import whose call number `first` finds the disk full. */
  async import(first: number): Promise<Point> {
    const folder = await this.#fresh();
    const data = join(folder, 'data');
    const wrong: string[] = [];
    let outcome: string = outcomes.done;
    let failed: readonly string[];
    {
      await using server = await startLocal({ folder: data, key });
      await using client = new Client(server);
      let isOver = false;
      this.#arm(first);
      const importing = importDone(client, () => undefined)
        .catch(() => undefined)
        .finally(() => {
          isOver = true;
        });
      await poll('the import to end, or the disk to be full', () =>
        isOver || this.#plan.failed().length > 0 ? true : undefined,
      );
      if (!isOver) outcome = outcomes.failed;
      const { status } = await fetch(`${server.url}/api/apps/full`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (status !== 200) wrong.push(`reads answer ${status} while the disk is full`);
      failed = this.#plan.disarm();
      await client.close();
      await importing;
    }
    try {
      const parts = { clock: { now: () => Date.now() + 600_000 } };
      await using server = await startLocal({ folder: data, key, parts });
      await using client = new Client(server);
      await importDone(client, () => undefined);
    } catch (error) {
      wrong.push(`with room again the import does not come to its end: ${error}`);
    }
    const state = outcomeOf(data);
    if (state !== this.#outcome) wrong.push(`the outcome is ${state}, not ${this.#outcome}`);
    return {
      what: textOf(first, full, failed),
      outcome: failed.length === 0 ? outcomes.untouched : outcome,
      wrong,
    };
  }
}

/** What is wrong with the newest finished backup of a place. */
async function damageIn(folder: string): Promise<readonly string[]> {
  try {
    const place = await openFolderPlace(folder, { isWritten: false });
    const id = await lastFinished(place);
    const { damage } = await verifyBackup({ place, id, passphrase: undefined });
    return damage.map((what) => `the backup ${id} is damaged: ${what}`);
  } catch (error) {
    return [`the place has no whole backup: ${error}`];
  }
}
