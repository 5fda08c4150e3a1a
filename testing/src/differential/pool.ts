import type { Random } from '../harness/random.ts';
import type { Fields, Shown } from './comparison.ts';
import { publicUrl } from './servers.ts';
import { type Text, Twin } from './twins.ts';

/** An id that nothing has on either server: where no object is known, a small one is another object on each. */
export const absentId = 987_654_321;

/** An object that both servers have shown, as last seen. */
export type Known = {
  readonly kind: string;
  readonly id: Twin<number>;
  /** Who created it in this run: the uid of a user, or `system`. */
  readonly by: string;
  fields: Fields;
  /** The object whose request first showed it, such as the webhook of a delivery. */
  within: Known | undefined;
  /** The uids of the users who have seen it. */
  readonly seenBy: Set<string>;
  /** Its uid or name, if it has one. */
  uid: Text | undefined;
  /** The address of its bytes, relative to the server. */
  addresses: readonly Text[];
};

/** The most remembered objects of one kind; the oldest are forgotten. */
const knownMax = 400;
/** How many deleted objects are remembered, to request them again. */
const goneMax = 20;

/** The objects on both servers, by kind, so that requests are about existing objects. */
export class Pool {
  readonly #kinds = new Map<string, Map<number, Known>>();
  readonly #gone = new Map<string, Twin<number>[]>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #of(kind: string): Map<number, Known> {
    const known = this.#kinds.get(kind) ?? new Map<number, Known>();
    this.#kinds.set(kind, known);
    return known;
  }

  /** Records an object that was shown to a caller, and whether the caller has just created it. */
  learn(
    { kind, id, fields: { left, right } }: Shown,
    to: string,
    { isMade = false, within }: { isMade?: boolean; within?: Known | undefined } = {},
  ): void {
    const all = this.#of(kind);
    const [here, there] = [left['uid'] ?? left['name'], right['uid'] ?? right['name']];
    const uid =
      typeof here !== 'string' ? undefined : here === there ? here : new Twin(here, String(there ?? here));
    const addresses = addressesIn(left, right);
    const before = all.get(id.left);
    if (before !== undefined) {
      if (addresses.length > 0) before.addresses = addresses;
      before.fields = { ...before.fields, ...left };
      before.uid = uid ?? before.uid;
      before.within ??= within;
      before.seenBy.add(to);
      return;
    }
    const by = isMade ? to : '';
    const known: Known = { kind, id, by, within, fields: left, seenBy: new Set([to]), uid, addresses };
    if (all.size >= knownMax) all.delete(all.keys().next().value ?? 0);
    all.set(id.left, known);
  }

  /** Records that a caller who sees everything did not find an object: it is in the trash, or gone. */
  missed(known: Known): void {
    if (known.fields['is_trashed'] === false) known.fields = { ...known.fields, is_trashed: true };
    else this.forget(known);
  }

  /** Records that an object is gone, with everything in it. */
  forget({ kind, id }: Known): void {
    this.#of(kind).delete(id.left);
    const isInside = ({ fields }: Known) =>
      kind === 'app'
        ? fields['app_id'] === id.left
        : (fields['parent'] as Fields | undefined)?.['id'] === id.left;
    if (kind === 'app' || kind === 'post' || kind === 'file')
      for (const inner of ['comment', 'post', 'message', 'file'])
        for (const known of this.all(inner)) if (isInside(known)) this.#of(inner).delete(known.id.left);
    const gone = this.#gone.get(kind) ?? [];
    this.#gone.set(kind, [...gone.slice(1 - goneMax), id]);
  }

  /** A matching object of a kind, recent ones more often; undefined when there is none. */
  pick(kind: string, fits: (known: Known) => boolean = () => true): Known | undefined {
    const all = [...this.#of(kind).values()].filter(fits);
    return this.#random.oneIn(2) ? this.#random.pick(all.slice(-8)) : this.#random.pick(all);
  }

  /** The id of a deleted object. */
  pickGone(kind: string): Twin<number> | undefined {
    return this.#random.pick(this.#gone.get(kind) ?? []);
  }

  all(kind: string): Known[] {
    return [...this.#of(kind).values()];
  }

  size(kind: string): number {
    return this.#of(kind).size;
  }
}

function addressesIn(left: Fields, right: Fields): Twin[] {
  return ['download_url', 'preview_url', 'thumbnail_url', 'avatar_url'].flatMap((name) => {
    const [here, there] = [String(left[name]), String(right[name])];
    return here.startsWith(publicUrl)
      ? [new Twin(here.slice(publicUrl.length), there.slice(publicUrl.length))]
      : [];
  });
}
