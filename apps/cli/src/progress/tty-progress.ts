import type { RunEvent } from '#contracts/events.js';
import pc from 'picocolors';
import type { Progress } from './progress.js';
import { activityOf, fold, initialView, percent, type RunView } from './run-view.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const CLEAR_LINE = '\r\x1b[2K';

/** Progress at a terminal: the last line is rewritten until its chapter (or its node, outside of chapters) is done. */
export class TtyProgress implements Progress {
  private view: RunView = initialView();
  /** Names what the current line is about. */
  private subject = '';
  private text = '';
  private frame = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  say(message: string): void {
    this.pause();
    this.stream.write(`  ${message}\n`);
  }

  event(event: RunEvent): void {
    const before = this.view;
    this.view = fold(before, event);
    const current = lineOf(this.view);
    if (current.subject !== this.subject) this.finishLine(before);
    this.subject = current.subject;
    this.text = current.text;
    if (this.view.chapter?.done && !before.chapter?.done) this.finishLine(this.view);
    else this.draw();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.text !== '') this.stream.write(CLEAR_LINE);
  }

  end(): void {
    this.finishLine(this.view);
  }

  /** Leaves the current line behind, with a mark for what is done. */
  private finishLine({ status }: RunView): void {
    this.pause();
    const mark = status === 'failed' ? pc.red('✗') : pc.green('✓');
    if (this.text !== '') this.stream.write(`${mark} ${this.fit(this.text)}\n`);
    this.text = '';
    this.subject = '';
  }

  private draw(): void {
    if (this.text === '') return;
    this.timer ??= setInterval(() => this.draw(), FRAME_MS).unref();
    this.frame = (this.frame + 1) % FRAMES.length;
    this.stream.write(`${CLEAR_LINE}${pc.cyan(FRAMES[this.frame] ?? '')} ${this.fit(this.text)}`);
  }

  /** A line that wraps could not be rewritten. */
  private fit(text: string): string {
    const width = (this.stream.columns || 80) - 3;
    return text.length > width ? `${text.slice(0, width - 1)}…` : text;
  }
}

const OUTSIDE_CHAPTERS = new Set(['scan_assets', 'parse_to_json', 'convert', 'quality_check']);

function lineOf({ node, chapter, coverage }: RunView): { subject: string; text: string } {
  if (node === undefined) return { subject: '', text: '' };
  if (OUTSIDE_CHAPTERS.has(node)) return { subject: node, text: activityOf(node) };
  if (chapter === undefined) return { subject: node, text: activityOf(node) };
  const title = chapter.title ? `  ${chapter.title}` : '';
  const carried = chapter.done && coverage !== null ? `  ${percent(coverage)} of the lines` : '';
  return {
    subject: `chapter ${chapter.number}`,
    text: `Chapter ${chapter.number}${title}  ${chapter.activity}${carried}`,
  };
}
