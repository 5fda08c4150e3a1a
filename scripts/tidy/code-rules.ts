import {
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  isArrowFunction,
  isAsExpression,
  isCallExpression,
  isCatchClause,
  isElementAccessExpression,
  isExportAssignment,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isImportSpecifier,
  isMethodDeclaration,
  isNamedImports,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSourceFile,
  isStringLiteral,
  type MethodDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Finding, lineOf, type Module, type Rule, walk } from './tree.ts';

/** A rule about one syntax node; `node` answers the message when the node breaks it. */
interface NodeRule extends Rule {
  readonly appliesTo: (path: string) => boolean;
  readonly node: (node: Node) => string | undefined;
}

/** The modules of src/ that may start timers, each with its reason. */
const timerOwners: Readonly<Record<string, string>> = {
  'src/kernel/clock.ts': 'a delay is part of the clock that tests replace',
  'src/workers/runner.ts': 'it starts every loop and stops it',
  'src/http/reference-client.ts': 'the answer of one request, which waits for another for part of a second',
  'src/http/connection.ts': 'the deadline of one refused connection, cleared when it closes',
  'src/net/egress.ts': 'the deadline of one request, disposed of with the request',
};

/** The modules outside src/net/ that may connect, each with its reason. */
const connectors: Readonly<Record<string, string>> = {
  'src/commands/receiver.ts': 'a person at a terminal names where their own command passes a request on to',
};

/** Syntax that style forbids, each with the files it concerns. */
export const codeRules: readonly NodeRule[] = [
  {
    id: 'export-star',
    why: 'a re-exported folder hides who uses what and loads everything',
    appliesTo: everywhere,
    node: (node) =>
      isExportDeclaration(node) && node.exportClause?.kind !== SyntaxKind.NamedExports
        ? 'export * : name what is exported'
        : undefined,
  },
  {
    id: 'default-export',
    why: 'a named export is called the same everywhere it is used',
    // The test runner takes a reporter from the default export of its file; a declaration file says how others export.
    appliesTo: (path) => path !== 'scripts/test-reporter.ts' && !path.endsWith('.d.ts'),
    node: (node) =>
      isExportAssignment(node) ||
      (node.kind === SyntaxKind.DefaultKeyword && node.parent.kind !== SyntaxKind.DefaultClause)
        ? 'default export: export it by name'
        : undefined,
  },
  {
    id: 'empty-catch',
    why: 'a swallowed error turns a bug into silence',
    appliesTo: everywhere,
    node: (node) =>
      isCatchClause(node) && node.block.statements.length === 0
        ? 'catch without a statement: rethrow, convert to a Problem or handle the error'
        : undefined,
  },
  {
    id: 'process-env',
    why: 'settings are read, checked and documented in one place',
    appliesTo: (path) => inSource(path) && path !== 'src/config.ts',
    node: (node) =>
      isMember(node, 'process', 'env') || importsName(node, ['node:process', 'process'], 'env')
        ? 'process.env is read by src/config.ts alone: take a Config'
        : undefined,
  },
  {
    id: 'ambient-time',
    why: 'code that asks the machine for the time cannot be tested at another time',
    appliesTo: (path) => inSource(path) && path !== 'src/kernel/clock.ts',
    node: (node) =>
      isMember(node, 'Date', 'now') ||
      (isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments ?? []).length === 0) ||
      (isCallExpression(node) && isNamed(node.expression, 'Date'))
        ? 'the time comes from a Clock that is passed in'
        : undefined,
  },
  {
    id: 'ambient-random',
    why: 'Math.random is neither repeatable in a test nor safe for a secret',
    appliesTo: (path) => inSource(path) && path !== 'src/kernel/clock.ts',
    node: (node) =>
      isMember(node, 'Math', 'random') ? 'randomness is passed in, or comes from node:crypto' : undefined,
  },
  {
    id: 'ambient-timer',
    why: 'loops and delays belong to the one runner that knows how to stop them',
    appliesTo: (path) => inSource(path) && !(path in timerOwners),
    node: (node) =>
      isTimer(node) ? `timers are started by ${Object.keys(timerOwners).join(', ')} alone` : undefined,
  },
  {
    id: 'way-out',
    why: 'what leaves another way is not judged: it reaches addresses inside',
    appliesTo: (path) => inSource(path) && !path.startsWith('src/net/') && !(path in connectors),
    node: (node) =>
      isWayOut(node)
        ? 'a connection to elsewhere outside src/net/: take an Egress or a WebReader'
        : undefined,
  },
  {
    id: 'sql-raw',
    why: 'text spliced into SQL is how injection starts',
    appliesTo: (path) => inSource(path) && !path.startsWith('src/db/'),
    node: (node) =>
      isMember(node, 'sql', 'raw')
        ? 'sql.raw outside src/db/: bind a parameter or use an allow-list'
        : undefined,
  },
  {
    id: 'forged-proof',
    why: 'a right that is not resolved in features/access/ is a right that nobody checked',
    appliesTo: (path) => inSource(path) && !path.startsWith(accessFolder),
    node: (node) =>
      isForgedProof(node) ? 'a cast to a type of features/access/: take the proof' : undefined,
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
    // A step of the schema is a list of its tables, and is never changed.
    appliesTo: (path) => inSource(path) && !path.startsWith('src/db/migrations/'),
    node: (node) => {
      const lines = isFunction(node) ? ownLines(node) : 0;
      return lines > linesMax
        ? `${lines} lines of code, functions inside not counted: at most ${linesMax}`
        : undefined;
    },
  },
  {
    id: 'test-timer',
    why: 'a test that sleeps is slow on a good day and red on a bad one',
    appliesTo: (path) => inTests(path) && path !== 'test/support/poll.ts',
    node: (node) =>
      isTimer(node) || (isCallExpression(node) && isNamed(node.expression, 'sleep'))
        ? 'wait for a state with test/support/poll.ts'
        : undefined,
  },
  {
    id: 'disabled-test',
    why: 'a test that does not run is a guarantee nobody holds',
    appliesTo: inTests,
    node: (node) => (disablesTest(node) ? 'skip, only and todo: make the test run or delete it' : undefined),
  },
  {
    id: 'mock',
    why: 'a mock repeats the code under test; fakes of Clock, randomness and Resolver are enough',
    appliesTo: (path) => !inSource(path),
    node: (node) =>
      (isPropertyAccessExpression(node) && (node.name.text === 'mock' || isNamed(node.expression, 'mock'))) ||
      importsName(node, ['node:test'], 'mock')
        ? 'mock: use a real collaborator or a fake that is passed in'
        : undefined,
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

function everywhere(): boolean {
  return true;
}

function inSource(path: string): boolean {
  return path.startsWith('src/');
}

function inTests(path: string): boolean {
  return path.startsWith('test/');
}

const accessFolder = 'src/features/access/';

/** `as T`, where T is a type that the module imports from `features/access/`, or one made of it. */
function isForgedProof(node: Node): boolean {
  if (!isAsExpression(node)) return false;
  const imported = importedFrom(node, /(^|\/)access\//);
  let isFound = false;
  walk(node.type, (part) => {
    isFound ||= isIdentifier(part) && imported.has(part.text);
  });
  return isFound;
}

/** The local names of what the module of a node imports from places that fit. */
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

/** The most parameters of a function, and its most lines without those of the functions in it. */
const parametersMax = 3;
const linesMax = 60;

type FunctionNode = ArrowFunction | FunctionDeclaration | FunctionExpression | MethodDeclaration;

function isFunction(node: Node): node is FunctionNode {
  return (
    isArrowFunction(node) ||
    isFunctionDeclaration(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node)
  );
}

/** Whether another decides on the parameters of a function, because it is handed to a call. */
function isGiven(node: FunctionNode): boolean {
  return isCallExpression(node.parent) && node.parent.arguments.includes(node as never);
}

/** A line that is neither blank nor a comment. */
function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*|$)/.test(line);
}

/** The lines of code of a function without those of the functions in it. */
function ownLines(node: FunctionNode): number {
  const linesOf = (part: Node) => part.getText().split('\n').filter(isCode).length;
  let lines = linesOf(node);
  const leaveOut = (part: Node): void => {
    if (isFunction(part)) lines -= linesOf(part) - 1;
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

/** An import of `name`, under whatever local name, from one of the modules. */
function importsName(node: Node, modules: readonly string[], name: string): boolean {
  if (!isImportSpecifier(node)) return false;
  if ((node.propertyName ?? node.name).text !== name) return false;
  let declaration: Node = node;
  while (!isImportDeclaration(declaration)) declaration = declaration.parent;
  return isStringLiteral(declaration.moduleSpecifier) && modules.includes(declaration.moduleSpecifier.text);
}

const timerNames = ['setTimeout', 'setInterval'];
const timerModules = ['node:timers', 'node:timers/promises', 'timers', 'timers/promises'];

function isTimer(node: Node): boolean {
  if (isImportDeclaration(node)) {
    return isStringLiteral(node.moduleSpecifier) && timerModules.includes(node.moduleSpecifier.text);
  }
  if (!isCallExpression(node)) return false;
  const { expression } = node;
  return timerNames.some((name) => isNamed(expression, name) || isMember(expression, 'globalThis', name));
}

const networkModules = new Set(
  ['dgram', 'dns', 'dns/promises', 'http', 'http2', 'https', 'net', 'tls', 'inspector'].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);
/** What these modules have for who listens; everything else of them can connect or ask for names. */
const listeningNames = new Set([
  'createServer',
  'IncomingMessage',
  'isIP',
  'Server',
  'ServerResponse',
  'Socket',
  'STATUS_CODES',
]);
/** Globals that connect when they are called or made; a socket is harmless until it is made anew. */
const connectingNames = ['fetch', 'WebSocket', 'EventSource', 'Socket'];

/** Whether a node connects to elsewhere or gets hold of something that can. */
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
      /\b(require|getBuiltinModule)$/.test(expression.getText())
    );
  }
  if (!isCallExpression(node) && !isNewExpression(node)) return false;
  const { expression } = node;
  return connectingNames.some(
    (name) => isNamed(expression, name) || isMember(expression, 'globalThis', name),
  );
}

function isNetworkModule(specifier: Node | undefined): boolean {
  return specifier !== undefined && isStringLiteral(specifier) && networkModules.has(specifier.text);
}

const disablingWords = new Set(['skip', 'only', 'todo']);
const testFunctions = new Set(['test', 'it', 'describe', 'suite']);

/** `test.skip(…)`, `t.skip()`, or the option `{ skip: … }` of a test. */
function disablesTest(node: Node): boolean {
  if (!isCallExpression(node)) return false;
  if (isPropertyAccessExpression(node.expression) && disablingWords.has(node.expression.name.text))
    return true;
  return (
    isTestCall(node) &&
    node.arguments.some(
      (argument) =>
        isObjectLiteralExpression(argument) &&
        argument.properties.some(
          (property) =>
            (isPropertyAssignment(property) || isShorthandPropertyAssignment(property)) &&
            isIdentifier(property.name) &&
            disablingWords.has(property.name.text),
        ),
    )
  );
}

/** A call of `test`, `it`, `describe` or `suite`, also as a method of a test context (`t.test`). */
function isTestCall(node: Node): boolean {
  if (!isCallExpression(node)) return false;
  const { expression } = node;
  if (isPropertyAccessExpression(expression)) return testFunctions.has(expression.name.text);
  return isIdentifier(expression) && testFunctions.has(expression.text);
}

function isTestWithoutAssertion(node: Node): boolean {
  if (!isCallExpression(node) || !isTestCall(node)) return false;
  const { expression } = node;
  const name = isPropertyAccessExpression(expression)
    ? expression.name.text
    : isIdentifier(expression)
      ? expression.text
      : '';
  if (name !== 'test' && name !== 'it') return false;
  const body = node.arguments.find((argument) => isArrowFunction(argument) || isFunctionExpression(argument));
  return body !== undefined && !asserts(body);
}

/** Whether anything called below the node is an assertion, by its name: `assert.equal`, `expectProblem`. */
function asserts(node: Node): boolean {
  let found = false;
  walk(node, (inner) => {
    if (isCallExpression(inner) && /\b(assert|expect)/.test(inner.expression.getText())) found = true;
  });
  return found;
}
