import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import type { ParagraphDecision, RevisionChange } from '#writing/paragraph-decisions.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { GATEWAY_THREADS } from '#config/memory.js';
import type { ChapterTextWork, DecidedText, DerivedText, KeptText } from './chapter-texts.worker.js';

const WORKER = new URL('./chapter-texts.worker.js', import.meta.url);
/** Time limit for one text, in milliseconds. */
const LIMIT_MS = 15_000;

/** Reads and compares chapter texts in threads, so that no text blocks other requests. */
@Injectable()
export class ChapterTexts implements OnApplicationShutdown {
  private readonly pool = new ThreadPool(GATEWAY_THREADS.chapters);

  /**
   * Returns a person's text with its facts, its summary and its kept paragraphs: those of the text before, and new ones.
   *
   * @throws ProblemError `invalid_request` if that takes too long
   */
  derive(content: string, before: KeptText | null): Promise<DerivedText> {
    return this.run<DerivedText>({ op: 'derive', content, before }, tooHard);
  }

  /** @throws ProblemError `diff_too_large` */
  changes(base: string, revised: string): Promise<RevisionChange[]> {
    return this.run<RevisionChange[]>({ op: 'changes', base, revised }, tooDifferent);
  }

  /**
   * Returns the text that results from the decisions. Its accepted paragraphs are kept, with those in `kept`.
   *
   * @throws ProblemError `diff_too_large`
   */
  decide(
    base: string,
    revised: string,
    decisions: ParagraphDecision[],
    kept: string[],
  ): Promise<DecidedText> {
    return this.run<DecidedText>({ op: 'decide', base, revised, decisions, kept }, tooDifferent);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run<T>(work: ChapterTextWork, refusal: () => ProblemError): Promise<T> {
    try {
      return await this.pool.run<T>(WORKER, work, LIMIT_MS);
    } catch (error) {
      if (error instanceof WorkLimitError) throw refusal();
      throw error;
    }
  }
}

const tooHard = () => new ProblemError('invalid_request', phrase('invalid_request.text_too_hard'));
const tooDifferent = () => new ProblemError('diff_too_large', phrase('diff_too_large.versions'));
