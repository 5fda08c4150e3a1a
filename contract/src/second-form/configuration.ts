import Type from 'typebox';
import { operationsOf } from '../operation.ts';

const Configuration = Type.Object(
  {},
  {
    $id: 'Configuration',
    description: 'What the server lets users do with other services: nothing that needs an account there.',
  },
);

/** What versions 23 to 24 of the reference client read on every page. */
export const secondFormConfigurationOperations = operationsOf('Features', {
  getConfiguration: {
    method: 'GET',
    path: '/api/configuration',
    summary: 'Gets with which other services the server works on behalf of users.',
    description:
      'Always an empty object. Versions 23 and 24 of the reference client look for an address of Zoom in it.',
    caller: 'any',
    on: 'caller',
    effect: 'read',
    success: { 200: Configuration },
    errors: [401],
  },
});
