/**
 * The rules of this repository that neither the compiler nor the linter checks: which module may import which (`node
 * tools/tidy.ts imports`) and how code, comments and files are written (`node tools/tidy.ts style`). Without an
 * argument both are checked. Prints `path:line rule message` for each finding and fails on any.
 */

import { checkCode, codeRules } from './tidy/code-rules.ts';
import { checkComments, commentRules } from './tidy/comment-rules.ts';
import { checkDocstrings, docstringRule } from './tidy/docstring-rules.ts';
import { checkFiles, fileRules } from './tidy/file-rules.ts';
import { checkImports, importRules } from './tidy/import-rules.ts';
import { type Finding, type Rule, readTree, type Tree } from './tidy/tree.ts';

/** A part of the rules that can be selected by name. */
interface RuleSet {
  readonly rules: readonly Rule[];
  readonly check: (tree: Tree) => readonly Finding[];
}

const ruleSets: Readonly<Record<string, RuleSet>> = {
  imports: { rules: importRules, check: checkImports },
  style: {
    rules: [...fileRules, ...codeRules, ...commentRules, docstringRule],
    check: (tree) => [
      ...checkFiles(tree),
      ...tree.modules.flatMap((module) => [
        ...checkCode(module),
        ...checkComments(module),
        ...checkDocstrings(module),
      ]),
    ],
  },
};

const [asked, ...rest] = process.argv.slice(2);
if (asked === '--rules') {
  for (const rule of Object.values(ruleSets).flatMap((set) => set.rules))
    console.log(`${rule.id}  ${rule.why}`);
} else if (rest.length > 0 || (asked !== undefined && !(asked in ruleSets))) {
  console.error(`usage: node tools/tidy.ts [--rules | ${Object.keys(ruleSets).join(' | ')}]`);
  process.exitCode = 2;
} else {
  const sets = Object.entries(ruleSets).filter(([name]) => asked === undefined || name === asked);
  const tree = readTree(process.cwd());
  const findings = sets.flatMap(([, set]) => set.check(tree));
  for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule} ${message}`);
  if (findings.length > 0) process.exitCode = 1;
}
