/**
 * Writes the files that are generated from the code: `openapi.json` and `docs/operations.md` from the contract,
 * the files of the client libraries that follow from it, `docs/configuration.md`, `docs/confab.schema.json` and the schema
 * of the chart from the table of settings, `docs/sql/` from the declarations of the lists, `docs/proof/README.md` from its
 * ledger, `docs/figures.md` and its pictures from `docs/figures.json`, the table by which search folds texts from the
 * collation of this Node, and the scripts of the console and the elements from `console/` and `elements/`. With `--check`
 * nothing is written, and any difference fails.
 */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { settings, version } from '../src/config/config.ts';
import { configSchema } from '../src/config/schema.ts';
import { operationList } from '../src/contract/index.ts';
import { openApi } from '../src/http/openapi/openapi.ts';
import { operationTests } from '../test/conformance/operation-tests.ts';
import { readFigures } from './figures/data.ts';
import { figureFiles, pictureFolder } from './figures/page.ts';
import { chartSchema } from './generate/chart-schema.ts';
import { clientOperations, clientPageUid, clientTypes } from './generate/client-files.ts';
import { goOperations, goTypes } from './generate/clients/go.ts';
import { clientModel } from './generate/clients/methods.ts';
import { pythonOperations, pythonTypes } from './generate/clients/python.ts';
import { configurationPage } from './generate/configuration-page.ts';
import { consoleFiles } from './generate/console-files.ts';
import {
  elementTypes,
  reactComponents,
  reactTypes,
  svelteTypes,
  vueTypes,
} from './generate/elements/declarations.ts';
import { manifest } from './generate/elements/manifest.ts';
import { elementsGuide } from './generate/elements/reference.ts';
import { elementsFiles } from './generate/elements-files.ts';
import { foldTable } from './generate/fold-table.ts';
import { listStatements } from './generate/list-statements.ts';
import { operationsPage } from './generate/operations-page.ts';
import { receiverTypes } from './generate/receiver-types.ts';
import { webhookVectors } from './generate/webhook-vectors.ts';
import { proofFile, proofPage } from './proof/page.ts';

const model = clientModel();

/** Every generated file but the scripts, by its path, with its text. */
const files: Readonly<Record<string, string>> = {
  'openapi.json': `${JSON.stringify(openApi(operationList, { version, url: '/' }), null, 2)}\n`,
  'docs/configuration.md': configurationPage(),
  'docs/confab.schema.json': `${JSON.stringify(configSchema(settings), null, 2)}\n`,
  'deploy/helm/confab/values.schema.json': `${JSON.stringify(chartSchema(), null, 2)}\n`,
  'client/webhooks.d.ts': receiverTypes(),
  'client/operations.js': clientOperations(),
  'client/page-uid.js': clientPageUid(),
  'client/index.d.ts': clientTypes(),
  'clients/python/src/confab/types.py': pythonTypes(model),
  'clients/python/src/confab/operations.py': pythonOperations(model),
  'clients/go/types.go': goTypes(model),
  'clients/go/operations.go': goOperations(model),
  'docs/webhook-vectors.json': webhookVectors(),
  'docs/operations.md': operationsPage(operationList, operationTests),
  'docs/elements.md': elementsGuide(),
  'src/kernel/fold-table.ts': foldTable(),
  [proofFile]: proofPage(),
  ...figureFiles(readFigures()),
  'elements/custom-elements.json': manifest(),
  'elements/index.d.ts': await elementTypes(),
  'elements/react.js': reactComponents(),
  'elements/react.d.ts': reactTypes(),
  'elements/vue.d.ts': vueTypes(),
  'elements/svelte.d.ts': svelteTypes(),
  ...(await listStatements()),
};

function present(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isCheck = process.argv.includes('--check');

function settle(made: typeof files): void {
  for (const [file, text] of Object.entries(made)) {
    if (present(file) === text) continue;
    if (isCheck) {
      console.log(`${file} is not what the code makes of it: run npm run generate`);
      process.exitCode = 1;
    } else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${file}`);
    }
  }
}

/** Removes a file that the code makes no more: names with a hash change with the content. */
function leave(file: string): void {
  if (isCheck) {
    console.log(`${file} is not made by the code: run npm run generate`);
    process.exitCode = 1;
  } else {
    rmSync(file);
    console.log(`removed ${file}`);
  }
}

settle(files);
// The script of the console has the client in it, as it was written just now.
settle(await consoleFiles());
const elements = await elementsFiles();
settle(elements);
for (const file of globSync(`${pictureFolder}/*`)) if (!(file in files)) leave(file);
for (const file of globSync('src/http/elements/built/**/*.{js,css}')) if (!(file in elements)) leave(file);
