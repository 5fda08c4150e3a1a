import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Autocomplete } from './autocomplete.ts';

/** Binds the operation that finds people for a mention. */
export function bindAutocomplete(http: Http, autocomplete: Autocomplete): void {
  http.bind(operations.autocompleteUsers, ({ principal, query }) =>
    autocomplete.autocompleteUsers(principal, query),
  );
}
