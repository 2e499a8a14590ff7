import type { RunEvent } from '#contracts/events.js';
import { LineProgress } from './line-progress.js';
import { TtyProgress } from './tty-progress.js';

/** Shows on standard error how a command gets on. */
export interface Progress {
  /** One sentence about the work around the run: files, uploads, the model. */
  say(message: string): void;
  event(event: RunEvent): void;
  /** Clears the way for other output, such as a question; the next event shows the progress again. */
  pause(): void;
  /** Leaves the last state on the screen. */
  end(): void;
}

/** One updating line per chapter at a terminal, plain lines anywhere else. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? new TtyProgress(stream) : new LineProgress();
}
