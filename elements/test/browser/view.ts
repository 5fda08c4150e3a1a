/**
 * What a task uses of a page: the part of the pages of Playwright that every browser engine can be driven by. The engines
 * that Playwright cannot start have pages of their own for it, in `proof/engines/`.
 */

type Role = 'button' | 'combobox' | 'dialog' | 'listitem' | 'menuitem' | 'option' | 'textbox';
type Named = { readonly name?: string; readonly exact?: boolean };
type WithText = { readonly hasText?: string };

/** Where something is looked for: a page, or a part of it. */
export interface Seeking {
  locator(selector: string, options?: WithText): Place;
  getByRole(role: Role, options?: Named): Place;
  getByText(text: string): Place;
  getByLabel(text: string, options?: { readonly exact?: boolean }): Place;
}

/** One or several elements of a page, looked for when they are used. */
export interface Place extends Seeking {
  first(): Place;
  filter(options: WithText): Place;
  count(): Promise<number>;
  waitFor(options?: { readonly state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;
  textContent(): Promise<string | null>;
  getAttribute(name: string): Promise<string | null>;
  inputValue(): Promise<string>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  evaluate<T>(act: (element: any) => T): Promise<T>;
  click(): Promise<void>;
  tap(): Promise<void>;
  selectOption(value: string): Promise<unknown>;
}

/** A page of a browser. */
export interface View extends Seeking {
  evaluate(expression: string): Promise<any>;
  viewportSize(): { width: number; height: number } | null;
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
  };
  /** Where there is none, time passes by itself. */
  readonly clock?: {
    install(): Promise<void>;
    fastForward(ms: number): Promise<void>;
  };
}
