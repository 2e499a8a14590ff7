interface ListedRun {
  kind: string;
  mode: string | null;
  parent_run_id: string | null;
  session_id: string;
}

/**
 * Returns the newest run of each piece of work, in their order. A book has a run for its outline and one for each
 * chapter; child runs, suggestions of plans and changes of selections are parts of other work, or none.
 *
 * @param runs newest first
 */
export function worksOf<R extends ListedRun>(runs: readonly R[]): R[] {
  return runs
    .filter(
      ({ kind, mode, parent_run_id: parent }) => parent === null && kind !== 'change' && mode !== 'suggest',
    )
    .filter(({ session_id: id }, at, all) => all.findIndex(({ session_id: other }) => other === id) === at);
}

/** Returns whether the end of a run is the end of its work. That of a book goes on: the run wrote only a part of it. */
export const isWholeWork = ({ kind }: Pick<ListedRun, 'kind'>): boolean => kind !== 'book';
