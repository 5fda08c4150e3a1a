import type { RepliesAs } from 'confab-contract/import-words.ts';
import { type RenderedText, renderMarkdown } from '../markdown/markdown.ts';
import type { ImportPlan, PlannedApp, PlannedComment, PlannedUser } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';

/**
 * A plan, slice by slice: the comments from a place on, with the apps and users that they need. The command line has the
 * plan in its own memory; a server leaves it in the thread that made it (`export-reader.ts`).
 */

/** The most comments of a slice, which is one transaction: it delays the server's own writes by some tens of milliseconds. */
const sliceCommentsMax = 200;
/** Where a slice ends, in characters of its texts: it is handed from one thread to another. */
const sliceCharactersMax = 256 * 1024;
/** How many comments are looked up at a time. */
const headsMax = 1000;

/** A comment with its text rendered before the transaction. */
export type PreparedComment = PlannedComment & { readonly rendered: RenderedText };

/** The options for looking up comments. */
export type Heads = {
  readonly source: string;
  readonly comments: readonly Pick<PlannedComment, 'sourceId' | 'appUid'>[];
  readonly apps: readonly PlannedApp[];
};

/** Some comments of a plan, with what they need. */
export type Slice = {
  readonly source: string;
  readonly replies: RepliesAs;
  readonly comments: readonly PreparedComment[];
  readonly apps: readonly PlannedApp[];
  readonly users: readonly PlannedUser[];
};

/** A planned import. A slice from beyond the last comment is empty. */
export type ImportSource = {
  readonly report: ImportReport;
  heads(from: number): Heads | Promise<Heads>;
  slice(from: number): Slice | Promise<Slice>;
};

/** The slices of a plan in memory. */
export function sourceOf(plan: ImportPlan): {
  readonly report: ImportReport;
  heads(from: number): Heads;
  slice(from: number): Slice;
} {
  const { report, replies } = plan;
  const pageOf = byUid(plan.apps);
  const personOf = byUid(plan.users);
  const source = plan.comments[0]?.source ?? report.source;
  const appsOf = (comments: readonly { readonly appUid: string }[]) =>
    [...new Set(comments.map(({ appUid }) => appUid))].map(pageOf);
  return {
    report,
    heads(from) {
      const comments = plan.comments
        .slice(from, from + headsMax)
        .map(({ sourceId, appUid }) => ({ sourceId, appUid }));
      return { source, comments, apps: appsOf(comments) };
    },
    slice(from) {
      let characters = 0;
      const comments: PreparedComment[] = [];
      for (const comment of plan.comments.slice(from, from + sliceCommentsMax)) {
        if (characters > sliceCharactersMax) break;
        characters += comment.text.length;
        comments.push({ ...comment, rendered: renderMarkdown(comment.text) });
      }
      const users = [...new Set(comments.map(({ userUid }) => userUid))].map(personOf);
      return { source, replies, comments, apps: appsOf(comments), users };
    },
  };
}

/** Finds things of a list by their uid; throws for one that the list does not have. */
export function byUid<T extends { readonly uid: string }>(list: readonly T[]): (uid: string) => T {
  const items = new Map(list.map((each) => [each.uid, each]));
  return (uid) => {
    const each = items.get(uid);
    if (each === undefined) throw new Error(`the plan does not describe ${uid}`);
    return each;
  };
}
