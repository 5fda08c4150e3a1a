/** How the steps of a check end when they do not pass. */

/** What a server did is not what the sentence says. */
export class Finding extends Error {
  /**
   * @param {string} message what was expected and what came
   * @param {ErrorOptions & { quote?: import('./index.d.ts').Quote }} [options] `quote` is a sentence more exact than
   *   that of the check
   */
  constructor(message, { quote, ...options } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.quote = quote;
  }
}

/** The server cannot be asked; the message says why. */
export class Skipped extends Error {
  /** @override */
  name = 'Skipped';
}

/** The server gave no answer within the time, or one that is too long; the message says which. */
export class NoAnswer extends Finding {}

/** The run was told to stop. */
export class Interrupted extends Error {
  /** @override */
  name = 'Interrupted';
}

/** The run cannot begin or go on; the message says why. */
export class CannotRun extends Error {
  /** @override */
  name = 'CannotRun';
}
