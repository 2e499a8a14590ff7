import type { RunEvent } from '#contracts/events.js';
import { printable } from './printable.js';
import {
  activityOf,
  carriedText,
  fold,
  hasActivity,
  initialView,
  OUTSIDE_CHAPTERS,
  type RunView,
} from './run-view.js';

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
      isBegun ? `chapter ${chapter.number}: writing "${chapter.title}"` : undefined,
      lineOf(view, event),
    ];
  };
}

/** Returns the line of an event; undefined if the event only updates the view. */
function lineOf({ chapter, coverage, byteCoverage }: RunView, event: RunEvent): string | undefined {
  const where = chapter ? `chapter ${chapter.number}` : 'manuscript';
  switch (event.type) {
    case 'node_complete':
      return OUTSIDE_CHAPTERS.has(String(event.data['node']))
        ? `${activityOf(String(event.data['node']))}: done`
        : undefined;
    case 'validation_ran':
      if (event.data['passed'] !== true) return `${where}: ${chapter?.activity ?? 'issues found'}`;
      return `${where}: validated${coverage === null ? '' : `, coverage ${carriedText(coverage, byteCoverage)}`}`;
    case 'checkpoint_saved':
      return event.data['validated'] === true ? `${where}: saved` : undefined;
    case 'decision_required':
      return `waiting: ${String(event.data['question'])}`;
    case 'decision_answered':
      return 'answered; the run continues';
    case 'rollback_performed':
      return 'rolled back to the last named checkpoint';
    default:
      return undefined;
  }
}
