import { goOperations, goTypes } from '../src/go.ts';
import { clientModel } from '../src/methods.ts';

/** The Go module: its registry reads the repository itself, so all of it is committed. */
export function committedFiles(): Readonly<Record<string, string>> {
  const model = clientModel();
  return {
    'clients/go/types.go': goTypes(model),
    'clients/go/operations.go': goOperations(model),
  };
}
