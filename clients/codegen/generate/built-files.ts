import { clientOperations, clientPageUid, clientTypes } from '../src/client-files.ts';
import { clientModel } from '../src/methods.ts';
import { pythonOperations, pythonTypes } from '../src/python.ts';
import { receiverTypes } from '../src/receiver-types.ts';

/** What the libraries of JavaScript and Python have of the contract. */
export function builtFiles(): Readonly<Record<string, string>> {
  const model = clientModel();
  return {
    'clients/js/webhooks.d.ts': receiverTypes(),
    'clients/js/operations.js': clientOperations(),
    'clients/js/page-uid.js': clientPageUid(),
    'clients/js/index.d.ts': clientTypes(),
    'clients/python/src/confab/types.py': pythonTypes(model),
    'clients/python/src/confab/operations.py': pythonOperations(model),
  };
}
