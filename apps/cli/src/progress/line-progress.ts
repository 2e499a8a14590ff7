import type { RunEvent } from '#contracts/events.js';
import { printable } from './printable.js';
import type { Progress } from './progress.js';
import { activityOf, carriedText, fold, hasActivity, initialView, type RunView } from './run-view.js';

/** Nodes outside of chapters that take time. */
const NODES_OF_THEIR_OWN = new Set(['scan_assets', 'parse_to_json', 'convert', 'quality_check']);

/** Progress as plain lines, for logs and pipes: one line whenever something is begun or done. */
export class LineProgress implements Progress {
  private view: RunView = initialView();
  /** The chapter whose beginning was told. */
  private begun = 0;

  constructor(private readonly show: (line: string) => void) {}

  say(message: string): void {
    this.write(message);
  }

  event(event: RunEvent): void {
    const before = this.view.label;
    this.view = fold(this.view, event);
    const { chapter, label, node } = this.view;
    if (label !== undefined && label !== before && node !== undefined && !hasActivity(node))
      this.write(label);
    // A chapter has a title as soon as something of it is written.
    if (chapter?.title !== undefined && chapter.number !== this.begun) {
      this.begun = chapter.number;
      this.write(`chapter ${chapter.number}: writing "${chapter.title}"`);
    }
    const line = lineOf(this.view, event);
    if (line !== undefined) this.write(line);
  }

  private write(line: string): void {
    this.show(printable(line));
  }

  pause(): void {}

  end(): void {}
}

/** The line that an event is worth; undefined for the ones that only fill the view. */
function lineOf({ chapter, coverage, byteCoverage }: RunView, event: RunEvent): string | undefined {
  const where = chapter ? `chapter ${chapter.number}` : 'manuscript';
  switch (event.type) {
    case 'node_complete':
      return NODES_OF_THEIR_OWN.has(String(event.data['node']))
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
      return 'answered; the run goes on';
    case 'rollback_performed':
      return 'went back to the last checkpoint';
    default:
      return undefined;
  }
}
