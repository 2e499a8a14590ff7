/**
 * Possible findings about a run: it did not end, something happened twice, a question was answered by nobody or with
 * another answer, or its result differs from an undisturbed run. Finding about the harness: no process reached a point
 * where one was to die.
 */
export type FindingKind = 'lost' | 'doubled' | 'answered by accident' | 'altered' | 'not reached';

export interface Finding {
  kind: FindingKind;
  runId: string | null;
  what: string;
}

/** Collects the findings about one run. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(private readonly runId: string) {}

  expect(holds: boolean, kind: FindingKind, what: string): void {
    if (!holds) this.all.push({ kind, runId: this.runId, what });
  }
}
