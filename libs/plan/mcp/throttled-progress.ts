import { sanitizeServerText } from './sanitize-server-text.js';

/** Progress of a call as reported by its server. */
export interface ServerProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** Minimum interval in ms between two reports of a call, and maximum number of reports per call. */
const PAUSE_MS = 1_000;
const MAX_TOLD = 600;
const MAX_CHARACTERS = 200;

/**
 * Reports the progress of a call at a rate useful to people: the first update immediately, then at most one
 * per second. The server's text is untrusted data (`sanitizeServerText`).
 */
export class ThrottledProgress {
  private toldAt = -Infinity;
  private count = 0;
  private telling = Promise.resolve();

  /** @param tell sends the progress; its errors are ignored, so that a call does not fail because of them */
  constructor(private readonly tell: (data: Record<string, unknown>) => Promise<void>) {}

  hear({ progress, total, message }: ServerProgress): void {
    const now = performance.now();
    if (now - this.toldAt < PAUSE_MS || this.count >= MAX_TOLD) return;
    this.toldAt = now;
    this.count += 1;
    const shown = message === undefined ? null : sanitizeServerText(message, MAX_CHARACTERS);
    const data = { progress, total: total ?? null, message: shown };
    this.telling = this.telling.then(() => this.tell(data)).catch(() => undefined);
  }

  /** Resolves when all reports are sent. */
  end(): Promise<void> {
    return this.telling;
  }
}
