import { addEnglish, type Comment, type CommentsHost, define, type Intent, sheetOf } from '../shared.ts';
import { writingEnglish } from '../texts/writing-english.ts';
import { ConfabComposer } from './composer.ts';
import { reactTo, writing } from './extension.ts';
import style from './write.css';
import { writingOf } from './writing.ts';

/**
 * What people need to write: the part that is loaded when somebody first wants to. `composer.ts` is the field, `outbox.ts`
 * sends, `drafts.ts` keeps what is typed, and `extension.ts` draws what belongs to comments.
 */

addEnglish(writingEnglish);
define('confab-composer', ConfabComposer);
const sheet = sheetOf(style);

/** Does what somebody wants, in an element that may not have this part yet. */
export function begin(
  host: CommentsHost,
  {
    intent,
    comment,
    value,
  }: { intent: Intent; comment: Comment | undefined; value: string | number | undefined },
): void {
  const of = writingOf(host);
  of.adopt(sheet);
  host.extend(writing);
  if (comment === undefined) return;
  if (intent === 'answer') of.answer(comment);
  else if (intent === 'more') of.unfold(comment, 'more');
  else void reactTo(of, comment, { intent, value });
}
