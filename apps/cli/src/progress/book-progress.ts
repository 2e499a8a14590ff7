import type { RunEvent } from '#contracts/events.js';
import type { Progress } from './progress.js';

/** The progress of a book: one line for its outline, for each review of a chapter, and for each chapter that is written. */
export class BookProgress implements Progress {
  constructor(private readonly write: (line: string) => void) {}

  say(message: string): void {
    this.write(message);
  }

  event({ type, data }: RunEvent): void {
    const chapter = `chapter ${String(data['number'])}`;
    if (type === 'outline_saved') this.write(`outline: ${String(data['chapters'])} chapters`);
    if (type === 'chapter_reviewed')
      this.write(`${chapter}: scored ${String(data['score'])}${data['revise'] === true ? ', revised' : ''}`);
    if (type === 'chapter_persisted')
      this.write(`${chapter}: written, ${String(data['words'])} words  ${String(data['title'])}`);
  }

  pause(): void {}

  end(): void {}
}
