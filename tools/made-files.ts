import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.ts';

/** Files by their path from the root of the project, with their texts. */
export type Files = Readonly<Record<string, string>>;

/**
 * Files that are made of the code of a package. Those that people review, or that a registry reads from the repository, are
 * committed: `generate/committed-files.ts` of the package makes them. The others are made where they are needed, by its
 * `generate/built-files.ts`. A folder has nothing but these files: what else lies there goes.
 */
export type Made = { readonly files: Files; readonly folder: string | undefined };

type Maker = {
  readonly committedFiles?: () => Files | Promise<Files>;
  readonly builtFiles?: () => Files | Promise<Files>;
  readonly committedFolder?: string;
  readonly builtFolder?: string;
};

/** What each package makes. Libraries come before the console, which has one in it. */
export async function* madeFiles(kind: 'committed' | 'built'): AsyncGenerator<Made> {
  const modules = globSync(`{clients/codegen,console,elements,proof,server}/generate/${kind}-files.ts`, {
    cwd: root,
  });
  for (const module of modules.sort()) {
    const maker: Maker = await import(path.join(root, module));
    yield kind === 'committed'
      ? { files: (await maker.committedFiles?.()) ?? {}, folder: maker.committedFolder }
      : { files: (await maker.builtFiles?.()) ?? {}, folder: maker.builtFolder };
  }
}

/** The files below a folder, by their path from the root of the project. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return globSync(`${folder}/**`, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** The text of a file of the project; undefined where it is not there. */
export function presentText(file: string): string | undefined {
  const place = path.join(root, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

/** The committed files that are not what the code makes, each with what it makes: no text where the file is too much. */
export async function differences(
  textOf: (file: string) => string | undefined = presentText,
): Promise<{ readonly file: string; readonly text: string | undefined }[]> {
  const found: { file: string; text: string | undefined }[] = [];
  for await (const { files, folder } of madeFiles('committed')) {
    for (const [file, text] of Object.entries(files)) if (textOf(file) !== text) found.push({ file, text });
    if (folder !== undefined)
      for (const file of filesBelow(folder)) if (!(file in files)) found.push({ file, text: undefined });
  }
  return found;
}
