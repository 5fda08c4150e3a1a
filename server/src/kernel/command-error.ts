/** The exit code of a command that failed. */
export const exitFailed = 1;
/** The exit code of a command with invalid arguments. */
export const exitMisused = 2;

/** A failure that the user of a command can fix; reported in one line. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exitFailed;
  }
}
