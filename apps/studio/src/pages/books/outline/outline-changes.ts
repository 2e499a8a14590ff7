import type { Outline } from '../../../api/books';

export interface OutlineChange {
  key: string;
  kind: 'same' | 'changed' | 'moved' | 'added' | 'removed';
  /** Number and title before; null for a new chapter. */
  before: string | null;
  /** Number and title after; null for a removed one. */
  after: string | null;
}

interface Placed {
  number: number;
  chapter: Outline['chapters'][number];
}

/**
 * Returns the effect of a proposed outline on each chapter, in the proposal's order; removed chapters are
 * last.
 */
export function outlineChanges(now: Outline, proposed: Outline): OutlineChange[] {
  const before = new Map(now.chapters.map((chapter, i) => [chapter.id, { number: i + 1, chapter }]));
  const kept = proposed.chapters.map((chapter, i): OutlineChange => {
    const after = { number: i + 1, chapter };
    const old = chapter.id === undefined ? undefined : before.get(chapter.id);
    if (chapter.id !== undefined) before.delete(chapter.id);
    return {
      key: chapter.id ?? `new-${i}`,
      kind: old ? kindOf(old, after) : 'added',
      before: old ? named(old) : null,
      after: named(after),
    };
  });
  const gone = [...before.values()].map((old): OutlineChange => ({
    key: old.chapter.id ?? `gone-${old.number}`,
    kind: 'removed',
    before: named(old),
    after: null,
  }));
  return [...kept, ...gone];
}

const named = ({ number, chapter }: Placed): string => `${number}. ${chapter.title}`;

function kindOf(old: Placed, now: Placed): OutlineChange['kind'] {
  const content = ({ chapter: { title, summary, sections } }: Placed) =>
    JSON.stringify([title, summary, sections]);
  if (content(old) !== content(now)) return 'changed';
  return old.number === now.number ? 'same' : 'moved';
}
