import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The versions of the kit that this server carries, by their first number. */

type KitMajor = '21' | '32';

/** A version of the kit on this machine. */
export type Kit = {
  /** The version of the package, such as `21.1.2`. */
  readonly version: string;
  /** The folder with `weavy.esm.js`, `weavy.esm.bundle.js` and `es/`. */
  readonly folder: string;
  /** The folder with what its PDF viewer loads below `/pdfjs/`; version 21 has all of that in `es/`. */
  readonly pdfFolder: string | undefined;
};

/** Where a version is among the dependencies, and which folders of its package browsers need. */
type Parts = {
  /** The address of `weavy.js`, which is beside all that is served; throws where the package is missing. */
  readonly main: () => string;
  readonly files: string;
  readonly pdf?: string;
};

const parts: { readonly [major in KitMajor]: Parts } = {
  21: { main: () => import.meta.resolve('@weavy/uikit-web/dist/weavy.js'), files: 'dist' },
  32: {
    main: () => import.meta.resolve('weavy-uikit-web-32/dist/build/weavy.js'),
    files: 'dist/build',
    pdf: 'dist/pdfjs',
  },
};

const majors = ['21', '32'] as const satisfies readonly KitMajor[];

/**
 * The versions of the kit, the selected one first; none where one of them is missing, because they are installed together.
 * In the package `confab-server` each is in a folder `dist/uikit-web/MAJOR`, laid out like the npm package (`package.json`,
 * `LICENSE.md`, `dist/`); in a checkout they are development dependencies.
 */
export function findKits(selected: KitMajor): readonly Kit[] {
  const order = [selected, ...majors.filter((major) => major !== selected)];
  const kits = order.flatMap((major) => {
    const packaged = fileURLToPath(new URL(`../../uikit-web/${major}/`, import.meta.url));
    const kit = kitIn(packaged, major) ?? kitIn(installedFolder(parts[major]), major);
    return kit === undefined ? [] : [kit];
  });
  return kits.length === majors.length ? kits : [];
}

/**
 * The installed npm packages of the kit, each with the folders in it that the package of the server carries. Throws an
 * Error where one is not installed.
 */
export function kitPackages(): { major: KitMajor; folder: string; carried: string[] }[] {
  return majors.map((major) => {
    const { files, pdf } = parts[major];
    const folder = installedFolder(parts[major]);
    if (folder === undefined) throw new Error(`version ${major} of @weavy/uikit-web is not installed`);
    return { major, folder, carried: [files, ...(pdf === undefined ? [] : [pdf])] };
  });
}

function kitIn(folder: string | undefined, major: KitMajor): Kit | undefined {
  if (folder === undefined) return undefined;
  const about = join(folder, 'package.json');
  if (statSync(about, { throwIfNoEntry: false }) === undefined) return undefined;
  const { files, pdf } = parts[major];
  return {
    version: JSON.parse(readFileSync(about, 'utf8')).version,
    folder: join(folder, files),
    pdfFolder: pdf === undefined ? undefined : join(folder, pdf),
  };
}

/** The folder of an npm package; undefined where it is not installed. */
function installedFolder({ main, files }: Parts): string | undefined {
  try {
    // The packages do not export their manifest.
    return join(dirname(fileURLToPath(main())), ...files.split('/').map(() => '..'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
