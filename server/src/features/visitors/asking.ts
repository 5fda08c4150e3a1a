import { invalidField } from 'confab-contract/problem.ts';
import { addressWithin } from '../../kernel/web-address.ts';

/** The pages that may ask Confab who their visitor is. */

/** Makes the reader of the origin of a page, which has to be listed. It throws `validation_failed`. */
export function readOrigin(origins: readonly string[]): (input: string) => string {
  return (input) => {
    if (origins.includes(input)) return input;
    throw invalidField('/origin', 'invalid', 'must be one of the origins in CONFAB_CORS_ORIGINS');
  };
}

/** The address of a page to go back to. Throws `validation_failed` for one of another origin. */
export function readReturn(input: string, origin: string): string {
  const address = addressWithin(input, origin);
  if (address === undefined) throw invalidField('/return_to', 'invalid', `must be an address of ${origin}`);
  return address;
}
