import { uploadOf } from 'confab-testing/harness/client.ts';
import {
  current,
  type Facts,
  isSame,
  type Kind,
  type Model,
  type Operation,
  type Tracked,
} from 'confab-testing/harness/model.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import { deletion, isLive, reaction, vote } from './entry-changes.ts';
import { refusedOperation } from './refused-mix.ts';
import type { World, Writer } from './world.ts';

type Known = NonNullable<Facts>;
/** A request, by the client unless it names another credential. */
type Drawn = Omit<Operation, 'name' | 'credential'> & Partial<Pick<Operation, 'credential'>>;

/** How many of a client's objects of one kind are still changed; older ones must stay unchanged. */
const changedMax = 60;
const webhooksMax = 3;

/** Draws the requests of one client, about its own objects whose state is known. */
export class WriteMix {
  readonly #own = new Map<Kind, Tracked[]>();
  readonly #usedBlobs = new Set<Tracked>();
  /** Posts and files with comments, which would be hidden with them; these are not trashed. */
  readonly #parents = new Set<Tracked>();
  readonly #model: Model;
  readonly #world: World;
  readonly #writer: Writer;
  readonly #random: Random;
  #made = 0;
  #keys = 0;
  /** The last draw. */
  #last: Operation | undefined;

  /** Each kind of request: how often it is drawn, relative to the sum, and how. */
  readonly #kinds: { readonly [name: string]: readonly [weight: number, draw: () => Drawn | undefined] } = {
    createComment: [30, () => this.#createComment()],
    editComment: [10, () => this.#editEntry('comment')],
    trashOrRestoreComment: [8, () => this.#trashOrRestore('comment')],
    createPost: [
      5,
      () => this.#createEntry('post', this.#commentsOf('app', this.#writer.home.posts.id ?? 0, 'posts')),
    ],
    editPost: [2, () => this.#editEntry('post')],
    trashOrRestorePost: [2, () => this.#trashOrRestore('post')],
    react: [6, () => this.#react()],
    vote: [6, () => this.#vote()],
    deleteEntry: [3, () => this.#deleteEntry()],
    upload: [8, () => this.#upload()],
    createFile: [4, () => this.#createFile()],
    trashOrRestoreFile: [3, () => this.#trashOrRestore('file')],
    createApp: [4, () => this.#createApp('POST')],
    upsertApp: [6, () => (this.#random.oneIn(2) ? this.#createApp('PUT') : this.#editApp('PUT'))],
    editApp: [3, () => this.#editApp('PATCH')],
    trashOrRestoreApp: [3, () => this.#trashOrRestore('app')],
    putMember: [3, () => this.#putMembers(1)],
    putMembers: [3, () => this.#putMembers(this.#random.integer(2, 5))],
    removeMembers: [3, () => this.#removeMembers()],
    changeWebhook: [3, () => this.#changeWebhook()],
    refused: [8, () => refusedOperation(this.#world, this.#writer, this.#random, this.#marker())],
  };
  readonly #sumOfWeights = Object.values(this.#kinds).reduce((sum, [weight]) => sum + weight, 0);

  constructor(model: Model, world: World, writer: Writer, random: Random) {
    this.#model = model;
    this.#world = world;
    this.#writer = writer;
    this.#random = random;
  }

  /** The next request; undefined when there is no object for the draw. */
  next(): Operation | undefined {
    let drawn = this.#random.integer(1, this.#sumOfWeights);
    for (const [name, [weight, draw]] of Object.entries(this.#kinds)) {
      drawn -= weight;
      if (drawn > 0) continue;
      const operation = draw();
      if (operation === undefined) return undefined;
      this.#keys += 1;
      const { method } = operation;
      const isKeyed = (method === 'POST' || method === 'PATCH') && name !== 'upload';
      const key = isKeyed ? { key: `${this.#writer.uid}-${this.#keys}` } : {};
      this.#last = { credential: this.#writer.token, ...operation, name, ...key };
      return this.#last;
    }
    return undefined;
  }

  /**
   * The last request with the required result of repeating it, if it changes one of `open` and has a key or is a PUT that
   * creates something.
   */
  repeatable(open: readonly Tracked[]): Operation[] {
    const last = this.#last;
    const [effect] = last?.effects ?? [];
    if (last === undefined || effect === undefined || !open.includes(effect.object)) return [];
    if (last.key === undefined && (last.method !== 'PUT' || last.status !== 201)) return [];
    if (!isSame(current(effect.object).facts, effect.facts)) return [last];
    const effects = last.effects.map((each) => ({ ...each, events: [] }));
    return [{ ...last, status: last.key === undefined ? 200 : last.status, effects }];
  }

  #marker(): string {
    this.#made += 1;
    return `m${this.#writer.index}x${this.#made}`;
  }

  #track(kind: Kind): Tracked {
    const object = this.#model.track(kind, this.#marker());
    const own = this.#own.get(kind) ?? [];
    this.#own.set(kind, own);
    own.push(object);
    if (own.length > changedMax) own.shift();
    return object;
  }

  /** One of the client's existing objects of a kind, with its facts. */
  #pick(
    kind: Kind,
    isWanted: (facts: Known, object: Tracked) => boolean = () => true,
  ): { object: Tracked; id: number; facts: Known } | undefined {
    const found = (this.#own.get(kind) ?? []).flatMap((object) => {
      if (object.possible.length > 1 || object.id === undefined) return [];
      const { facts } = current(object);
      return facts !== undefined && isWanted(facts, object) ? [{ object, id: object.id, facts }] : [];
    });
    return this.#random.pick(found);
  }

  #commentsOf(type: 'app' | 'post' | 'file', id: number, leaf = 'comments') {
    return { type, id, path: `/api/${type}s/${id}/${leaf}` };
  }

  #createComment() {
    const { home } = this.#writer;
    const place = this.#random.integer(1, 10);
    if (place <= 2) return this.#createEntry('comment', this.#commentsOf('app', this.#world.shared.id ?? 0));
    if (place <= 4) {
      const type = place === 3 ? 'post' : 'file';
      const parent = this.#pick(type, (facts) => facts.is_trashed === false);
      if (parent === undefined) return undefined;
      this.#parents.add(parent.object);
      return this.#createEntry('comment', this.#commentsOf(type, parent.id), parent.facts.app_id);
    }
    return this.#createEntry('comment', this.#commentsOf('app', home.comments.id ?? 0));
  }

  #createEntry(
    kind: 'comment' | 'post',
    parent: { type: string; id: number; path: string },
    appId: unknown = parent.id,
  ) {
    const object = this.#track(kind);
    const blob = this.#random.oneIn(3) ? this.#freeBlob() : undefined;
    const options = this.#random.oneIn(5) ? ['Yes', 'No', `Ask ${object.marker}`] : [];
    const tags = this.#random.oneIn(3) ? [`t${this.#random.integer(1, 9)}`, object.marker] : [];
    const metadata = this.#random.oneIn(4) ? { marker: object.marker, list: [1, 'two'] } : undefined;
    const text = `${object.marker} says **something** of [${this.#writer.uid}](https://example.com).`;
    const facts = {
      app_id: appId,
      parent: { id: parent.id, type: parent.type },
      text,
      options,
      votes: options.map(() => 0),
      reactions: [],
      attachments: blob === undefined ? [] : [`${blob.object.marker}.txt`],
      attachment_count: blob === undefined ? 0 : 1,
      option_count: options.length,
      metadata,
      tags,
      is_trashed: false,
    };
    return {
      method: 'POST',
      path: parent.path,
      body: {
        text,
        tags,
        ...(metadata === undefined ? {} : { metadata }),
        ...(options.length === 0 ? {} : { options: options.map((option) => ({ text: option })) }),
        ...(blob === undefined ? {} : { blobs: [blob.id] }),
      },
      status: 201,
      effects: [{ object, facts, events: [`${kind}_created`] }],
    };
  }

  #editEntry(kind: 'comment' | 'post') {
    const chosen = this.#pick(kind, (facts) => facts.is_trashed === false);
    if (chosen === undefined) return undefined;
    this.#made += 1;
    const text = `${chosen.object.marker} says it again, time ${this.#made}.`;
    const tags = this.#random.oneIn(2) ? [`t${this.#made}`] : undefined;
    const facts = { ...chosen.facts, text, ...(tags === undefined ? {} : { tags }) };
    return {
      method: 'PATCH',
      path: `/api/${kind}s/${chosen.id}`,
      body: { text, ...(tags === undefined ? {} : { tags }) },
      status: 200,
      effects: [{ object: chosen.object, facts, events: [`${kind}_updated`] }],
    };
  }

  #react() {
    const chosen = this.#pick(this.#random.oneIn(3) ? 'post' : 'comment', isLive);
    const emoji = this.#random.draw(['👍', '😎']);
    return chosen === undefined ? undefined : reaction(chosen, emoji);
  }

  #vote() {
    const chosen = this.#pick('comment', (facts, object) => isLive(facts) && object.options.length > 0);
    if (chosen === undefined) return undefined;
    const place = this.#random.integer(0, chosen.object.options.length - 1);
    return vote(chosen, place);
  }

  #deleteEntry() {
    const kind = this.#random.oneIn(4) ? 'post' : 'comment';
    // Without attachments, whose uploads are swept later.
    const chosen = this.#pick(
      kind,
      (facts, object) => facts.attachment_count === 0 && !this.#parents.has(object),
    );
    return chosen === undefined ? undefined : deletion(kind, chosen);
  }

  #trashOrRestore(kind: 'comment' | 'post' | 'file' | 'app') {
    const chosen = this.#pick(kind, (_facts, object) => !this.#parents.has(object));
    if (chosen === undefined) return undefined;
    const isTrashed = chosen.facts.is_trashed === false;
    const verb = isTrashed ? 'trash' : 'restore';
    return {
      method: 'POST',
      path: `/api/${kind}s/${chosen.id}/${verb}`,
      status: 200,
      effects: [
        {
          object: chosen.object,
          facts: { ...chosen.facts, is_trashed: isTrashed },
          events: [`${kind}_${verb}${isTrashed ? 'ed' : 'd'}`],
        },
      ],
    };
  }

  #upload() {
    const object = this.#track('blob');
    const text = `${object.marker} `.repeat(this.#random.integer(1, 200));
    return {
      method: 'POST',
      path: '/api/blobs',
      body: uploadOf(`${object.marker}.txt`, text),
      status: 201,
      effects: [{ object, facts: { name: `${object.marker}.txt`, size: text.length }, events: [] }],
    };
  }

  /** An upload that no request has tried to use. */
  #freeBlob() {
    const blob = this.#pick('blob', (_facts, object) => !this.#usedBlobs.has(object));
    if (blob !== undefined) this.#usedBlobs.add(blob.object);
    return blob;
  }

  #createFile() {
    const blob = this.#freeBlob();
    if (blob === undefined) return undefined;
    const object = this.#track('file');
    const facts = {
      app_id: this.#writer.home.files.id,
      name: `${object.marker}.txt`,
      size: blob.facts.size,
      version: 1,
      metadata: undefined,
      tags: [object.marker],
      is_trashed: false,
    };
    return {
      method: 'POST',
      path: `/api/apps/${facts.app_id}/files`,
      body: { blob_id: blob.id, name: facts.name, tags: facts.tags },
      status: 201,
      effects: [{ object, facts, events: ['file_created'] }],
    };
  }

  #createApp(method: 'POST' | 'PUT') {
    const object = this.#track('app');
    const uid = `uid-${object.marker}`;
    const facts = {
      uid,
      type: 'comments',
      access: 'read',
      name: object.marker,
      description: undefined,
      metadata: { marker: object.marker },
      tags: [object.marker],
      is_trashed: false,
      members: { [this.#writer.uid]: 'write' },
      member_count: 1,
    };
    const { type, access, name, metadata, tags } = facts;
    const fields = { type, access, name, metadata, tags };
    return {
      method,
      path: method === 'POST' ? '/api/apps' : `/api/apps/${uid}`,
      body: method === 'POST' ? { uid, ...fields } : fields,
      status: 201,
      effects: [{ object, facts, events: ['app_created'] }],
    };
  }

  #editApp(method: 'PUT' | 'PATCH') {
    const chosen = this.#pick('app', (facts) => facts.is_trashed === false);
    if (chosen === undefined) return undefined;
    this.#made += 1;
    const description = `Edition ${this.#made} of ${chosen.object.marker}`;
    const tags = [`t${this.#made}`];
    const { uid, type } = chosen.facts;
    return {
      method,
      path: `/api/apps/${method === 'PUT' ? uid : chosen.id}`,
      body: { ...(method === 'PUT' ? { type } : {}), description, tags },
      status: 200,
      effects: [
        { object: chosen.object, facts: { ...chosen.facts, description, tags }, events: ['app_updated'] },
      ],
    };
  }

  #putMembers(count: number) {
    const chosen = this.#pick('app', (facts) => facts.is_trashed === false);
    if (chosen === undefined) return undefined;
    const members = { ...(chosen.facts.members as { [uid: string]: string }) };
    const wanted = new Map<string, string>();
    for (let i = 0; i < count; i += 1)
      wanted.set(this.#random.draw(this.#world.readerUids), this.#random.oneIn(2) ? 'read' : 'write');
    const changed = [...wanted].filter(([uid, access]) => members[uid] !== access);
    const events = changed
      .map(([uid]) => ({ id: this.#world.userIds.get(uid) ?? 0, isNew: members[uid] === undefined }))
      .sort((a, b) => a.id - b.id)
      .map(({ id, isNew }) => `member_${isNew ? 'added' : 'updated'} ${id}`);
    for (const [uid, access] of changed) members[uid] = access;
    const list = [...wanted].map(([uid, access]) => ({ uid, access }));
    const [only] = list;
    const path = `/api/apps/${chosen.id}/members`;
    return {
      ...(count === 1 && only !== undefined
        ? { method: 'PUT', path: `${path}/${only.uid}`, body: { access: only.access } }
        : { method: 'POST', path, body: list }),
      status: 204,
      effects: [{ object: chosen.object, facts: withMembers(chosen.facts, members), events }],
    };
  }

  #removeMembers() {
    const chosen = this.#pick(
      'app',
      (facts) => facts.is_trashed === false && Object.keys(facts.members as object).length > 2,
    );
    if (chosen === undefined) return undefined;
    const members = { ...(chosen.facts.members as { [uid: string]: string }) };
    const leaving = Object.keys(members)
      .filter((uid) => uid !== this.#writer.uid)
      .slice(0, this.#random.integer(1, 2));
    for (const uid of leaving) delete members[uid];
    const events = leaving.map((uid) => `member_removed ${this.#world.userIds.get(uid)}`);
    const [only = ''] = leaving;
    const path = `/api/apps/${chosen.id}/members`;
    return {
      method: 'DELETE',
      ...(leaving.length === 1 ? { path: `${path}/${only}` } : { path, body: leaving }),
      status: 204,
      effects: [{ object: chosen.object, facts: withMembers(chosen.facts, members), events }],
    };
  }

  #changeWebhook() {
    const here = (this.#own.get('webhook') ?? []).filter((object) => current(object).facts !== undefined);
    const credential = this.#world.key;
    const triggers = this.#random.oneIn(2) ? ['comments'] : ['files', 'members'];
    if (here.length < webhooksMax && this.#random.oneIn(2)) {
      const object = this.#track('webhook');
      const facts = {
        // Nothing listens on the discard port: the deliveries of these webhooks do not matter here.
        payload_url: `http://127.0.0.1:1999/${object.marker}`,
        triggers,
        is_enabled: false,
      };
      return {
        credential,
        method: 'POST',
        path: '/api/webhooks',
        body: { payload_url: facts.payload_url, triggers, enabled: false },
        status: 201,
        effects: [{ object, facts, events: ['webhook_created'] }],
      };
    }
    const chosen = this.#pick('webhook');
    if (chosen === undefined) return undefined;
    const path = `/api/webhooks/${chosen.id}`;
    const { object } = chosen;
    if (here.length === webhooksMax)
      return {
        credential,
        method: 'DELETE',
        path,
        status: 204,
        effects: [{ object, facts: undefined, events: ['webhook_deleted'] }],
      };
    this.#made += 1;
    const facts = {
      ...chosen.facts,
      triggers,
      payload_url: `http://127.0.0.1:1999/${object.marker}?time=${this.#made}`,
    };
    return {
      credential,
      method: 'PATCH',
      path,
      body: { triggers, payload_url: facts.payload_url },
      status: 200,
      effects: [{ object, facts, events: ['webhook_updated'] }],
    };
  }
}

function withMembers(facts: Known, members: { readonly [uid: string]: string }): Facts {
  return { ...facts, members, member_count: Object.keys(members).length };
}
