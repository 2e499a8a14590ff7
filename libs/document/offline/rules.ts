import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import type { RulesWork, SourcePart, WrittenPart } from './rules.worker.js';

const WORKER = new URL('./rules.worker.js', import.meta.url);

type Work = RulesWork extends infer W ? (W extends RulesWork ? Omit<W, 'isTooHard'> : never) : never;

/** Rules that write documents, in a thread with limits. */
export class DocumentRules {
  constructor(
    private readonly inThread: InThread,
    private readonly signal?: AbortSignal,
  ) {}

  /** Writes the next part of a source as Markdown; carries it verbatim if it takes too long to parse. */
  write(part: SourcePart): Promise<WrittenPart> {
    return this.apply<WrittenPart>({ op: 'write', ...part });
  }

  /** Returns the images that the text of a source places. */
  placedImages(file: string, text: string, images: string[]): Promise<string[]> {
    return this.apply<string[]>({ op: 'images', file, text, images });
  }

  /** @throws RunFailure `source_too_hard`, naming the file */
  private async apply<T>(work: Work): Promise<T> {
    for (const isTooHard of [false, true]) {
      try {
        return await this.inThread<T>(WORKER, { ...work, isTooHard }, this.signal);
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
      }
    }
    throw new RunFailure('source_too_hard', phrase('run_error.source_too_hard.source', { name: work.file }));
  }
}
