import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import type { CheckedCode, Code } from './code.worker.js';

const WORKER = new URL('./code.worker.js', import.meta.url);

/** Checks SQL and JSONata of plans before they run (P7). */
export class CodeChecks {
  /** @param apart calls a module in another process, with limits for the tenant */
  constructor(private readonly apart: InThread) {}

  /** Returns why code would fail with any data. Code whose check exceeds its limits is checked by the call itself. */
  async check(code: Code): Promise<CheckedCode> {
    try {
      return await this.apart<CheckedCode>(WORKER, code);
    } catch (error) {
      if (error instanceof ThreadLimitError) return { problem: null, columns: null };
      throw error;
    }
  }
}
