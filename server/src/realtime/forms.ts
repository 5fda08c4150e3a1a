import { createHash } from 'node:crypto';
import type { Peers } from '../db/db.ts';

/**
 * In which form a live connection gets events (decision 0186). Its requests do not say so; those that a newer client sends
 * with the same access token do, and they are remembered. A connection that may be of such a client *follows* its token.
 */

/** The most access tokens that are remembered; beyond it the oldest are forgotten, until their next request. */
const rememberedMax = 10_000;
/** The first version of SignalR that a client of the second form has. */
const signalRMin = 8;

const signalR = /^Microsoft SignalR\/(\d{1,4})\./;
const notice = /^(\d{1,16}) ([\w-]{22}) (\d{2})$/;

/** What is known of the form of a connection: a version, or the key of the token that it follows. None is the first. */
export type FormOfConnection = { readonly form?: number | undefined; readonly formKey?: string | undefined };

/** The second form of an access token, which `userId` has. */
export type TokenForm = { readonly userId: number; readonly key: string; readonly form: number };

/** The key under which the form of a credential is remembered. It is no secret. */
export function formKeyOf(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64url').slice(0, 22);
}

/** Whether a client can be one of the second form by the version of SignalR in a browser. */
export function mayBeSecond(userAgent: string | string[] | undefined): boolean {
  return Number(signalR.exec(String(userAgent))?.[1] ?? 0) >= signalRMin;
}

/** Remembers the forms of access tokens. `onNews` gets each that was not known, of this node and of others. */
export function createTokenForms({
  peers,
  onNews,
}: {
  readonly peers: Peers | undefined;
  readonly onNews: (news: TokenForm) => void;
}) {
  const forms = new Map<string, number>();

  /** Returns whether that is news. */
  function remember(news: TokenForm): boolean {
    const { key, form } = news;
    const known = forms.get(key);
    // The token that was used last is forgotten last.
    forms.delete(key);
    forms.set(key, form);
    const [oldest] = forms.keys();
    if (forms.size > rememberedMax && oldest !== undefined) forms.delete(oldest);
    if (known !== form) onNews(news);
    return known !== form;
  }

  /** Remembers the form of a token on every node. */
  function learn(news: TokenForm): void {
    const { userId, key, form } = news;
    if (remember(news)) peers?.send('forms', `${userId} ${key} ${form}`);
  }

  peers?.onMessage('forms', (text) => {
    const [, userId, key, form] = notice.exec(text) ?? [];
    if (key !== undefined) remember({ userId: Number(userId), key, form: Number(form) });
  });

  return {
    /** The form of a new connection. */
    formOf: ({ form, formKey }: FormOfConnection): number | undefined =>
      formKey === undefined ? form : forms.get(formKey),

    learn,

    /** Notes the form that a request with an access token has asked for. */
    note(authorization: string, { userId, form }: Pick<TokenForm, 'userId' | 'form'>): void {
      learn({ userId, key: formKeyOf(authorization), form });
    },
  };
}
