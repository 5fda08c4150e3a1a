import { readFileSync } from 'node:fs';
import type { Source } from './markdown.ts';

/** A guide: the name of its file in the folder `docs`, without `.md`, and what the reader gets from it, in a sentence. */
export type Guide = { readonly name: string; readonly about: string };

/** Guides for one stage of the way, in the order in which they are read. */
export type GuideGroup = {
  readonly title: string;
  readonly about: string;
  readonly guides: readonly Guide[];
};

/** The guides as the index and the README list them. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    about: 'From nothing to the first comments on a page.',
    guides: [
      { name: 'comparison', about: 'Find out whether Confab or another system is the one for you.' },
      { name: 'installing', about: 'Install with npm, as a container or as a systemd service, and upgrade.' },
      {
        name: 'comments',
        about:
          'Put comments on the pages of your site with two lines of HTML, for visitors and for your own users.',
      },
      { name: 'visitors', about: 'Let anyone read and write comments on your site.' },
      {
        name: 'elements',
        about:
          'Use the web components in plain pages, in frameworks and in sites that are built on a server.',
      },
      {
        name: 'annotations',
        about: 'Let people comment on words, cells and pictures of your product, and resolve threads.',
      },
      { name: 'threads', about: 'Let comments reply to comments, and read threads.' },
      {
        name: 'imports',
        about: 'Import by request, in the console or by command, and undo an import.',
      },
      {
        name: 'migrating',
        about: 'Move from WordPress, Disqus and eight others, step by step, and back if you want to.',
      },
    ],
  },
  {
    title: 'Build',
    about: 'Connect Confab to your product.',
    guides: [
      { name: 'users', about: 'Sign users in with tokens from your server or your identity provider.' },
      { name: 'webhooks', about: 'Receive every change on your server, signed, ordered and retried.' },
      { name: 'events', about: 'Read the log of all changes into a search engine, a warehouse or a cache.' },
      { name: 'search', about: 'Know which words a search finds, in every script.' },
      {
        name: 'second-form',
        about:
          'Use version 23 and later of the web components that people know, and see what differs for them.',
      },
      { name: 'agents', about: 'Let people talk to agents, whose answers come from a program or a model.' },
      { name: 'mcp', about: 'Let AI agents read, reply and moderate, through the Model Context Protocol.' },
    ],
  },
  {
    title: 'Run',
    about: 'Open it to your users, and look after them.',
    guides: [
      { name: 'going-live', about: 'Go through the checklist before your users arrive.' },
      { name: 'configuration', about: 'Look up every setting, its default and its environment variable.' },
      {
        name: 'proxy',
        about: 'Put a proxy such as nginx or Caddy in front, with TLS and live connections.',
      },
      { name: 'console', about: 'See what is going on and act on it in the browser.' },
      {
        name: 'keeping-a-community',
        about: 'Moderate with reports, rules and limits, send email, and erase users.',
      },
      { name: 'scaling', about: 'Move from one process with SQLite to several nodes on PostgreSQL.' },
      { name: 'performance', about: 'Find out how much one server can do, and how to measure yours.' },
    ],
  },
  {
    title: 'Operate',
    about: 'Keep the data safe and the server healthy.',
    guides: [
      { name: 'backups', about: 'Back up while the server runs, and restore any moment.' },
      { name: 'monitoring', about: 'Watch health, metrics, traces and logs, with a dashboard and alerts.' },
      { name: 'doctor', about: 'Find what is wrong with a server or its data, and fix it.' },
      {
        name: 'durability',
        about: 'Learn what is guaranteed once a change is acknowledged, and how it is tested.',
      },
    ],
  },
];

/** The names of all guides, in the order in which they are listed. */
export const guideNames: readonly string[] = guideGroups.flatMap(({ guides }) =>
  guides.map(({ name }) => name),
);

/** A file of the folder `docs`, which is beside `server/src/` in a checkout and beside `dist/` in the package. */
export function readDocsFile(name: string): Buffer {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url));
}

/** Reads the guides. Throws when one is missing, which a complete installation rules out. */
export function guideSources(): Source[] {
  return guideNames.map((name) => ({
    path: `/docs/${name}`,
    markdown: readDocsFile(`${name}.md`).toString(),
  }));
}

/** The files of the pictures that guides show, which are in the folder `docs` as well. */
export function picturesIn(guides: readonly Source[]): string[] {
  const pictures = guides.flatMap(({ markdown }) => [...markdown.matchAll(/!\[[^\]]*\]\(([\w-]+\.png)\)/g)]);
  return [...new Set(pictures.map(([, name = '']) => name))];
}
