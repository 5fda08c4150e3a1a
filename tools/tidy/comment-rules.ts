import type { Finding, Module, Rule } from './tree.ts';

/** A rule about the words of a comment; `broken` returns the words that break it. */
interface CommentRule extends Rule {
  readonly broken: (comment: string) => string | undefined;
}

/** What comments must not contain or look like. */
export const commentRules: readonly CommentRule[] = [
  {
    id: 'history-comment',
    why: 'a comment describes the code as it stands; history is in the log',
    // Between two words a comment may have a line break with the star of the next line.
    broken: (comment) =>
      firstMatch(comment, [
        /\bpreviously\b/i,
        /\bformerly\b/i,
        // "The key used to sign" is present tense; a pronoun or an infinitive of being tells the past.
        /\b(?:it|this|that|there|we|which|they)[\s*]+used[\s*]+to\b/i,
        /\bused[\s*]+to[\s*]+(?:be|have|live|return|throw)\b/i,
        /\bno[\s*]+longer\b/i,
        /\brefactored\b/i,
        /\bas[\s*]+requested\b/i,
      ]),
  },
  {
    id: 'postponed-comment',
    why: 'work put off without an issue is forgotten',
    broken: (comment) =>
      firstMatch(comment, [/\bfor[\s*]+now\b/i, /\b(?:TODO|FIXME|HACK|XXX)\b(?!\(#\d+\))/]),
  },
  {
    id: 'section-banner',
    why: 'a file that needs banners is two files',
    broken: (comment) =>
      firstMatch(comment, [
        // A line of one repeated sign, with or without words after it.
        /^\s*(?:\/\/|\/\*+|\*)?[ \t]*([-=#~*/_─━═])\1{3,}.*$/m,
        // Words between two short lines.
        /^\s*(?:\/\/|\/\*+|\*)[ \t]*([-=#~*])\1+[ \t]+\S.*[ \t]\1{2,}\s*(?:\*\/)?$/m,
      ]),
  },
];

/** Applies the comment rules to one module. */
export function checkComments(module: Module): Finding[] {
  return module.comments.flatMap((comment) =>
    commentRules.flatMap((rule) => {
      const words = rule.broken(comment.text);
      if (words === undefined) return [];
      const line = comment.line + comment.text.slice(0, comment.text.indexOf(words)).split('\n').length - 1;
      return [
        { path: module.path, line, rule: rule.id, message: `comment says "${words.trim()}": ${rule.why}` },
      ];
    }),
  );
}

function firstMatch(text: string, patterns: readonly RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
}
