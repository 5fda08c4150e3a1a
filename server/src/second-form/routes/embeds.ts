import { invalidField } from 'confab-contract/problem.ts';
import { secondFormEmbedOperations } from 'confab-contract/second-form/embeds.ts';
import { handler } from '../../binding/handler.ts';
import { type EmbedParts, embedOf, keepMade } from '../../features/embeds/create.ts';
import { readMade } from '../../features/embeds/make.ts';

function required(url: string | null | undefined): string {
  if (url === undefined || url === null) throw invalidField('/url', 'required', 'is required');
  return url;
}

/** An embed of the page or picture at an address. */
export const embedAddress = handler(
  secondFormEmbedOperations.embedAddress,
  async ({ db, caller, query }, parts: EmbedParts) =>
    await embedOf({ db, caller }, parts.embeds.readAddress(required(query.url)), parts),
);

/** An embed of an address, or of what the client says. */
export const createEmbedInSecondForm = handler(
  secondFormEmbedOperations.createEmbedInSecondForm,
  (input, _call, { embeds }: EmbedParts) =>
    input.map(({ type, html, ...draft }) => {
      if (html !== undefined)
        throw invalidField('/html', 'not_allowed', 'must be absent: markup is not passed on');
      return type === undefined
        ? { address: embeds.readAddress(required(draft.url)) }
        : { made: readMade({ ...draft, type }, embeds.readLink) };
    }),
  async ({ db, caller, body }, parts: EmbedParts) =>
    body.made === undefined
      ? await embedOf({ db, caller }, body.address, parts)
      : await keepMade({ db, caller }, body.made, parts),
);
