import { isWholeWork, worksOf } from '../../apps/studio/src/ui/works.js';

const run = (id: string, session_id: string, kind: string, mode: string | null = null, parent?: string) => ({
  id,
  session_id,
  kind,
  mode,
  parent_run_id: parent ?? null,
});

describe('X22 the works of the first page', () => {
  it('are the newest runs of their sessions, without suggestions, changes and child runs', () => {
    const runs = [
      run('suggested', 'plan', 'plan', 'suggest'),
      run('changed', 'document', 'change'),
      run('planned', 'plan', 'plan', 'run'),
      run('child', 'book', 'book', 'chapter', 'whole'),
      run('whole', 'book', 'book', 'book'),
      run('written', 'document', 'document'),
      run('outline', 'book', 'book', 'toc'),
      run('only suggested', 'idea', 'plan', 'suggest'),
    ];
    expect(worksOf(runs).map(({ id }) => id)).toEqual(['planned', 'whole', 'written']);
  });

  it('have the status of their newest run, except for books, of which a run writes a part', () => {
    expect(['document', 'book', 'article', 'plan'].filter((kind) => isWholeWork({ kind }))).toEqual([
      'document',
      'article',
      'plan',
    ]);
  });
});
