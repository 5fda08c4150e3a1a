import { posix } from 'node:path';
import {
  isCallExpression,
  isExportDeclaration,
  isExternalModuleReference,
  isIdentifier,
  isImportDeclaration,
  isImportEqualsDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { lineOf, type Module, type Tree, walk } from './tree.ts';

/** One import, re-export, dynamic import or imported type, with its position. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** The target: a path relative to the root for files, the specifier as written for packages. */
  readonly target: string;
  readonly kind: 'file' | 'package';
  /** Erased before the program runs, so that the target is not loaded by it. */
  readonly isTypeOnly: boolean;
}

/** An import whose target is computed when the program runs, which no rule can follow. */
export interface ComputedImport {
  readonly from: string;
  readonly line: number;
}

/** All imports of all modules, in the order of the files. */
export interface ImportGraph {
  readonly imports: readonly Import[];
  readonly computed: readonly ComputedImport[];
}

/** Reads the imports of all modules. Type-only imports are part of the graph, marked as such. */
export function readImports(tree: Tree): ImportGraph {
  const imports: Import[] = [];
  const computed: ComputedImport[] = [];
  for (const module of tree.modules) {
    walk(module.ast, (node) => {
      const found = importOf(node);
      if (found === undefined) return;
      const line = lineOf(module, node);
      const specifier = literalText(found.specifier);
      if (specifier === undefined) computed.push({ from: module.path, line });
      else
        imports.push({
          from: module.path,
          line,
          isTypeOnly: found.isTypeOnly,
          ...resolve(module, specifier),
        });
    });
  }
  return { imports, computed };
}

/**
 * The groups of names that reach each other, each sorted; a single name is not a group. Tarjan's algorithm: a name is
 * the root of a group when nothing below it reaches an earlier name that is still open.
 */
export function cycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  function enter(name: string): number {
    const index = order.size;
    order.set(name, index);
    open.push(name);
    let low = index;
    for (const next of edges.get(name) ?? []) {
      if (!order.has(next)) low = Math.min(low, enter(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    lowest.set(name, low);
    if (low === index) {
      const group = open.splice(open.indexOf(name));
      if (group.length > 1) groups.push(group.sort());
    }
    return low;
  }

  for (const name of edges.keys()) if (!order.has(name)) enter(name);
  return groups;
}

/** All names that can be reached from the roots, including the roots. */
export function reachable(
  roots: readonly string[],
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const seen = new Set(roots);
  for (const name of seen) for (const next of edges.get(name) ?? []) seen.add(next);
  return seen;
}

function importOf(node: Node): { specifier: Node | undefined; isTypeOnly: boolean } | undefined {
  if (isImportDeclaration(node)) {
    return {
      specifier: node.moduleSpecifier,
      isTypeOnly: node.importClause?.phaseModifier === SyntaxKind.TypeKeyword,
    };
  }
  if (isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: node.moduleSpecifier, isTypeOnly: node.isTypeOnly };
  }
  if (isImportEqualsDeclaration(node) && isExternalModuleReference(node.moduleReference)) {
    return { specifier: node.moduleReference.expression, isTypeOnly: node.isTypeOnly };
  }
  if (isImportTypeNode(node)) {
    return {
      specifier: isLiteralTypeNode(node.argument) ? node.argument.literal : undefined,
      isTypeOnly: true,
    };
  }
  if (isCallExpression(node)) {
    const loads =
      node.expression.kind === SyntaxKind.ImportKeyword ||
      (isIdentifier(node.expression) && node.expression.text === 'require');
    return loads ? { specifier: node.arguments[0], isTypeOnly: false } : undefined;
  }
  return isModuleUrl(node) ? { specifier: node.arguments?.[0], isTypeOnly: false } : undefined;
}

/** `new URL('./x.ts', import.meta.url)`, which is how a worker thread names its module. */
function isModuleUrl(node: Node): node is Node & { arguments?: readonly Node[] } {
  if (!isNewExpression(node) || !isIdentifier(node.expression) || node.expression.text !== 'URL')
    return false;
  const [first, second] = node.arguments ?? [];
  return (
    first !== undefined &&
    second?.getText() === 'import.meta.url' &&
    (literalText(first)?.endsWith('.ts') ?? false)
  );
}

function literalText(node: Node | undefined): string | undefined {
  return node !== undefined && (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node))
    ? node.text
    : undefined;
}

function resolve(module: Module, specifier: string): Pick<Import, 'target' | 'kind'> {
  return /^\.{1,2}(\/|$)/.test(specifier)
    ? { kind: 'file', target: posix.join(posix.dirname(module.path), specifier) }
    : { kind: 'package', target: specifier };
}
