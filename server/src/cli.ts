import { CommanderError } from 'commander';
import { noteFailure } from './commands/command.ts';
import { commandLine } from './commands/program.ts';
import { CommandError, exitMisused } from './kernel/command-error.ts';

/**
 * The command line. The result of a command goes to stdout; its log, notes and errors go to stderr, so that
 * `key=$(confab key create)` contains only the key. It exits with 0 on success, 1 on failure and 2 for invalid arguments.
 *
 * The server, the imports, the move and the doctor are loaded only by their commands: the server is more than half of the program.
 */
// Only the user of this process may access created files: the store, its logs and copies.
process.umask(0o077);

// A reader such as `head` may close the pipe early; the command still completes its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await commandLine().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error to stderr; help and version also end here, with 0.
    process.exitCode = error.exitCode === 0 ? 0 : exitMisused;
  } else if (error instanceof CommandError) {
    noteFailure(error);
    process.exitCode = error.exitCode;
  } else throw error;
}
