import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

/** Returns the tab or view that a parameter of the page's address names, and a function that changes it. */
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

/** A tab: its name in the address, its label, and what it shows. */
interface PageTab {
  name: string;
  label: string;
  content: ReactNode;
}

interface PageTabsProps {
  tabs: readonly (PageTab | false | undefined)[];
  /** Tab that is shown first; the first one if it is omitted. */
  initial?: string;
  /** Parameter of the address. */
  parameter?: string;
}

/** Shows the tab that the address names, or else the initial one; the others are fetched when they are opened. */
export function PageTabs({ tabs, initial, parameter }: PageTabsProps) {
  const shown = tabs.filter((tab) => !!tab);
  const first = initial ?? shown[0]!.name;
  const [named, choose] = useTab(first, parameter);
  return (
    <Tabs
      value={shown.some(({ name }) => name === named) ? named : first}
      onChange={choose}
      keepMounted={false}
    >
      <Tabs.List mb="sm">
        {shown.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name} children={label} />
        ))}
      </Tabs.List>
      {shown.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name} children={content} />
      ))}
    </Tabs>
  );
}
