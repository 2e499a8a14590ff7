import { useEffect, useReducer, useState } from 'react';
import { Drafts, type Draft } from '../api/drafts';

/**
 * The drafts of one thing, as fresh as what other tabs do to them.
 *
 * @param place names the thing, such as `scriptorium.chapter.<id>`
 * @param isSaved whether the server has what a draft holds: such a draft is removed when the page shows the thing
 * @param onOther called when another tab has changed or saved a draft, so that what the server has is read anew
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

  /** Does something to the drafts and shows what they are then. */
  const act = (change: () => void) => {
    change();
    show();
  };
  return {
    own: drafts.own,
    others: drafts.others.filter(({ content }) => !isSaved(content)),
    keep: (content: T, etag: string) => act(() => drafts.keep(content, etag)),
    forget: () => act(() => drafts.forget()),
    /** Removes the draft of this tab if it is what was saved: what was typed since then stays. */
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
