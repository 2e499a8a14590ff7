import type { RunEvent } from '#contracts/events.js';
import pc from 'picocolors';
import { printable } from './printable.js';
import type { Progress } from './progress.js';
import { activityOf, carriedText, fold, initialView, OUTSIDE_CHAPTERS, type RunView } from './run-view.js';

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
    this.stream.write(`  ${printable(message)}\n`);
  }

  event(event: RunEvent): void {
    const before = this.view;
    this.view = fold(before, event);
    const isSaved = this.view.chapter?.done === true && before.chapter?.done !== true;
    const { subject, text: line } = lineOf(this.view, isSaved);
    const text = printable(line);
    if (subject !== this.subject) this.leaveLine(before);
    const isNew = text !== this.text;
    this.subject = subject;
    this.text = text;
    if (isSaved) this.finishLine(this.view);
    else if (isNew || this.timer === undefined) this.draw();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.text !== '') this.stream.write(CLEAR_LINE);
  }

  end(): void {
    this.finishLine(this.view);
  }

  /** The agent's last visit opens a chapter that it does not write: such a line is forgotten. */
  private leaveLine(view: RunView): void {
    const isUnwritten = this.subject.startsWith('chapter') && view.chapter?.title === undefined;
    if (!isUnwritten) return this.finishLine(view);
    this.pause();
    this.text = '';
    this.subject = '';
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

/**
 * What the line is about, and its text; both empty while there is nothing to show.
 *
 * @param isSaved the chapter was saved just now, so that its line is shown once more
 */
function lineOf(
  { node, label, chapter, coverage, byteCoverage }: RunView,
  isSaved: boolean,
): { subject: string; text: string } {
  if (node === undefined) return { subject: '', text: '' };
  const isOutside = OUTSIDE_CHAPTERS.has(node) || chapter === undefined;
  if (isOutside) return { subject: activityOf(node, label), text: activityOf(node, label) };
  if (chapter.done && !isSaved) return { subject: '', text: '' };
  const title = chapter.title ? `  ${chapter.title}` : '';
  const carried = isSaved && coverage !== null ? `  carried: ${carriedText(coverage, byteCoverage)}` : '';
  return {
    subject: `chapter ${chapter.number}`,
    text: `Chapter ${chapter.number}${title}  ${chapter.activity}${carried}`,
  };
}
