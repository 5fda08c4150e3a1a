import { operationList } from 'confab-contract/index.ts';
import { operationTests } from 'confab-testing/operation-tests.ts';
import { settings, version } from '../src/config/config.ts';
import { configSchema } from '../src/config/schema.ts';
import { openApi, openApiInSecondForm } from '../src/http/openapi/openapi.ts';
import { chartSchema } from './chart-schema.ts';
import { configurationPage } from './configuration-page.ts';
import { foldTable } from './fold-table.ts';
import { listStatements } from './list-statements.ts';
import { operationsPage } from './operations-page.ts';
import { secondFormPage } from './second-form-page.ts';
import { webhookVectors } from './webhook-vectors.ts';

/** What reviewers read of the server: its interface, its settings, its statements, and the letters that search folds. */
export async function committedFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'openapi.json': `${JSON.stringify(openApi(operationList, { version, url: '/' }), null, 2)}\n`,
    'openapi-second-form.json': `${JSON.stringify(openApiInSecondForm({ version, url: '/' }), null, 2)}\n`,
    'docs/configuration.md': configurationPage(),
    'docs/confab.schema.json': `${JSON.stringify(configSchema(settings), null, 2)}\n`,
    'deploy/helm/confab/values.schema.json': `${JSON.stringify(chartSchema(), null, 2)}\n`,
    'docs/webhook-vectors.json': webhookVectors(),
    'docs/second-form.md': secondFormPage(),
    'docs/operations.md': operationsPage(operationList, operationTests),
    'server/src/kernel/fold-table.ts': foldTable(),
    ...(await listStatements()),
  };
}
