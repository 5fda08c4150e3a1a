import { secondFormConfigurationOperations } from 'confab-contract/second-form/configuration.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';

/** With which other services the server works on behalf of users: none. */
export const getConfiguration = handler(secondFormConfigurationOperations.getConfiguration, async () =>
  json('{}'),
);
