import { LineProgress, type Progress } from './line-progress.js';
import { TtyProgress } from './tty-progress.js';

export type { Progress };

/** Returns a progress view: one updating line per chapter at a terminal, else plain lines. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? new TtyProgress(stream) : new LineProgress();
}
