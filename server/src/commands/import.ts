import { type Command, Option } from 'commander';
import { type ImportKind, importKinds, repliesAs } from 'confab-contract/import-words.ts';
import { addJson, addSettings, bucketSettings, storeSettings } from './command.ts';
import type { ImportFlags } from './import-file.ts';
import type { WeavyFlags } from './import-weavy.ts';

/** What the file of each kind is. */
const files: Readonly<Record<ImportKind, string>> = {
  wordpress: 'a WordPress export (Tools, Export: a WXR file)',
  disqus: 'a Disqus export (XML)',
  remark42: 'a backup of Remark42 (JSON)',
  artalk: 'an Artrans file of Artalk (JSON)',
  isso: 'the database of Isso (SQLite)',
  commento: 'an export of Commento or Commento++ (JSON)',
  comentario: 'an export of Comentario 3 (JSON)',
  cusdis: 'Cusdis (JSON: pages of the dashboard, or the rows of its tables)',
  waline: 'an export of Waline (JSON)',
  giscus: 'Giscus (JSON: discussions of GitHub)',
  twikoo: 'an export of Twikoo (JSON)',
  utterances: 'utterances, Gitalk',
  valine: 'Valine',
  fastcomments: 'FastComments',
  blogger: 'Blogger',
};

/** Adds `confab import` with a command for each kind. */
export function addImportCommands(program: Command): void {
  const imported = program
    .command('import')
    .description(
      'Import comments from another system, also while a server runs. Running it again adds nothing.',
    );
  for (const kind of importKinds) {
    const command = imported
      .command(kind)
      .description(`Import the comments of ${files[kind]}.`)
      .argument('<file>', 'the path of the export')
      .option('--dry-run', 'report what would be imported and left out, and write nothing')
      .option(
        '--keep-emails',
        'keep the email addresses of authors, which every reader of a comment can then see',
      )
      .addOption(
        new Option(
          '--replies <as>',
          'what a reply becomes: an answer in a thread, or a comment that begins with a quoted line of the earlier one',
        )
          .choices([...repliesAs])
          .default('thread'),
      )
      .option('--held', 'import what waits for approval as held comments, instead of leaving it out')
      .option('--site <address>', 'the address of the site, for exports that name pages by their path alone')
      .option(
        '--time-zone <zone>',
        'the time zone of dates that have none, such as Europe/Berlin; without it they are UTC',
      )
      .option('--rename-apps', 'give apps that Confab 0.1.0 imported the uid that web components look for');
    const flags = addSettings(addJson(command), [...storeSettings, 'pagesVisitors', 'pagesApproval']);
    command.action(async (path: string, importFlags: ImportFlags) => {
      const { importFile } = await import('./import-file.ts');
      await importFile({ kind, path }, importFlags, flags());
    });
  }
  addWeavyCommand(imported);
}

/** Adds `confab import weavy`, which reads a server while it runs. */
function addWeavyCommand(imported: Command): void {
  const command = imported
    .command('weavy')
    .description(
      'Import users, apps, members, posts, messages, comments, files, reactions and polls from a running Weavy server. ' +
        'Left out, and counted in the report: what is in the trash, apps of other types, earlier versions of files, ' +
        'files at a provider or larger than 50 MiB, link previews, meetings, pictures of users, and a second reaction or vote of a user. ' +
        'Not asked for: notifications, subscriptions, stars, pins, webhooks, the settings of agents, and the times of edits.',
    )
    .requiredOption('--url <address>', 'the address of the Weavy server, always in the same spelling')
    .option('--key <key>', 'an API key of that server; other users can see it in the list of processes')
    .option('--key-file <file>', 'the file with the API key')
    .option('--dry-run', 'report what would be imported and left out, and write nothing')
    .option('--keep-emails', 'keep the email addresses of users');
  const flags = addSettings(addJson(command), [
    ...storeSettings,
    ...bucketSettings,
    'people',
    'egressAllow',
    'egressNat64',
    'egressPorts',
  ]);
  command.action(async (weavyFlags: WeavyFlags) => {
    const { importWeavy } = await import('./import-weavy.ts');
    await importWeavy(weavyFlags, flags());
  });
}
