import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Polls } from './polls.ts';

/** Binds the operations of polls. */
export function bindPolls(http: Http, polls: Polls): void {
  http.bind(operations.getOption, ({ principal, params }) => polls.getOption(principal, params.id));
  http.bind(operations.voteOption, ({ principal, params }) => polls.voteOption(principal, params.id));
  http.bind(operations.listVoters, ({ principal, params }) => polls.listVoters(principal, params.id));
}
