import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** One broken rule at one place; `line` counts from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** The name a finding is reported under and the reason the rule exists, in one sentence. */
export interface Rule {
  readonly id: string;
  readonly why: string;
}

/** A text file of the repository; `path` is relative to the root and written with slashes. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A comment as written, markers included, with the line (from 1) it starts on. */
export interface Comment {
  readonly text: string;
  readonly line: number;
}

/** A file of TypeScript or JavaScript with its syntax tree and its comments. */
export interface Module extends TextFile {
  readonly ast: SourceFile;
  readonly comments: readonly Comment[];
}

/** Everything that the rules check, read once. */
export interface Tree {
  readonly files: readonly TextFile[];
  readonly modules: readonly Module[];
}

/** The projects of the compiler: that of the root, those for browsers, and what the root does not install. */
const projects = ['tsconfig.json', 'elements/tsconfig.json', 'console/tsconfig.json', 'proof/tsconfig.json'];

const packageFolders =
  'contract|importers|server|clients/codegen|clients/js/test|elements|console|testing|tools|kits|proof';
const moduleFolders = new RegExp(`^(?:${packageFolders}|conformance/test)/.*\\.tsx?$`);

/** Folders that .gitignore names; they count when there is no git to ask (a source archive). */
const foreignFolders = new Set(['node_modules', '.git', 'data', 'artifacts', 'dist']);

/** Reads the tracked and the untracked, not ignored files under `root` and parses the TypeScript among them. */
export function readTree(root: string): Tree {
  const files = listPaths(root)
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))
    .filter((file) => !file.text.includes('\0'));
  return {
    files,
    modules: parseModules(
      root,
      files.filter((file) => moduleFolders.test(file.path)),
    ),
  };
}

/** The line, counted from 1, that the node's first token stands on. */
export function lineOf(module: Module, node: Node): number {
  return module.ast.getLineAndCharacterOfPosition(node.getStart(module.ast)).line + 1;
}

/** Calls `visit` for the node and everything below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function listPaths(root: string): string[] {
  const paths = existsSync(path.join(root, '.git'))
    ? execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
        .toString('utf8')
        .split('\0')
    : globSync('**', { cwd: root, exclude: (name) => foreignFolders.has(name) });
  const isFile = (file: string) =>
    statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  return [...new Set(paths)].filter(isFile).sort();
}

function parseModules(root: string, files: readonly TextFile[]): Module[] {
  const configs = projects.map((name) => path.join(root, name)).filter((name) => existsSync(name));
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: configs });
    const programs = configs.map((config) => snapshot.getProject(config)?.program);
    return files.map((file) => {
      const place = path.join(root, file.path);
      const ast = programs.map((program) => program?.getSourceFile(place)).find((each) => each !== undefined);
      if (ast === undefined) throw new Error(`${file.path} is part of no project: ${projects.join(', ')}`);
      return { ...file, text: ast.text, ast, comments: commentsOf(ast) };
    });
  } finally {
    api.close();
  }
}

const literalKinds = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);

/** Outside strings, templates and regular expressions two slashes, or a slash and a star, start a comment. */
function commentsOf(ast: SourceFile): Comment[] {
  const literalEnds = new Map<number, number>();
  walk(ast, (node) => {
    if (literalKinds.has(node.kind)) literalEnds.set(node.getStart(ast), node.end);
  });
  const comments: Comment[] = [];
  const { text } = ast;
  let at = 0;
  while (at < text.length) {
    const literalEnd = literalEnds.get(at);
    const end = literalEnd ?? commentEnd(text, at);
    if (literalEnd === undefined && end !== undefined) {
      comments.push({
        text: text.slice(at, end),
        line: ast.getLineAndCharacterOfPosition(at).line + 1,
      });
    }
    at = end === undefined || end <= at ? at + 1 : end;
  }
  return comments;
}

/** Where the comment that starts at `at` ends, or undefined when none starts there. */
function commentEnd(text: string, at: number): number | undefined {
  const opening = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : undefined;
  if (opening === undefined) return undefined;
  const close = text.indexOf(opening, at + 2);
  if (close === -1) return text.length;
  return opening === '\n' ? close : close + 2;
}
