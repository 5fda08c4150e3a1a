#!/usr/bin/env node
/**
 * Makes what the server and the packages carry and git does not: `npm start`, `npm test`, the checks and `npm pack` begin
 * with it. Where no source has changed since the last time, it takes some milliseconds.
 */

import { assemble } from './assembly.ts';

await assemble();
