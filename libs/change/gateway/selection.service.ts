import { GATEWAY_THREADS } from '#config/memory.js';
import type { Span } from '#contracts/findings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import type { Selection, SelectionProblem, SelectionRequest } from '#writing/selection.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SelectionWork } from './selection.worker.js';

const WORKER = new URL('./selection.worker.js', import.meta.url);
/** Time limit for one text, in milliseconds. */
const LIMIT_MS = 15_000;

/** Finds and replaces selections in threads, so that no text blocks other requests. */
@Injectable()
export class SelectionService implements OnApplicationShutdown {
  private readonly pool = new ThreadPool(GATEWAY_THREADS.changes);

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  /** @throws ProblemError `invalid_request` if the request does not name exactly one part of the text */
  async locate(text: string, request: SelectionRequest): Promise<Selection> {
    const found = await this.run<Selection | SelectionProblem>({ op: 'locate', text, request });
    if (!('problem' in found)) return found;
    throw new ProblemError('invalid_request', found.problem, [
      { path: 'selection', message: 'does not name one part of the text' },
    ]);
  }

  /** Returns the text with other words in a span; everything else stays byte-identical. */
  replace(text: string, span: Span, replacement: string): Promise<string> {
    return this.run<string>({ op: 'replace', text, span, replacement });
  }

  private async run<T>(work: SelectionWork): Promise<T> {
    try {
      return await this.pool.run<T>(WORKER, work, LIMIT_MS);
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      throw new ProblemError('invalid_request', phrase('invalid_request.texts_too_hard'));
    }
  }
}
