import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/** The files of which a feature folder has at least one that a reader opens first, besides the one named like it. */
const firstFiles = ['create.ts', 'add.ts', 'get.ts', 'list.ts'];

/** The main file of a feature folder: the one named like the folder, else its first of `firstFiles`, else its first. */
function mainFile(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name));
  const found = [`${path.basename(folder)}.ts`, ...firstFiles, ...files.sort()].find((name) =>
    existsSync(path.join(folder, name)),
  );
  return path.join(folder, found ?? '');
}

/** The first sentence of the comment that stands by itself before the first declaration; undefined without one. */
function openingSentence(source: string): string | undefined {
  const [, comment] =
    /^(?:import [^;]+;\n|\n)*\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\n|import )/.exec(source) ?? [];
  return comment
    ?.replaceAll(/\s*\n \*/g, ' ')
    .trim()
    .split(/(?<=[.:]) /)[0];
}

/** Whether a sentence is about a folder: it has the noun of the folder, in the singular or the plural. */
function isAbout(sentence: string, folder: string): boolean {
  const noun = path.basename(folder).replace(/(?:ies|s)$/, '');
  return new RegExp(`\\b${noun}`, 'i').test(sentence);
}

describe('the main file of each feature folder', () => {
  it('opens with a sentence about the folder', () => {
    const folders = globSync('server/src/features/**/').filter((folder) => folder !== 'server/src/features');
    assert.ok(folders.length > 30);
    const silent = folders
      .map((folder) => ({ folder, file: mainFile(folder) }))
      .filter(({ folder, file }) => !isAbout(openingSentence(readFileSync(file, 'utf8')) ?? '', folder))
      .map(({ file }) => file);
    assert.deepEqual(silent, []);
  });

  it('is reported when its comment belongs to a declaration or is about something else', () => {
    assert.equal(
      openingSentence("import a from 'a';\n\n/** Stars an app. */\nexport const star = a;\n"),
      undefined,
    );
    assert.equal(isAbout('Comments are entries.', 'server/src/features/stars'), false);
    assert.equal(
      openingSentence("import a from 'a';\n\n/** Stars are marks. */\n\nexport const star = a;\n"),
      'Stars are marks.',
    );
  });
});
