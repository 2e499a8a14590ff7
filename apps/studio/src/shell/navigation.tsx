import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from '../i18n/i18n';
import { openDecisionsQuery } from '../api/decisions';
import { useMay, type Scope } from '../api/session';
import { Icon } from './icons';

interface Entry {
  name: string;
  /** Scope that the page requires. */
  scope?: Scope;
}

const GROUPS: readonly { name: string; entries: readonly Entry[] }[] = [
  {
    name: 'writing',
    entries: [
      { name: 'home' },
      { name: 'documents' },
      { name: 'books' },
      { name: 'articles' },
      { name: 'plans' },
    ],
  },
  { name: 'work', entries: [{ name: 'decisions' }, { name: 'runs' }, { name: 'knowledge' }] },
  {
    name: 'operation',
    entries: [
      { name: 'usage' },
      { name: 'model' },
      { name: 'access' },
      { name: 'webhooks', scope: 'admin' },
      { name: 'audit', scope: 'admin' },
      { name: 'service', scope: 'admin' },
    ],
  },
];

/** Shows the links to all pages, and the number of open questions. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  return (
    <nav aria-label={t('nav.label')}>
      {GROUPS.map(({ name, entries }) => (
        <div key={name} role="group" aria-labelledby={`navigation-${name}`}>
          <div className="shell-group" id={`navigation-${name}`}>
            {t(`navGroup.${name}`)}
          </div>
          {entries
            .filter(({ scope }) => scope !== 'admin' || isAdmin)
            .map((entry) => (
              <NavigationEntry key={entry.name} name={entry.name} onNavigate={onNavigate} />
            ))}
        </div>
      ))}
    </nav>
  );
}

/** A plain link with a fixed address; links of the router would recompute theirs after any change. */
function NavigationEntry({ name, onNavigate }: { name: string; onNavigate: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const to = name === 'home' ? '/' : `/${name}`;
  const isHere = useRouterState({
    select: ({ location: { pathname } }) => (to === '/' ? pathname === to : pathname.startsWith(to)),
  });
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onNavigate();
    void router.navigate({ to });
  };
  return (
    <a
      className="shell-entry"
      href={to}
      aria-current={isHere ? 'page' : undefined}
      onClick={open}
      onPointerEnter={() => void router.preloadRoute({ to })}
    >
      <Icon name={name} />
      <span className="shell-entry-name">{t(`nav.${name}`)}</span>
      {name === 'decisions' && <Waiting />}
    </a>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const open = useQuery(openDecisionsQuery).data?.items.length ?? 0;
  if (open === 0) return null;
  return (
    <Badge color="yellow" aria-label={t('nav.waiting', { count: open })}>
      {open}
    </Badge>
  );
}
