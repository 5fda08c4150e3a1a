import { BaseElement, type CommentsHost, type Failure, html, type TemplateResult } from '../shared.ts';
import { failureText, fieldText } from '../sign-in/words.ts';

/** What is said below the buttons of a part of "My data". */
type Message = { readonly text: string; readonly isProblem: boolean };

/** A part of "My data", which does one thing at a time and says how it went. Draws into itself. */
export abstract class PartElement extends BaseElement {
  declare host: CommentsHost;
  /** Whether something is under way: its buttons wait. */
  declare isBusy: boolean | undefined;
  declare message: Message | undefined;

  protected say(text: string, isProblem = false): void {
    this.message = { text, isProblem };
  }

  /** The message as it is drawn, for screen readers as well. */
  protected drawMessage(): TemplateResult {
    const { message } = this;
    return html`<p class=${message?.isProblem ? 'problem' : 'quiet'} role="status">${message?.text}</p>`;
  }

  /** Does something. `task` resolves to what is said about it, or to why it has not worked; `field` is the one it sends. */
  protected async do(task: () => Promise<string | Failure>, field = ''): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.message = undefined;
    const result = await task();
    this.isBusy = false;
    const { t } = this.host;
    if (typeof result === 'string') this.say(result);
    else this.say(fieldText(t, result, `/${field}`) ?? failureText(t, result), true);
  }
}
