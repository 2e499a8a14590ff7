import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { setMaxListeners } from 'node:events';
import type { CheckedCode, Code } from './code.worker.js';

const WORKER = new URL('./code.worker.js', import.meta.url);

/** Checks SQL and JSONata of plans before they run (P7). */
export class CodeChecks {
  /**
   * @param apart calls a module in another process, with limits for the tenant
   * @param deadline of all checks together; none without it
   */
  constructor(
    private readonly apart: InThread,
    private readonly deadline?: AbortSignal,
  ) {}

  /** Returns checks that end together: the code of one plan cannot occupy the processes for long. @param ms milliseconds */
  within(ms: number): CodeChecks {
    const deadline = AbortSignal.timeout(ms);
    // One listener for each step that is checked.
    setMaxListeners(0, deadline);
    return new CodeChecks(this.apart, deadline);
  }

  /** Returns why code would fail with any data. Code whose check exceeds its limits is checked by the call itself. */
  async check(code: Code): Promise<CheckedCode> {
    try {
      this.deadline?.throwIfAborted();
      return await this.apart<CheckedCode>(WORKER, code, this.deadline);
    } catch (error) {
      if (error instanceof ThreadLimitError || this.deadline?.aborted)
        return { problem: null, columns: null };
      throw error;
    }
  }
}
