import Type from 'typebox';
import { Option } from './entries.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

export const optionOperations = operationsOf('Polls', {
  getOption: {
    method: 'GET',
    path: '/api/options/{id}',
    summary: 'Gets an option of a poll.',
    caller: 'any',
    on: { option: 'read' },
    effect: 'read',
    success: { 200: Option },
    errors: [401, 404],
  },
  voteOption: {
    method: 'POST',
    path: '/api/options/{id}/vote',
    summary: 'Votes for an option, or takes the vote back from the option the caller chose.',
    description:
      'A user has one vote in a poll. Voting for another option moves the vote; voting for the same option again clears it.',
    caller: 'any',
    on: { option: 'vote' },
    effect: 'change',
    success: { 200: Option },
    errors: [400, 401, 403, 404],
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
