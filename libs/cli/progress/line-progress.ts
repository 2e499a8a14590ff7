import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { renderText, translate } from '../language.js';
import type { RunEvent } from '#catalogue/events.js';
import { printable } from './printable.js';
import {
  activityOf,
  carriedText,
  chaptersFrom,
  fold,
  hasActivity,
  initialView,
  OUTSIDE_CHAPTERS,
  type RunView,
} from './run-view.js';

/** Says on standard error what a command does that may take more than a second; quiet in a pipe. */
export function sayOnTerminal(
  message: Phrase,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): void {
  if (stream.isTTY) stream.write(`${translate(message)}\n`);
}

/** Shows the progress of a command on standard error. */
export interface Progress {
  /** Shows a message about the work around the run, such as files, uploads and the model. */
  say(message: string): void;
  event(event: RunEvent): void;
  /** Removes the progress line before other output, such as a question. The next event shows it again. */
  pause(): void;
  /** Ends the progress and leaves the last state on the screen. */
  end(): void;
}

/** Progress as plain lines, for logs and pipes: one line whenever work starts or ends. */
export class LineProgress implements Progress {
  /** @param linesOf returns the lines of an event; replaces the default for kinds with specific events */
  constructor(
    private readonly write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
    private readonly linesOf: (event: RunEvent) => (string | undefined)[] = createRunLines(),
  ) {}

  say(message: string): void {
    this.write(printable(message));
  }

  event(event: RunEvent): void {
    for (const line of this.linesOf(event)) if (line !== undefined) this.say(line);
  }

  pause(): void {}

  end(): void {}
}

/** Returns a stateful function that returns the lines of each event of one run, of any kind. */
function createRunLines(): (event: RunEvent) => (string | undefined)[] {
  let view = initialView();
  /** Number of the last chapter whose start was reported. */
  let begun = 0;
  return (event) => {
    const before = view.label;
    view = fold(view, event);
    const { chapter, label, node } = view;
    const isNewLabel = label !== before && node !== undefined && !hasActivity(node);
    // A chapter has a title once its first text is written.
    const isBegun = chapter?.title !== undefined && chapter.number !== begun;
    if (isBegun) begun = chapter.number;
    return [
      isNewLabel ? label : undefined,
      isBegun
        ? `${chaptersFrom(chapter.number, view)}: ${translate(phrase('cli.chapter_begun', { title: chapter.title! }))}`
        : undefined,
      lineOf(view, event),
    ];
  };
}

/** Returns the line of an event; undefined if the event only updates the view. */
function lineOf(view: RunView, event: RunEvent): string | undefined {
  const { chapter, coverage, byteCoverage } = view;
  const where = chapter ? chaptersFrom(chapter.number, view) : translate(phrase('cli.manuscript'));
  switch (event.type) {
    case 'node_complete':
      return OUTSIDE_CHAPTERS.has(String(event.data['node']))
        ? translate(phrase('cli.activity_done', { activity: activityOf(String(event.data['node'])) }))
        : undefined;
    case 'validation_ran':
      if (event.data['passed'] !== true)
        return `${where}: ${chapter?.activity ?? translate(phrase('cli.issues_found'))}`;
      return coverage === null
        ? `${where}: ${translate(phrase('cli.validated'))}`
        : `${where}: ${translate(phrase('cli.validated_coverage', { coverage: carriedText(coverage, byteCoverage) }))}`;
    case 'checkpoint_saved':
      return event.data['validated'] === true ? `${where}: ${translate(phrase('cli.saved'))}` : undefined;
    case 'decision_required':
      return translate(phrase('cli.waiting', { question: askedIn(event) }));
    case 'decision_answered':
      return translate(phrase('cli.answered'));
    case 'rollback_performed':
      return translate(phrase('cli.rolled_back'));
    default:
      return undefined;
  }
}

/** Returns the question of an event; the phrase of an older service is missing. */
const askedIn = ({ data }: RunEvent): string =>
  renderText(phraseSchema.safeParse(data['phrase']).data, String(data['question']));
