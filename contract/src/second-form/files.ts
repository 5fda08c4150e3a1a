import { listOf } from '../fields.ts';
import { File, fileOperations } from '../files.ts';
import { operationsOf } from '../operation.ts';
import { replacing } from './replacing.ts';

const { listAppFiles, listFileVersions } = fileOperations;

/** The operations of the second form on files. */
export const secondFormFileOperations = operationsOf('Files', {
  listAppFilesInSecondForm: {
    ...replacing(listAppFiles),
    description: '`updated_at` sorts by the last change, which for most files is when they were made.',
    list: { ...listAppFiles.list, orderBy: [...listAppFiles.list.orderBy, 'updated_at'] },
  },
  listFileVersionsInSecondForm: {
    ...replacing(listFileVersions),
    description:
      '`rev` is the number of a version. `updated_at` and `updated_by` of an earlier one say when and by whom its content was put in.',
    success: { 200: listOf(File, 'FileVersionList') },
  },
});
