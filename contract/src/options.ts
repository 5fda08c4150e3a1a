import Type from 'typebox';
import { changing, getting } from './common-operations.ts';
import { Option } from './entries.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

export const optionOperations = operationsOf('Polls', {
  getOption: {
    ...getting(Option),
    path: '/api/options/{id}',
    summary: 'Gets an option of a poll.',
    on: { option: 'read' },
  },
  voteOption: {
    ...changing(Option),
    concurrentBy: 'caller',
    path: '/api/options/{id}/vote',
    summary: 'Votes for an option, or takes the vote back from the option the caller chose.',
    description:
      'A user has one vote in a poll. Voting for another option moves the vote; voting for the same option again clears it.',
    on: { option: 'vote' },
  },
  listVoters: {
    method: 'GET',
    path: '/api/options/{id}/voters',
    summary: 'Lists the users who chose an option, in the order of their votes.',
    caller: 'any',
    on: { option: 'read' },
    effect: 'list',
    success: { 200: Type.Array(User) },
    errors: [401, 404],
  },
});
