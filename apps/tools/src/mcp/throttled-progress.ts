import { sanitizeServerText } from './sanitize-server-text.js';

/** How far a call is, in the words of its server. */
export interface ServerProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** Milliseconds between two reports of a call, and how many of one call are told. */
const PAUSE_MS = 1_000;
const MAX_TOLD = 600;
const MAX_CHARACTERS = 200;

/**
 * Tells how far a call is, as often as somebody would look: the first report at once, then one a second at most. What the server says is
 * data (`sanitizeServerText`).
 */
export class ThrottledProgress {
  private toldAt = -Infinity;
  private count = 0;
  private telling = Promise.resolve();

  /** @param tell may fail: progress is worth no failure */
  constructor(private readonly tell: (data: Record<string, unknown>) => Promise<void>) {}

  hear({ progress, total, message }: ServerProgress): void {
    const now = performance.now();
    if (now - this.toldAt < PAUSE_MS || this.count >= MAX_TOLD) return;
    this.toldAt = now;
    this.count += 1;
    const said = message === undefined ? null : sanitizeServerText(message, MAX_CHARACTERS);
    const data = { progress, total: total ?? null, message: said };
    this.telling = this.telling.then(() => this.tell(data)).catch(() => undefined);
  }

  /** Resolves when nothing is being told any more. */
  end(): Promise<void> {
    return this.telling;
  }
}
