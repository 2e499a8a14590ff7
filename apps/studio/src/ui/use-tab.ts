import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Returns the tab or view that the page's address names, and a function that changes it.
 *
 * @param name parameter of the address
 */
export function useTab(initial: string, name = 'tab'): [string, (tab: string | null) => void] {
  const navigate = useNavigate();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const tab = search[name] === undefined ? initial : String(search[name]);
  const setTab = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [name]: chosen === null || chosen === initial ? undefined : chosen }),
      replace: true,
    });
  return [tab, setTab];
}
