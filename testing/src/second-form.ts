import type { Caller, Sending } from './server.ts';

/** What a request of the second form is answered; its types are not those of the contract. */
type Answered = Omit<Awaited<ReturnType<Caller['call']>>, 'body'> & { readonly body: any };

/** Sends requests that ask for the second form, and checks the responses like any others. */
type FormCaller = {
  call(method: string, path: string, body?: unknown, sending?: Sending): Promise<Answered>;
  read(path: string, sending?: Sending): Promise<any>;
  create(path: string, body: unknown, sending?: Sending): Promise<any>;
};

/** A caller who asks for the second form, as a version of the reference client does. */
export function inSecondForm(by: Caller, version = '32.2.0'): FormCaller {
  const source = { 'x-weavy-source': `@weavy/uikit-web@${version}` };
  const marked = (sending: Sending = {}): Sending => ({
    ...sending,
    headers: { ...source, ...sending.headers },
  });
  return {
    call: (method: string, path: string, body?: unknown, sending?: Sending) =>
      by.call(method, path, body, marked(sending)),
    read: (path: string, sending?: Sending) => by.read(path, marked(sending)),
    create: (path: string, body: unknown, sending?: Sending) => by.create(path, body, marked(sending)),
  };
}
