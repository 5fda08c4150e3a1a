import { invalidField } from 'confab-contract/problem.ts';
import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import type { User } from '../../kernel/principal.ts';
import { countCaller, type RateLimits } from '../../kernel/rate-limits.ts';
import { isReadByModerators } from '../moderation/approvals.ts';
import { prepareChange, type RequestedPicture, type UserChange, userReaders } from '../users/user-change.ts';
import { changeUser } from '../users/user-record.ts';
import { type UserParts, userDetail } from '../users/users.ts';
import { readName } from './visitor-names.ts';
import { includesVisitor, type SignIn, type SignInParts } from './ways.ts';

type Parts = SignInParts & UserParts & { readonly rateLimits: RateLimits };

/** Changes the name and the picture of the visitor. */
export const updateVisitor = handler(
  signingInOperations.updateVisitor,
  async (input, { principal, raw }, { signIn, pictures, rateLimits }: Parts) => {
    const { user } = principal;
    const read = input.read({ name: readName, picture: pictureReader(signIn, user) });
    const store = pictures.reader(principal, { id: user.id });
    const picture: typeof store = async (input, state) => {
      // Before it takes room, because an upload of a change that fails waits for a day.
      await countCaller(rateLimits, 'picture', { principal, clientAddress: raw.clientAddress });
      return await store(input, state);
    };
    const name = async (input: string) => await signIn.names.screen(input, user);
    return (await read.readLater({ name, picture })).map(prepareChange);
  },
  async (call, { signIn, ...parts }: Parts) => {
    const { tx, caller, body, at } = call;
    const { user } = caller;
    const { name } = body.values;
    if (typeof name === 'string') await signIn.names.assertFree(tx, name, { exceptId: user.id, at });
    await assertMayChange(tx, user, body);
    return await userDetail({ tx, caller }, await changeUser(call, user, body), parts);
  },
);

/**
 * Throws `validation_failed` for another name or picture of a visitor whose texts moderators approve, because both stand
 * beside what was approved with them. A picture can be removed.
 */
async function assertMayChange(read: Read, user: User, { values }: UserChange): Promise<void> {
  const field =
    typeof values.name === 'string' && values.name !== user.name
      ? '/name'
      : typeof values.pictureId === 'number'
        ? '/picture'
        : undefined;
  if (field !== undefined && (await isReadByModerators(read, user)))
    throw invalidField(field, 'not_allowed', 'cannot be changed while what you write waits for approval');
}

/**
 * Makes the reader of the picture of a visitor, who sends the bytes themselves: an address elsewhere would tell its server
 * who reads the page. It throws `validation_failed`.
 */
function pictureReader({ pictures }: SignIn, user: User): (input: string) => RequestedPicture {
  const isAllowed = includesVisitor(pictures, user);
  return (input) => {
    if (!isAllowed)
      throw invalidField('/picture', 'not_allowed', 'cannot be set, because you may have no picture');
    const picture = userReaders.picture(input);
    if (picture.kind === 'bytes') return picture;
    throw invalidField('/picture', 'invalid', 'must be a picture in base64');
  };
}
