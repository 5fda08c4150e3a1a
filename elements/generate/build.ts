/**
 * Builds what the package `confab-elements` carries beside its manifest, before `npm pack`: the script and its parts, as the
 * server serves them (`npm run generate` makes them), in `elements/dist`.
 */

import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from 'confab-tools/places.ts';

const dist = path.join(root, 'elements/dist');

rmSync(dist, { recursive: true, force: true });
cpSync(path.join(root, 'server/src/http/elements/built'), dist, { recursive: true });
