import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { ImportKind, LeftOutReason } from 'confab-contract/import-words.ts';
import { rootUrl } from 'confab-tools/places.ts';

/** An export of each system in importers/fixtures, with what an import makes of it. */
export type KindOfImport = {
  readonly kind: ImportKind;
  readonly file: string;
  readonly site?: string;
  readonly found: number;
  readonly leftOut: Partial<Record<LeftOutReason, number>>;
  readonly users: number;
  /** The comments of each app by their ids in the source, with the id of what each answers and the text. */
  readonly apps: Readonly<
    Record<string, Readonly<Record<string, readonly [answers: string | null, text: string]>>>
  >;
  /** The names of the users. */
  readonly names: readonly string[];
  /** What the report notes. */
  readonly notes?: RegExp;
};

/** The systems whose exports name a comment, a page and an author in JSON or in a database. */
export const kindsOfImports: readonly KindOfImport[] = [
  {
    kind: 'remark42',
    file: 'remark42.json',
    found: 6,
    leftOut: { unreadable: 1, deleted: 1 },
    users: 2,
    names: ['Ada & Co', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'garden.example/c1': [null, 'Plant them **early**, see [seeds](https://seeds.example/peas) & soil.'],
        'garden.example/c3': ['garden.example/c1', 'How early?'],
        'garden.example/c4': ['garden.example/c3', 'In March.'],
      },
      'garden.example~blog~beans': { 'garden.example/c5': [null, 'plain\ntext'] },
    },
    notes:
      /^The comment number 7, which begins in line 7, is unreadable: the field time is no date that exists\.$/,
  },
  {
    kind: 'artalk',
    file: 'artalk.artrans.json',
    found: 6,
    leftOut: { pending: 1, page_missing: 1 },
    users: 3,
    names: ['Ada', 'Bob', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'garden.example/1': [null, 'Plant them **early**.'],
        'garden.example/2': ['garden.example/1', 'How early?'],
        'garden.example/4': ['garden.example/2', 'In *March*.'],
      },
      'kitchen.example~soup.html': { 'kitchen.example/1': [null, 'Another site'] },
    },
    notes: /^1 page has no web address, such as "\/lost"\. .*--site of the command/,
  },
  {
    kind: 'isso',
    file: 'isso.sql',
    site: 'https://garden.example',
    found: 7,
    leftOut: { unreadable: 1, deleted: 1, pending: 1 },
    users: 3,
    names: ['Ada', 'Anonymous', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'garden.example/1': [null, 'Plant them **early**.'],
        'garden.example/3': [null, 'An answer to what is gone'],
        'garden.example/4': ['garden.example/1', 'How early?'],
      },
      'garden.example~blog~beans.html': { 'garden.example/6': [null, 'Beans too'] },
    },
    notes: /^The comment number 7 is unreadable: the field created is no date that exists\.$/,
  },
  {
    kind: 'commento',
    file: 'commento.json',
    found: 7,
    leftOut: { spam: 1, deleted: 1, pending: 1 },
    users: 3,
    names: ['Ada', 'Anonymous', 'Anonymous'],
    apps: {
      'garden.example~blog~peas': {
        '7ed60b12': [null, 'Plant them **early**.'],
        a7c84f25: ['7ed60b12', 'How early?'],
        b0000001: ['a7c84f25', 'In March.'],
      },
      'kitchen.example:8080~soup': { b0000004: [null, 'Hot'] },
    },
  },
  {
    kind: 'comentario',
    file: 'comentario.json',
    site: 'https://garden.example',
    found: 6,
    leftOut: { deleted: 1, pending: 1, page_missing: 1 },
    users: 3,
    names: ['Ada', 'Anonymous', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'c0000000-0000-4000-8000-000000000001': [null, 'Plant them **early**.'],
        'c0000000-0000-4000-8000-000000000002': ['c0000000-0000-4000-8000-000000000001', 'How early?'],
        'c0000000-0000-4000-8000-000000000004': ['c0000000-0000-4000-8000-000000000002', 'Thanks'],
      },
    },
  },
  {
    kind: 'cusdis',
    file: 'cusdis.json',
    site: 'https://garden.example/',
    found: 5,
    leftOut: { pending: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'c0000000-0000-4000-9000-000000000001': [null, 'Plant them **early**.'],
        'c0000000-0000-4000-9000-000000000002': ['c0000000-0000-4000-9000-000000000001', 'How early?'],
        'c0000000-0000-4000-9000-000000000003': ['c0000000-0000-4000-9000-000000000002', 'In March.'],
      },
      'garden.example~blog~beans': { 'c0000000-0000-4000-9000-000000000005': [null, 'Beans too'] },
    },
  },
  {
    kind: 'waline',
    file: 'waline.json',
    site: 'https://www.garden.example',
    found: 6,
    leftOut: { spam: 1, pending: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        'garden.example/1': [null, 'Plant them **early**.'],
        'garden.example/2': ['garden.example/1', 'How early?'],
        'garden.example/4': ['garden.example/2', 'In March.'],
      },
      'garden.example~blog~b:C3:B6hnen': { 'garden.example/6': [null, 'Beans too'] },
    },
  },
  {
    kind: 'giscus',
    file: 'giscus.json',
    site: 'https://garden.example',
    found: 7,
    leftOut: { spam: 1, deleted: 1 },
    users: 3,
    names: ['Anonymous', 'ada', 'bob'],
    apps: {
      'garden.example~blog~peas.html': {
        DC_1: [null, 'Plant them **early**.'],
        DC_2: ['DC_1', 'How early?'],
        DC_3: ['DC_1', 'In March.'],
        DC_5: [null, 'No!'],
      },
      'garden.example~blog~beans': { DC_6: [null, 'Beans *too*'] },
    },
    notes: /^The discussion "blog\/peas" has 1 more comment than the file\.$/,
  },
  {
    kind: 'twikoo',
    file: 'twikoo.json',
    found: 6,
    leftOut: { unreadable: 1, spam: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        c0000000000000000000000000000001: [null, 'Plant them **early**.'],
        c0000000000000000000000000000002: ['c0000000000000000000000000000001', 'How early?'],
        c0000000000000000000000000000004: ['c0000000000000000000000000000002', 'In *March*.'],
      },
      'garden.example~blog~beans': { c0000000000000000000000000000005: [null, 'Beans too'] },
    },
    notes:
      /^The comment number 6, which begins in line 7, is unreadable: the field created is no date that exists\.$/,
  },
  {
    kind: 'utterances',
    file: 'utterances.json',
    found: 5,
    leftOut: { unreadable: 1, page_missing: 1 },
    users: 3,
    names: ['Anonymous', 'ada', 'bob'],
    apps: {
      'garden.example~blog~peas.html': {
        2200000001: [null, 'Plant them **early**.'],
        2200000002: [null, '> Plant them **early**.\n\nHow early?'],
      },
      'garden.example~blog~beans': { 2200000004: [null, 'Beans too'] },
    },
    notes:
      /^The comment number 7, which begins in line 10, is unreadable: the field created_at is no date that exists\.$/,
  },
  {
    kind: 'valine',
    file: 'valine.jsonl',
    site: 'https://garden.example',
    found: 7,
    leftOut: { unreadable: 1, spam: 1, pending: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        '608d1a1e0a1b2c3d4e5f0001': [null, 'Plant them **early**.'],
        '608d1a1e0a1b2c3d4e5f0002': ['608d1a1e0a1b2c3d4e5f0001', 'How early?'],
        '608d1a1e0a1b2c3d4e5f0004': ['608d1a1e0a1b2c3d4e5f0002', 'In *March*.'],
      },
      'garden.example~blog~b:C3:B6hnen': { '608d1a1e0a1b2c3d4e5f0006': [null, 'Beans too'] },
    },
    notes:
      /^The comment number 7, which begins in line 8, is unreadable: the field createdAt is no date that exists\.$/,
  },
  {
    kind: 'fastcomments',
    file: 'fastcomments.json',
    found: 8,
    leftOut: { unreadable: 1, spam: 1, deleted: 1, pending: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~blog~peas': {
        f0000001: [null, 'Plant them **early**.'],
        f0000002: ['f0000001', 'How early?'],
        f0000004: ['f0000002', 'In *March*.'],
      },
      'garden.example~blog~beans': { f0000008: [null, 'Beans too'] },
    },
    notes:
      /^The comment number 7, which begins in line 8, is unreadable: the field date is no date that exists\.$/,
  },
  {
    kind: 'blogger',
    file: 'blogger.atom',
    site: 'https://garden.example',
    found: 8,
    leftOut: { unreadable: 1, spam: 1, deleted: 1, pending: 1 },
    users: 2,
    names: ['Ada', 'Bob'],
    apps: {
      'garden.example~2022~01~peas.html': {
        301: [null, 'Plant them **early**.\nReally.'],
        302: ['301', 'How early?'],
        304: ['302', 'In March.'],
      },
      'garden.example~2022~01~beans.html': { 307: [null, 'Of a draft'] },
    },
    notes:
      /^The comment number 8, which begins in line \d+, is unreadable: the field published is no date that exists\.$/,
  },
];

/** The bytes of the file of a kind. */
export function exportOf({ file }: Pick<KindOfImport, 'file'>): Uint8Array<ArrayBuffer> {
  const path = fileURLToPath(new URL(`importers/fixtures/${file}`, rootUrl));
  return file.endsWith('.sql') ? databaseOf(readFileSync(path, 'utf8')) : new Uint8Array(readFileSync(path));
}

/** The bytes of a SQLite database with what some statements make. */
export function databaseOf(statements: string): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-isso-'));
  try {
    const path = join(folder, 'comments.db');
    const database = new DatabaseSync(path);
    database.exec(statements);
    database.close();
    return new Uint8Array(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
