import type { Failure, FieldError, Translate } from '../shared.ts';

/** What is said about signing in and about what the server refuses, in the language of the page where we know the reason. */

/** What to say about an answer that is none. */
export function failureText(t: Translate, { status, code, message, retryAfter = 60 }: Failure): string {
  if (status === 0) return t(navigator.onLine ? 'noAnswer' : 'offline');
  if (status === 429) return t('tooOften', { count: Math.ceil(retryAfter / 60) });
  if (code === 'sign_in_ended') return t('signInEnded');
  return message || t('didNotWork');
}

/** What is wrong with the field at a pointer, such as `/name`; undefined where nothing is. */
export function fieldText(t: Translate, { errors }: Failure, pointer: string): string | undefined {
  const error = errors?.find((each) => each.pointer === pointer);
  return error && (knownText(t, error) ?? error.message);
}

function knownText(t: Translate, { pointer, code }: FieldError): string | undefined {
  if (pointer !== '/name') return undefined;
  if (code === 'taken') return t('nameTaken');
  if (code === 'too_long') return t('nameTooLong');
  return code === 'invalid' ? t('nameInvalid') : undefined;
}
