/**
 * Writes the files that are generated from the code: `openapi.json` and `docs/operations.md` from the contract,
 * the files of the client libraries that follow from it, `docs/configuration.md`, `docs/confab.schema.json` and the schema
 * of the chart from the table of settings, `docs/sql/` from the declarations of the lists, `proof/ledger/README.md` from its
 * ledger, `docs/figures.md` and its pictures from `docs/figures.json`, the table by which search folds texts from the
 * collation of this Node, and the scripts of the console and the elements from `console/` and `elements/`. With `--check`
 * nothing is written, and any difference fails.
 */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientOperations, clientPageUid, clientTypes } from 'confab-codegen/src/client-files.ts';
import { goOperations, goTypes } from 'confab-codegen/src/go.ts';
import { clientModel } from 'confab-codegen/src/methods.ts';
import { pythonOperations, pythonTypes } from 'confab-codegen/src/python.ts';
import { receiverTypes } from 'confab-codegen/src/receiver-types.ts';
import { consoleFiles } from 'confab-console/generate/console-files.ts';
import { operationList } from 'confab-contract/index.ts';
import {
  elementTypes,
  reactComponents,
  reactTypes,
  svelteTypes,
  vueTypes,
} from 'confab-elements/generate/declarations.ts';
import { elementsFiles } from 'confab-elements/generate/elements-files.ts';
import { manifest } from 'confab-elements/generate/manifest.ts';
import { elementsGuide } from 'confab-elements/generate/reference.ts';
import { readFigures } from 'confab-proof/figures/data.ts';
import { figureFiles, pictureFolder } from 'confab-proof/figures/page.ts';
import { proofFile, proofPage } from 'confab-proof/ledger/page.ts';
import { chartSchema } from 'confab-server/generate/chart-schema.ts';
import { configurationPage } from 'confab-server/generate/configuration-page.ts';
import { foldTable } from 'confab-server/generate/fold-table.ts';
import { listStatements } from 'confab-server/generate/list-statements.ts';
import { operationsPage } from 'confab-server/generate/operations-page.ts';
import { webhookVectors } from 'confab-server/generate/webhook-vectors.ts';
import { settings, version } from 'confab-server/src/config/config.ts';
import { configSchema } from 'confab-server/src/config/schema.ts';
import { openApi } from 'confab-server/src/http/openapi/openapi.ts';
import { operationTests } from 'confab-testing/operation-tests.ts';

const model = clientModel();

/** Every generated file but the scripts, by its path, with its text. */
const files: Readonly<Record<string, string>> = {
  'openapi.json': `${JSON.stringify(openApi(operationList, { version, url: '/' }), null, 2)}\n`,
  'docs/configuration.md': configurationPage(),
  'docs/confab.schema.json': `${JSON.stringify(configSchema(settings), null, 2)}\n`,
  'deploy/helm/confab/values.schema.json': `${JSON.stringify(chartSchema(), null, 2)}\n`,
  'clients/js/webhooks.d.ts': receiverTypes(),
  'clients/js/operations.js': clientOperations(),
  'clients/js/page-uid.js': clientPageUid(),
  'clients/js/index.d.ts': clientTypes(),
  'clients/python/src/confab/types.py': pythonTypes(model),
  'clients/python/src/confab/operations.py': pythonOperations(model),
  'clients/go/types.go': goTypes(model),
  'clients/go/operations.go': goOperations(model),
  'docs/webhook-vectors.json': webhookVectors(),
  'docs/operations.md': operationsPage(operationList, operationTests),
  'docs/elements.md': elementsGuide(),
  'server/src/kernel/fold-table.ts': foldTable(),
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
for (const file of globSync('server/src/http/elements/built/**/*.{js,css}'))
  if (!(file in elements)) leave(file);
