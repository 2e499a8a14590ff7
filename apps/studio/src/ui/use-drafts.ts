import { useEffect, useReducer, useState } from 'react';
import { Drafts, type Draft } from '../api/drafts';

/**
 * Returns the drafts of one resource; updates when other tabs change them.
 *
 * @param place identifies the resource, such as `scriptorium.chapter.<id>`
 * @param isSaved returns whether the server has a draft's content; such a draft is removed on mount
 * @param onOther called when another tab has changed or saved a draft, so that the server's version is
 *   fetched again
 */
export function useDrafts<T>(place: string, isSaved: (content: T) => boolean, onOther: () => void) {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const [drafts] = useState(() => {
    const all = new Drafts<T>(place, localStorage, sessionStorage);
    if (all.own && isSaved(all.own.content)) all.forget();
    return all;
  });
  useEffect(() => {
    const look = ({ key }: StorageEvent) => {
      if (key !== null && !key.startsWith(`${place}.`)) return;
      drafts.secure();
      onOther();
      show();
    };
    window.addEventListener('storage', look);
    return () => window.removeEventListener('storage', look);
  }, [place, drafts, onOther]);

  /** Changes the drafts and re-renders. */
  const act = (change: () => void) => {
    change();
    show();
  };
  return {
    own: drafts.own,
    others: drafts.others.filter(({ content }) => !isSaved(content)),
    keep: (content: T, etag: string) => act(() => drafts.keep(content, etag)),
    forget: () => act(() => drafts.forget()),
    /** Removes this tab's draft if it equals the saved content; later changes stay. */
    saved: (content: T) =>
      act(() => {
        if (JSON.stringify(drafts.own?.content) === JSON.stringify(content)) drafts.forget();
      }),
    leave: () => act(() => drafts.leave()),
    take: (draft: Draft<T>) => act(() => drafts.take(draft)),
    discard: (draft: Draft<T>) => act(() => drafts.discard(draft)),
  };
}

export type DraftsOf<T> = ReturnType<typeof useDrafts<T>>;
