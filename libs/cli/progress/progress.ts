import { LineProgress, type Progress } from './line-progress.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { withCapital } from '#contracts/text.js';
import type { RunEvent } from '#catalogue/events.js';
import pc from 'picocolors';
import { translate } from '../language.js';
import { printable } from './printable.js';
import {
  activityOf,
  carriedText,
  chaptersFrom,
  fold,
  initialView,
  OUTSIDE_CHAPTERS,
  type RunView,
} from './run-view.js';

export type { Progress };

/** Returns a progress view: one updating line per chapter at a terminal, else plain lines. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? new TtyProgress(stream) : new LineProgress();
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const CLEAR_LINE = '\r\x1b[2K';

/** Progress at a terminal: rewrites the last line until its chapter (or node outside chapters) is done. */
export class TtyProgress implements Progress {
  private view: RunView = initialView();
  /** Chapter or activity of the current line. */
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

  /** Ends the line. Removes it if its chapter is untitled: the agent's last step only opens a chapter. */
  private leaveLine(view: RunView): void {
    const isUnwritten = this.subject.startsWith('chapter') && view.chapter?.title === undefined;
    if (!isUnwritten) return this.finishLine(view);
    this.pause();
    this.text = '';
    this.subject = '';
  }

  /** Ends the current line with a mark of success or failure. */
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

  /** Shortens text to the terminal's width: a wrapped line could not be rewritten. */
  private fit(text: string): string {
    const width = (this.stream.columns || 80) - 3;
    return text.length > width ? `${text.slice(0, width - 1)}…` : text;
  }
}

/**
 * Returns the subject and the text of the line; both are empty if there is nothing to show.
 *
 * @param isSaved the chapter was just saved, so that its line is shown once more
 */
function lineOf(view: RunView, isSaved: boolean): { subject: string; text: string } {
  const { node, label, chapter, coverage, byteCoverage } = view;
  if (node === undefined) return { subject: '', text: '' };
  const isOutside = OUTSIDE_CHAPTERS.has(node) || chapter === undefined;
  if (isOutside) return { subject: activityOf(node, label), text: activityOf(node, label) };
  if (chapter.done && !isSaved) return { subject: '', text: '' };
  const title = chapter.title ? `  ${chapter.title}` : '';
  const carried =
    isSaved && coverage !== null
      ? `  ${translate(phrase('cli.carried', { coverage: carriedText(coverage, byteCoverage) }))}`
      : '';
  return {
    subject: `chapter ${chapter.number}`,
    text: `${withCapital(chaptersFrom(chapter.number, view))}${title}  ${chapter.activity}${carried}`,
  };
}
