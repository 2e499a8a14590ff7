import type { RunEvent } from '#contracts/events.js';
import { LineProgress } from './line-progress.js';
import { TtyProgress } from './tty-progress.js';

/** Shows the progress of a command on standard error. */
export interface Progress {
  /** Shows a message about the work around the run, such as files, uploads and the model. */
  say(message: string): void;
  event(event: RunEvent): void;
  /** Removes the progress line before other output, such as a question. The next event shows it again. */
  pause(): void;
  /** Ends the progress and leaves the last state on the screen. */
  end(): void;
}

/** Returns a progress view: one updating line per chapter at a terminal, else plain lines. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? new TtyProgress(stream) : new LineProgress();
}
