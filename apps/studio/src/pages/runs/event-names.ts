/** What names and sentences use of an event. */
export interface EventFacts {
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

/** Names of what a run's events refer to by ID. */
export interface EventNames {
  /** Types of the decisions. */
  decisions: ReadonlyMap<string, string>;
  /** Labels of the named checkpoints. */
  checkpoints: ReadonlyMap<string, string>;
  /** Numbers of the chapters. */
  chapters: ReadonlyMap<string, number>;
  /** `seq` of the event with which the work on the run began; null while it is queued. */
  begin: number | null;
}

/** Events that name what an ID refers to: the field of the ID, the field of the name, and the list of names. */
const NAMING: Record<string, [string, string, 'decisions' | 'checkpoints' | 'chapters']> = {
  decision_required: ['decision_id', 'decision_type', 'decisions'],
  checkpoint_saved: ['checkpoint_id', 'label', 'checkpoints'],
  chapter_reviewed: ['chapter_id', 'number', 'chapters'],
  chapter_persisted: ['chapter_id', 'number', 'chapters'],
  chapter_kept: ['chapter_id', 'number', 'chapters'],
};

/** Returns the names of what the events refer to by ID. */
export function namesIn(events: readonly EventFacts[]): EventNames {
  const names = {
    decisions: new Map<string, string>(),
    checkpoints: new Map<string, string>(),
    chapters: new Map<string, number>(),
  };
  let begin: number | null = null;
  for (const { seq, type, data } of events) {
    if (type === 'run_status' && data['status'] === 'running') begin ??= seq;
    const [id, name, list] = NAMING[type] ?? [];
    if (list) (names[list] as Map<unknown, unknown>).set(data[id!], data[name!]);
  }
  return { ...names, begin };
}
