import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Credentials } from './credentials.ts';

/** Binds the operations of access tokens; keys are made on the command line only. */
export function bindCredentials(http: Http, credentials: Credentials): void {
  http.bind(operations.issueToken, ({ principal, params, body }) =>
    credentials.issueToken(principal, params.user, body),
  );
  http.bind(operations.revokeTokens, ({ principal, params }) =>
    credentials.revokeTokens(principal, params.user),
  );
}
