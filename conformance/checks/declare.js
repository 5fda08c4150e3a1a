/** @typedef {import('../trial.js').Trial} Trial */
/** @typedef {import('../index.d.ts').Quote} Quote */
/** @typedef {{ id: string, area: string, quote: Quote, run: (t: Trial) => Promise<void> }} Declared */

/**
 * Begins the list of the checks of an area.
 * @param {string} area the first part of the id of each check
 */
export function declaring(area) {
  /** @type {Declared[]} */
  const checks = [];
  return {
    checks,
    /**
     * Declares a check: the sentence that a server breaks when the steps fail.
     * @param {string} id
     * @param {Quote} quote
     * @param {(t: Trial) => Promise<void>} run
     */
    check(id, quote, run) {
      checks.push({ id: `${area}.${id}`, area, quote, run });
    },
  };
}
