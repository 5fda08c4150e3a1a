import { profileFields } from 'confab-contract/users.ts';
import { isLongerThan } from 'confab-contract/values/characters.ts';
import { isEmail, pictureAddress, prepareChange, type UserChange } from './user-change.ts';

/** The claims of OpenID Connect that are texts of a profile under the same name (OpenID Connect Core, section 5.1). */
const textClaims = ['name', 'given_name', 'middle_name', 'family_name', 'nickname', 'email'] as const;

/**
 * The profile that an identity provider states in its claims. A claim that no profile can hold (of another type, too
 * long, an address that its owner has not verified) is left out rather than refused: it must not lock a user out.
 */
export function readProfileClaims(claims: { readonly [claim: string]: unknown }): UserChange {
  const texts: { [C in (typeof textClaims)[number]]?: string } = {};
  for (const claim of textClaims) {
    const text = claims[claim];
    const { maxLength } = profileFields[claim] as { maxLength?: number };
    if (typeof text === 'string' && isStorable(text) && !isLongerThan(text, maxLength ?? 0))
      texts[claim] = text;
  }
  const { email, ...names } = texts;
  const picture = typeof claims.picture === 'string' ? pictureAddress(claims.picture) : undefined;
  return prepareChange({
    ...names,
    ...(email === undefined || !isEmail(email) || claims.email_verified === false ? {} : { email }),
    ...(picture === undefined ? {} : { picture: { pictureId: null, pictureUrl: picture } }),
  });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
