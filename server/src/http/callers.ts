import type { Operation } from 'confab-contract/operation.ts';
import { asOf, type Principal, visitor } from '../kernel/principal.ts';
import { checkCaller, checkScopes } from './caller-checks.ts';
import { authorizationOf } from './connection.ts';
import { type Credential, type HttpRequest, type Prove, type Route, single } from './request.ts';
import { sessionOf } from './session-cookie.ts';
import { enter } from './visitors.ts';

/** The dependencies of `createCallers`. */
type CallersOptions = {
  readonly authenticate: (credential: Credential) => Promise<Principal>;
  /** The public address of this server, without a trailing slash. */
  readonly publicUrl: () => string;
};

/** Takes the form that a request with an access token has asked for. */
export type NoteForm = (
  authorization: string,
  asked: { readonly userId: number; readonly form: number },
) => void;

function isGiven({ authorization, session }: Credential): boolean {
  return authorization !== undefined || session !== undefined;
}

/** Creates what finds the callers of requests, and what finds them again (`Prove`). */
export function createCallers({ authenticate, publicUrl }: CallersOptions) {
  /** The credential of a request. */
  function credentialOf(request: HttpRequest, operation: Operation): Credential {
    return {
      authorization: authorizationOf(request.raw, {
        takesTokenInQuery: operation.takesTokenInQuery === true,
      }),
      onBehalfOf: single(request.headers['x-confab-user']),
      // The connections of web components have a token of their own.
      session: operation.path.startsWith('/api/') ? sessionOf(request, publicUrl()) : undefined,
    };
  }

  /** The caller whom a credential names, if `check` does not throw, and what finds the same one again. */
  async function proved(
    credential: Credential,
    check: (principal: Principal) => void,
  ): Promise<{ readonly principal: Principal; readonly prove: Prove }> {
    const find = async (more: Credential) => {
      const principal = await authenticate(more);
      check(principal);
      return principal;
    };
    const principal = await find(credential);
    const { id: userId } = principal.user;
    // Only the first time can it be a guess.
    return { principal, prove: () => find({ ...credential, address: undefined, userId }) };
  }

  let noteForm: NoteForm = () => undefined;

  return {
    /** Makes `note` get each request with an access token that asks for the second form. */
    onForm(note: NoteForm): void {
      noteForm = note;
    },

    /** Whether a request names a caller. */
    hasCredential(request: HttpRequest, operation: Operation): boolean {
      return isGiven(credentialOf(request, operation));
    },

    /**
     * Finds the caller of a request for an operation; throws what the operation answers to one who may not call it. Without
     * a credential it is a visitor, where the operation lets visitors in.
     */
    async identify(
      request: HttpRequest,
      { operation, scopes }: Pick<Route, 'scopes'> & { readonly operation: Operation },
    ): Promise<void> {
      if (operation.caller === 'anyone') {
        request.principal = visitor;
        return;
      }
      const { clientAddress: address } = request;
      const credential = credentialOf(request, operation);
      request.credential = credential;
      if (operation.visitors !== undefined && !isGiven(credential)) return enter(request);
      const { principal, prove } = await proved({ ...credential, address }, (principal) => {
        // The log line of a refusal names the caller as well.
        request.principal ??= asOf(principal, request);
        checkCaller(operation, principal);
        checkScopes(scopes, principal);
      });
      request.principal = asOf(principal, request);
      const { authorization } = credential;
      const { kind, form, user } = request.principal;
      if (form !== undefined && kind === 'token' && authorization !== undefined)
        noteForm(authorization, { userId: user.id, form });
      request.prove = async () => asOf(await prove(), request);
    },

    /** Checks the credential of a request again, if it has one. */
    async identifyAgain(request: HttpRequest): Promise<void> {
      const proving: Promise<Principal> | undefined = request.prove?.();
      if (proving !== undefined) request.principal = await proving;
    },

    /** Finds the user who wants to make a connection a WebSocket. */
    ofUpgrade: (authorization: string | undefined, address: string | undefined) =>
      proved({ authorization, onBehalfOf: undefined, address }, (principal) =>
        checkCaller({ caller: 'user', errors: [401] }, principal),
      ),
  };
}
