import type { Rule } from 'confab-contract/moderation.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { putSetting, settingOf } from '../../db/settings.ts';
import { type CompiledRules, compileRules, type RuleDocument } from './compiled-rules.ts';

/**
 * The rules of an operator. They are one setting of the store, which each node compiles once and remembers until it hears
 * of a change. A node that hears nothing finds a change by looking (`RuleBook.look`).
 */

const settingName = 'moderation_rules';

const none: RuleDocument = { version: 0, includesBots: false, rules: [], modifiedAt: null };

/** The rules that are stored. */
export async function readDocument(read: Pick<Read, 'get'> | Tx): Promise<RuleDocument> {
  const row = await (read as Pick<Read, 'get'>).get(settingOf, { name: settingName });
  return row === undefined ? none : (JSON.parse(row.value) as RuleDocument);
}

/** Stores rules, and wakes the nodes that remember others. */
export async function writeDocument(tx: Tx, document: RuleDocument): Promise<void> {
  await putSetting(tx, { name: settingName, value: JSON.stringify(document) });
  tx.wake('rules');
}

/** The compiled rules of this node. */
export type RuleBook = {
  /** The rules in force; undefined while they have to be read again. */
  known(): CompiledRules | undefined;
  /** The rules in force. */
  current(): Promise<CompiledRules>;
  /** Looks for rules of another version, for nodes that heard nothing of a change. */
  look(): Promise<void>;
};

/** Creates the book of a node. It reads nothing before the first use. */
export function createRuleBook(db: Db): RuleBook {
  let rules: CompiledRules | undefined;
  let changes = 0;
  db.onCommit('rules', () => {
    changes += 1;
    rules = undefined;
  });

  async function read(): Promise<CompiledRules> {
    for (;;) {
      const before = changes;
      const document = await readDocument(db.read);
      if (before !== changes) continue;
      rules = rules?.version === document.version ? rules : compileRules(document);
      return rules;
    }
  }

  return {
    known: () => rules,
    current: async () => rules ?? (await read()),
    look: async () => void (await read()),
  };
}

/** The names of rules, for what is counted by them. */
export function namesOf(rules: readonly Rule[]): string[] {
  return rules.map(({ name }) => name);
}
