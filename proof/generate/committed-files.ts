import { readFigures } from '../figures/data.ts';
import { figureFiles, pictureFolder } from '../figures/page.ts';
import { proofFile, proofPage } from '../ledger/page.ts';

/** The folder that has nothing but the pictures of the figures. */
export const committedFolder = pictureFolder;

/** The page of the ledger, and that of the figures with its pictures. */
export function committedFiles(): Readonly<Record<string, string>> {
  return { [proofFile]: proofPage(), ...figureFiles(readFigures()) };
}
