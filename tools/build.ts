#!/usr/bin/env node
/**
 * Builds what the package `confab-server` carries beside its manifest: `npm run build`, and before `npm pack`. The sources
 * become JavaScript with source maps in `server/dist`, with the files that the server reads while it runs.
 */

import { buildPackage } from './build/package.ts';

await buildPackage();
