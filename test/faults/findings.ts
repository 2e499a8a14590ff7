/**
 * What may be wrong with a run: it did not end, something happened twice, a question was answered by nobody or by something
 * else than its answer, or what it left differs from an undisturbed run. And with the harness: no process came where one was
 * to die.
 */
export type FindingKind = 'lost' | 'doubled' | 'answered by accident' | 'altered' | 'not reached';

export interface Finding {
  kind: FindingKind;
  runId: string | null;
  what: string;
}

/** Gathers what is wrong with one run. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(private readonly runId: string) {}

  expect(holds: boolean, kind: FindingKind, what: string): void {
    if (!holds) this.all.push({ kind, runId: this.runId, what });
  }
}
