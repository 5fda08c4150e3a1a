import {
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  isArrowFunction,
  isAsExpression,
  isCallExpression,
  isClassDeclaration,
  isClassExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isMethodDeclaration,
  isNamedImports,
  isNewExpression,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isSourceFile,
  isStringLiteral,
  isVariableDeclaration,
  type MethodDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Finding, lineOf, type Module, type Rule, walk } from './tree.ts';

/** A rule about one syntax node; `node` returns the message if the node breaks it. */
interface NodeRule extends Rule {
  readonly appliesTo: (path: string) => boolean;
  readonly node: (node: Node) => string | undefined;
}

/** The modules outside server/src/net/ that may connect, each with its reason. */
const connectors: Readonly<Record<string, string>> = {
  'server/src/features/demo/demo.ts': 'the demo sends its content to the server that it is part of',
  'server/src/commands/receiver.ts':
    'a person at a terminal names where their own command passes a request on to',
  'server/src/setup/running-address.ts':
    'a command asks whether the server is alive that has left its address in the data folder',
};

/**
 * The rules of style that a pattern of Biome cannot express (`*.grit` has the others), each with the files it concerns.
 */
export const codeRules: readonly NodeRule[] = [
  {
    id: 'way-out',
    why: 'what leaves another way is not judged: it reaches addresses inside',
    appliesTo: (path) => inSource(path) && !path.startsWith('server/src/net/') && !(path in connectors),
    node: (node) =>
      isWayOut(node)
        ? 'a connection to elsewhere outside server/src/net/: take an Egress or a WebReader'
        : undefined,
  },
  {
    id: 'forged-proof',
    why: 'a right that is not resolved in access/ is a right that nobody checked',
    appliesTo: (path) => inSource(path) && !path.startsWith(accessFolder),
    node: (node) => (isForgedProof(node) ? 'a cast to a type of access/: take the proof' : undefined),
  },
  {
    id: 'positional-parameters',
    why: 'nobody remembers what the fourth one was',
    appliesTo: inSource,
    node: (node) =>
      isFunction(node) && !isGiven(node) && node.parameters.length > parametersMax
        ? `${node.parameters.length} parameters: at most ${parametersMax}, then an object`
        : undefined,
  },
  {
    id: 'long-function',
    why: 'what does not fit on a screen is not read in one go',
    appliesTo: inLivingSource,
    node: (node) => {
      const lines = isFunction(node) ? ownLines(node) : 0;
      return lines > linesMax
        ? `${lines} lines of code, functions inside not counted: at most ${linesMax}`
        : undefined;
    },
  },
  {
    id: 'wide-state',
    why: 'a variable of a closure or field of a class is read with everything that can change it',
    appliesTo: (path) => inLivingSource(path) || /^(elements|console)\/src\//.test(path),
    node: (node) => {
      const lines = isFunction(node) || isClass(node) ? codeLines(node) : 0;
      return lines > scopeLinesMax
        ? `${lines} lines of code with everything inside: at most ${scopeLinesMax}, divided by state`
        : undefined;
    },
  },
  {
    id: 'test-without-assert',
    why: 'a test without an assertion is green whatever the code does',
    appliesTo: inTests,
    node: (node) => (isTestWithoutAssertion(node) ? 'the test asserts nothing' : undefined),
  },
];

/** Applies the code rules to one module. */
export function checkCode(module: Module): Finding[] {
  const rules = codeRules.filter((rule) => rule.appliesTo(module.path));
  const findings: Finding[] = [];
  walk(module.ast, (node) => {
    for (const rule of rules) {
      const message = rule.node(node);
      if (message !== undefined)
        findings.push({ path: module.path, line: lineOf(module, node), rule: rule.id, message });
    }
  });
  return findings;
}

function inSource(path: string): boolean {
  return /^(server|contract|importers)\/src\//.test(path);
}

/** A migration is a list of its tables and never changes. */
function inLivingSource(path: string): boolean {
  return inSource(path) && !path.startsWith('server/src/db/migrations/');
}

function inTests(path: string): boolean {
  return path.includes('/test/');
}

const accessFolder = 'server/src/access/';

/** `as T`, where T is a type that the module imports from `access/`, or one derived from it. */
function isForgedProof(node: Node): boolean {
  if (!isAsExpression(node)) return false;
  const imported = importedFrom(node, /(^|\/)access\//);
  let isFound = false;
  walk(node.type, (part) => {
    isFound ||= isIdentifier(part) && imported.has(part.text);
  });
  return isFound;
}

/** The local names of everything that the module of a node imports from matching paths. */
function importedFrom(node: Node, place: RegExp): ReadonlySet<string> {
  let file: Node = node;
  while (!isSourceFile(file)) file = file.parent;
  const names = file.statements.flatMap((statement) => {
    if (!isImportDeclaration(statement) || !isStringLiteral(statement.moduleSpecifier)) return [];
    const named = statement.importClause?.namedBindings;
    if (!place.test(statement.moduleSpecifier.text) || named === undefined || !isNamedImports(named))
      return [];
    return named.elements.map(({ name }) => name.text);
  });
  return new Set(names);
}

/** The most parameters of a function, and its most lines without those of nested functions. */
const parametersMax = 3;
const linesMax = 60;
/**
 * The most lines of a function with the functions inside it, and of a class: each sees the variables or fields of the
 * whole, so what changes one of them can be anywhere in it. Three screens can be searched by eye (docs/decisions/0164).
 */
const scopeLinesMax = 150;

type FunctionNode = ArrowFunction | FunctionDeclaration | FunctionExpression | MethodDeclaration;

function isFunction(node: Node): node is FunctionNode {
  return (
    isArrowFunction(node) ||
    isFunctionDeclaration(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node)
  );
}

function isClass(node: Node): boolean {
  return isClassDeclaration(node) || isClassExpression(node);
}

/** Whether the function is an argument of a call, so that the called function decides on its parameters. */
function isGiven(node: FunctionNode): boolean {
  return isCallExpression(node.parent) && node.parent.arguments.includes(node as never);
}

/** A line that is neither blank nor a comment. */
function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*|$)/.test(line);
}

function codeLines(node: Node): number {
  return node.getText().split('\n').filter(isCode).length;
}

/** The lines of code of a function without those of nested functions. */
function ownLines(node: FunctionNode): number {
  let lines = codeLines(node);
  const leaveOut = (part: Node): void => {
    if (isFunction(part)) lines -= codeLines(part) - 1;
    else part.forEachChild(leaveOut);
  };
  node.forEachChild(leaveOut);
  return lines;
}

function isNamed(node: Node, name: string): boolean {
  return isIdentifier(node) && node.text === name;
}

/** `object.member`, or the same in brackets; also below `globalThis`. */
function isMember(node: Node, object: string, member: string): boolean {
  const named =
    (isPropertyAccessExpression(node) && node.name.text === member) ||
    (isElementAccessExpression(node) &&
      isStringLiteral(node.argumentExpression) &&
      node.argumentExpression.text === member);
  return named && (isNamed(node.expression, object) || isMember(node.expression, 'globalThis', object));
}

const networkModules = new Set(
  ['dgram', 'dns', 'dns/promises', 'http', 'http2', 'https', 'net', 'tls', 'inspector'].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);
/** The exports of these modules for servers and for addresses; everything else in them can connect or resolve names. */
const listeningNames = new Set([
  'BlockList',
  'createServer',
  'IncomingMessage',
  'isIP',
  'Server',
  'ServerResponse',
  'Socket',
  'SocketAddress',
  'STATUS_CODES',
]);
/** Globals that connect when they are called or constructed; an existing socket is harmless. */
const connectingNames = ['fetch', 'WebSocket', 'EventSource', 'Socket'];

/** Whether a node opens a connection or refers to something that can. */
function isWayOut(node: Node): boolean {
  if (isImportDeclaration(node) && isNetworkModule(node.moduleSpecifier)) {
    const { importClause: clause } = node;
    if (clause?.phaseModifier === SyntaxKind.TypeKeyword) return false;
    const named = clause?.namedBindings;
    if (clause === undefined || clause.name !== undefined || named === undefined || !isNamedImports(named))
      return true;
    return named.elements.some(
      (element) => !element.isTypeOnly && !listeningNames.has((element.propertyName ?? element.name).text),
    );
  }
  if (isCallExpression(node) && isNetworkModule(node.arguments[0])) {
    const { expression } = node;
    return (
      expression.kind === SyntaxKind.ImportKeyword ||
      (/\b(require|getBuiltinModule)$/.test(expression.getText()) && !takesOnlyListening(node))
    );
  }
  if (!isCallExpression(node) && !isNewExpression(node)) return false;
  const { expression } = node;
  return connectingNames.some(
    (name) => isNamed(expression, name) || isMember(expression, 'globalThis', name),
  );
}

/** Whether a call's result is taken apart at once, into names that only listen: the same as an import of them. */
function takesOnlyListening({ parent }: Node): boolean {
  if (!isVariableDeclaration(parent) || !isObjectBindingPattern(parent.name)) return false;
  return parent.name.elements.every(
    ({ propertyName, name, dotDotDotToken: rest }) =>
      rest === undefined && listeningNames.has((propertyName ?? name)?.getText() ?? ''),
  );
}

function isNetworkModule(specifier: Node | undefined): boolean {
  return specifier !== undefined && isStringLiteral(specifier) && networkModules.has(specifier.text);
}

/**
 * A call of `test` or `it`, including as a method of a test context (`t.test`), with a function that asserts nothing.
 */
function isTestWithoutAssertion(node: Node): boolean {
  if (!isCallExpression(node) || !/^(\w+\.)?(test|it)$/.test(node.expression.getText())) return false;
  const body = node.arguments.find((argument) => isArrowFunction(argument) || isFunctionExpression(argument));
  return body !== undefined && !asserts(body);
}

/** Whether a call below the node is an assertion, by its name: `assert.equal`, `expectProblem`. */
function asserts(node: Node): boolean {
  let found = false;
  walk(node, (inner) => {
    if (isCallExpression(inner) && /\b(assert|expect)/.test(inner.expression.getText())) found = true;
  });
  return found;
}
