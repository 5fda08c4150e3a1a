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
  http.bind(operations.updateFile, ({ principal, params, body }) =>
    files.updateFile(principal, params.id, body),
  );
  http.bind(operations.deleteFile, ({ principal, params }) => files.deleteFile(principal, params.id));
  http.bind(operations.subscribeFile, ({ principal, params }) => files.subscribeFile(principal, params.id));
  http.bind(operations.unsubscribeFile, ({ principal, params }) =>
    files.unsubscribeFile(principal, params.id),
  );
  http.bind(operations.listFileVersions, ({ principal, params, query }) =>
    files.listFileVersions(principal, params.id, query),
  );
  http.bind(operations.getFileVersion, ({ principal, params }) =>
    files.getFileVersion(principal, params.id, params.version),
  );
  http.bind(operations.deleteFileVersion, ({ principal, params }) =>
    files.deleteFileVersion(principal, params.id, params.version),
  );
  http.bind(operations.restoreFileVersion, ({ principal, params }) =>
    files.restoreFileVersion(principal, params.id, params.version),
  );
}
