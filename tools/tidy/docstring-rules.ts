import {
  getLeadingCommentRanges,
  isArrowFunction,
  isClassDeclaration,
  isEnumDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isNamedExports,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isVariableStatement,
  type Statement,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Finding, lineOf, type Module, type Rule } from './tree.ts';

/**
 * Every export of a module of `server/src/` needs a docstring with its guarantee. In `contract/src/` plain schema constants
 * and the types derived from them are exempt: a schema has its description as data, and its type adds nothing to the
 * schema.
 */
export const docstringRule: Rule = {
  id: 'missing-docstring',
  why: 'who calls a function should not have to read its body',
};

/** Applies the docstring rule to one module. */
export function checkDocstrings(module: Module): Finding[] {
  if (!/^(server|contract|importers)\/src\//.test(module.path)) return [];
  const listed = new Set(module.ast.statements.flatMap(localExportNames));
  const documented = new Set<string>();
  return module.ast.statements.flatMap((statement) => {
    const names = declaredNames(statement).filter((name) => isExported(statement) || listed.has(name));
    if (names.length === 0 || isPlainSchema(module.path, statement)) return [];
    if (hasDocstring(module, statement)) {
      for (const name of names) documented.add(name);
      return [];
    }
    // The overloads of a function share the docstring of the first.
    return names
      .filter((name) => !documented.has(name))
      .map((name) => ({
        path: module.path,
        line: lineOf(module, statement),
        rule: docstringRule.id,
        message: `exported ${name} has no /** docstring */`,
      }));
  });
}

function hasDocstring(module: Module, statement: Statement): boolean {
  const comments = getLeadingCommentRanges(module.text, statement.pos) ?? [];
  return comments.some((comment) => module.text.startsWith('/**', comment.pos));
}

/** The names declared in the module that an `export { … }` statement lists. */
function localExportNames(statement: Statement): string[] {
  if (!isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return [];
  if (statement.exportClause === undefined || !isNamedExports(statement.exportClause)) return [];
  return statement.exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
}

function isExported(statement: Statement): boolean {
  const modifiers =
    'modifiers' in statement
      ? (statement.modifiers as readonly { kind: SyntaxKind }[] | undefined)
      : undefined;
  return modifiers?.some((modifier) => modifier.kind === SyntaxKind.ExportKeyword) ?? false;
}

function declaredNames(statement: Statement): string[] {
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      isIdentifier(name) ? [name.text] : [],
    );
  }
  if (
    isFunctionDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement) ||
    isEnumDeclaration(statement)
  ) {
    return statement.name === undefined ? [] : [statement.name.text];
  }
  return [];
}

function isPlainSchema(path: string, statement: Statement): boolean {
  if (!path.startsWith('contract/src/')) return false;
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.every(
      ({ initializer }) =>
        initializer !== undefined && !isArrowFunction(initializer) && !isFunctionExpression(initializer),
    );
  }
  return (
    isTypeAliasDeclaration(statement) &&
    isTypeReferenceNode(statement.type) &&
    /^(Type\.)?Static\w*$/.test(statement.type.typeName.getText())
  );
}
