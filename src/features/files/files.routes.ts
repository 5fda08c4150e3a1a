import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Files } from './files.ts';

/** Binds the operations of files. */
export function bindFiles(http: Http, files: Files): void {
  http.bind(operations.createFile, async ({ principal, params, body }) => {
    const { isNew, body: file } = await files.createFile(principal, params.app, body);
    return { status: isNew ? 201 : 200, body: file };
  });
  http.bind(operations.listAppFiles, ({ principal, params, list }) =>
    files.listAppFiles(principal, params.app, list),
  );
  http.bind(operations.listFiles, ({ principal, list }) => files.listFiles(principal, list));
  http.bind(operations.getFile, ({ principal, params, query }) => files.getFile(principal, params.id, query));
  http.bind(operations.trashFile, ({ principal, params }) => files.trashFile(principal, params.id));
  http.bind(operations.restoreFile, ({ principal, params }) => files.restoreFile(principal, params.id));
}
