import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState, type MouseEvent } from 'react';
import { useTranslation } from '../i18n/i18n';
import { useRemovals } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { PageLoader } from '../ui/page-loader';
import './shell.css';
import { Button, Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery, useMay, type Scope } from '../api/session';
import { openDecisionsQuery } from '../api/decisions';

const UndoNotices = lazy(retryingImport(() => import('./undo-notices')));

/**
 * Renders header, navigation and page of a signed-in user. Uses plain elements, which are painted before the
 * first data arrives; `index.html` itself paints the header.
 */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const hasRemoved = useRemovals().length > 0;
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <header className="shell-header">
        <button
          type="button"
          className="shell-menu"
          aria-label={t('shell.menu')}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={toggle}
        />
        <span className="shell-name">Scriptorium</span>
        <AccountMenu />
      </header>
      <div className="shell-navigation" id="navigation" data-open={isOpen}>
        <Navigation onNavigate={close} />
      </div>
      <main className="shell-content" id="content" tabIndex={-1}>
        <SignedOut />
        <Suspense fallback={<PageLoader />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>{hasRemoved && <UndoNotices />}</Suspense>
    </div>
  );
}

const AccountEntries = lazy(retryingImport(() => import('./account-entries')));

/** Shows the signed-in account; its menu is loaded on demand. */
function AccountMenu() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const [isAsked, setAsked] = useState(false);
  const name = session?.tenant_name ?? t('account.menu');
  const button = (
    <Button variant="subtle" size="compact-md" aria-haspopup="menu" onClick={() => setAsked(true)}>
      {name}
    </Button>
  );
  if (!isAsked) return button;
  return (
    <Suspense fallback={button}>
      <AccountEntries name={name} keyName={session?.api_key_name ?? ''} />
    </Suspense>
  );
}

/** Reports that the session has ended, and returns here after sign-in. */
function SignedOut() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const here = useRouterState({ select: ({ location }) => location.href });
  if (session !== null) return null;
  return (
    <div className="shell-notice" role="alert">
      {t('problem.signedOut')} <a href={`/sign-in?from=${encodeURIComponent(here)}`}>{t('problem.signIn')}</a>
    </div>
  );
}

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
  {
    name: 'work',
    entries: [{ name: 'decisions' }, { name: 'runs' }, { name: 'schedules' }, { name: 'knowledge' }],
  },
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
function Navigation({ onNavigate }: { onNavigate: () => void }) {
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

/** Outlines of the icons on a grid of 24 by 24, by the name of the navigation entry. */
const OUTLINES: Record<string, string> = {
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  documents: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  books: 'M5 4h6a2 2 0 012 2v14a2 2 0 00-2-2H5zM19 4h-4a2 2 0 00-2 2v14a2 2 0 012-2h4z',
  articles: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  plans: 'M4 4h6v5H4zM14 15h6v5h-6zM7 9v8h7',
  decisions: 'M4 5h16v11H9l-5 4zM9.5 9a2.5 2.5 0 115 0c0 1.5-2.5 1.5-2.5 3',
  runs: 'M12 4a8 8 0 108 8M12 8v4l3 2M15 4h5v5',
  schedules: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M12 13v3l2 1',
  knowledge: 'M4 7c0-4 16-4 16 0v10c0 4-16 4-16 0zM4 7c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  model: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  access: 'M9 15a4 4 0 113-3l8 8M16 16l2-2',
  webhooks: 'M9 7a3 3 0 116 0c0 2-2 2-3 5l-2 4M7 13a3 3 0 101 6h8a3 3 0 100-4',
  audit: 'M5 4h14v16H5zM8 9h8M8 13h8M8 17h4',
  service: 'M4 5h16v5H4zM4 14h16v5H4zM7 7.5h1M7 16.5h1',
};

/** Shows the icon of a navigation entry, which its name accompanies. */
function Icon({ name }: { name: string }) {
  return (
    <svg className="shell-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  );
}
