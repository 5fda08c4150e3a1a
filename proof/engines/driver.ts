/** What the suite needs of a browser engine; everything else is done in the page, in the same way for all engines. */

/** A window of a browser without any history, cookies or storage. */
export type Tab = {
  /** Goes to an address, and waits until its page is loaded. */
  goTo(url: string): Promise<void>;
  /** The value of an expression, which JSON can hold. */
  evaluate(expression: string): Promise<any>;
  /** Presses the mouse, or a finger, in the window; in pixels of CSS. */
  click(x: number, y: number): Promise<void>;
  tap(x: number, y: number): Promise<void>;
  /** Holds and leaves keys, which have the names of `KeyboardEvent.key`. */
  press(keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  close(): Promise<void>;
};

export type Size = { readonly width: number; readonly height: number };

/** A browser that runs. */
export type Driver = {
  readonly name: string;
  readonly version: string;
  openTab(size: Size): Promise<Tab>;
  close(): Promise<void>;
};
