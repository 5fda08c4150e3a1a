import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Directories } from './directories.ts';

/** Binds the operations of directories; their people are listed by the users feature. */
export function bindDirectories(http: Http, directories: Directories): void {
  http.bind(operations.createDirectory, ({ principal, body }) =>
    directories.createDirectory(principal, body),
  );
  http.bind(operations.listDirectories, ({ principal, list }) =>
    directories.listDirectories(principal, list),
  );
  http.bind(operations.getDirectory, ({ principal, params }) =>
    directories.getDirectory(principal, params.directory),
  );
  http.bind(operations.updateDirectory, ({ principal, params, body }) =>
    directories.updateDirectory(principal, params.directory, body),
  );
  http.bind(operations.deleteDirectory, ({ principal, params }) =>
    directories.deleteDirectory(principal, params.directory),
  );
}
