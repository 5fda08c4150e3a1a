import { elementsGuide } from './reference.ts';

/** The guide, whose tables are those of the elements. */
export function committedFiles(): Readonly<Record<string, string>> {
  return { 'docs/elements.md': elementsGuide() };
}
