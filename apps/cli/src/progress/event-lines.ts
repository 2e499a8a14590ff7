import type { RunEvent } from '#contracts/events.js';
import { printable } from './printable.js';
import type { Progress } from './progress.js';

/** Progress as the lines that each event is worth, one after the other. */
export class EventLines implements Progress {
  /** @param lineOf the line of an event; undefined for one that is worth none */
  constructor(
    private readonly write: (line: string) => void,
    private readonly lineOf: (event: RunEvent) => string | undefined,
  ) {}

  say(message: string): void {
    this.write(message);
  }

  event(event: RunEvent): void {
    const line = this.lineOf(event);
    if (line !== undefined) this.write(printable(line));
  }

  pause(): void {}

  end(): void {}
}
