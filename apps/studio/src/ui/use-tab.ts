import { useNavigate, useSearch } from '@tanstack/react-router';

/** Returns the tab that the page's address names, and a function that changes it. */
export function useTab(initial: string): [string, (tab: string | null) => void] {
  const navigate = useNavigate();
  const { tab = initial }: { tab?: string } = useSearch({ strict: false });
  const setTab = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, tab: chosen === null || chosen === initial ? undefined : chosen }),
      replace: true,
    });
  return [tab, setTab];
}
