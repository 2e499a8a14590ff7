import type { RunEvent } from '#contracts/events.js';
import type { Progress } from './progress.js';
import { activityOf, fold, initialView, percent, type RunView } from './run-view.js';

/** Progress as plain lines, for logs and pipes: one line whenever something is begun or done. */
export class LineProgress implements Progress {
  private view: RunView = initialView();
  private lastLine = '';

  constructor(private readonly write: (line: string) => void) {}

  say(message: string): void {
    this.write(message);
  }

  event(event: RunEvent): void {
    this.view = fold(this.view, event);
    const line = lineOf(this.view, event);
    if (line === undefined || line === this.lastLine) return;
    this.lastLine = line;
    this.write(line);
  }

  pause(): void {}

  end(): void {}
}

/** The line that an event is worth; undefined for the ones that only fill the view. */
function lineOf(view: RunView, event: RunEvent): string | undefined {
  const { chapter, chapters, coverage } = view;
  const where = chapter ? `chapter ${chapter.number}` : 'manuscript';
  switch (event.type) {
    case 'node_complete':
      return nodeLine(view, String(event.data['node']));
    case 'validation_ran':
      return event.data['passed'] === true
        ? `${where}: validated${coverage === null ? '' : `, coverage ${percent(coverage)}`}`
        : `${where}: ${chapter?.activity ?? 'issues found'}`;
    case 'checkpoint_saved':
      return event.data['validated'] === true
        ? `${where}: saved${chapters[(chapter?.number ?? 0) - 1] ? ` "${chapters[chapter!.number - 1]}"` : ''}`
        : undefined;
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

function nodeLine({ chapter }: RunView, node: string): string | undefined {
  switch (node) {
    case 'tools':
      // The agent's visit alone may be its last one, which writes nothing.
      return `chapter ${chapter?.number ?? 1}: writing`;
    case 'scan_assets':
    case 'parse_to_json':
    case 'convert':
    case 'quality_check':
      return `${activityOf(node)}: done`;
    default:
      return undefined;
  }
}
