import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useRouterState, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type MouseEvent } from 'react';
import { useTranslation } from '../i18n/i18n';
import { useRemovals } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { PageLoader } from '../ui/frames';
import './shell.css';
import { Button, Badge } from '@mantine/core';
import { useQuery, type Query } from '@tanstack/react-query';
import { queryClient } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { notificationsQuery, openDecisionsQuery } from '../api/decisions';

const Search = lazy(retryingImport(() => import('./search')));
const UndoNotices = lazy(retryingImport(() => import('./undo-notices')));

/**
 * Renders header, navigation and page of a signed-in user. Uses plain elements, which are painted before the
 * first data arrives; `index.html` itself paints the header.
 */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const router = useRouter();
  const hasRemoved = useRemovals().length > 0;
  const [searches, setSearches] = useState(0);
  const search = () => setSearches((count) => count + 1);
  useHotkeys([['mod+K', search]], []);
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
        <a
          className="shell-name"
          href="/"
          onClick={(event) => openHere(event, () => router.navigate({ to: '/' }))}
        >
          Scriptorium
        </a>
        <AccountMenu />
      </header>
      <div className="shell-navigation" id="navigation" data-open={isOpen}>
        <Navigation
          onNavigate={close}
          onSearch={() => {
            close();
            search();
          }}
        />
      </div>
      <main className="shell-content" id="content" tabIndex={-1}>
        <SignedOut />
        <OldData />
        <Suspense fallback={<PageLoader />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>{hasRemoved && <UndoNotices />}</Suspense>
      <Suspense>{searches > 0 && <Search opened={searches} />}</Suspense>
    </div>
  );
}

const AccountEntries = lazy(retryingImport(() => import('./account-entries')));

/** Shows the signed-in account; its menu is loaded on demand. */
function AccountMenu() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const [isAsked, setAsked] = useState(false);
  // The first start names its tenant "default", which says nothing to people.
  const name = session && session.tenant_name !== 'default' ? session.tenant_name : t('account.menu');
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

/** Returns whether a page shows data that could not be fetched again. */
const isOld = ({ state: { status, data } }: Query): boolean => status === 'error' && data !== undefined;
const queries = queryClient.getQueryCache();
const shown = { type: 'active', predicate: isOld } as const;

/** Says that the page may show old data, because the service could not be reached. */
function OldData() {
  const { t } = useTranslation();
  const isShown = useSyncExternalStore(
    (listener) => queries.subscribe(listener),
    () => queries.findAll(shown).length > 0,
  );
  if (!isShown) return null;
  return (
    <div className="shell-notice" role="status">
      {t('problem.old')}{' '}
      <Button size="compact-xs" variant="default" onClick={() => void queryClient.refetchQueries(shown)}>
        {t('problem.retry')}
      </Button>
    </div>
  );
}

/** Entries of the navigation, with the beginnings of the addresses that belong to them. */
const ENTRIES = [
  { name: 'decisions', to: '/inbox', pages: [] },
  { name: 'work', to: '/work', pages: ['/documents', '/books', '/articles', '/plans', '/style'] },
  { name: 'knowledge', to: '/sources', pages: ['/knowledge'] },
  { name: 'schedules', to: '/schedules', pages: [] },
] as const;
type Entry = (typeof ENTRIES)[number];

/** Shows the search, and the links to the main pages with the number of open questions. */
function Navigation({ onNavigate, onSearch }: { onNavigate: () => void; onSearch: () => void }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('nav.label')}>
      <button type="button" className="shell-entry" onClick={onSearch}>
        <Icon name="search" />
        <span className="shell-entry-name">{t('nav.search')}</span>
        <kbd className="shell-key">{t('nav.searchKey')}</kbd>
      </button>
      {ENTRIES.map((entry) => (
        <NavigationEntry key={entry.name} entry={entry} onNavigate={onNavigate} />
      ))}
    </nav>
  );
}

/** A plain link with a fixed address; links of the router would recompute theirs after any change. */
function NavigationEntry({ entry, onNavigate }: { entry: Entry; onNavigate: () => void }) {
  const { name, to, pages } = entry;
  const { t } = useTranslation();
  const router = useRouter();
  const isHere = useRouterState({
    select: ({ location: { pathname } }) => [to, ...pages].some((page) => pathname.startsWith(page)),
  });
  return (
    <a
      className="shell-entry"
      href={to}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event) =>
        openHere(event, () => {
          onNavigate();
          void router.navigate({ to });
        })
      }
      onPointerEnter={() => void router.preloadRoute({ to })}
    >
      <Icon name={name} />
      <span className="shell-entry-name">{t(`nav.${name}`)}</span>
      {name === 'decisions' && <Waiting />}
    </a>
  );
}

/** Opens a page of the studio without loading it again, unless a key asks for another window. */
function openHere(event: MouseEvent, open: () => unknown): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void open();
}

/** Shows the number of open questions; in the background, notifications that the user allowed, which open their pages. */
function Waiting() {
  const { t } = useTranslation();
  const router = useRouter();
  const refetchIntervalInBackground = useQuery(notificationsQuery).data === 'granted';
  const { data } = useQuery({ ...openDecisionsQuery, refetchIntervalInBackground });
  const open = data?.items.length ?? 0;
  const known = useRef<readonly string[]>(undefined);
  useEffect(() => {
    // A question is news again when its deadline is near.
    const [before, now] = [known.current, data?.items.map(({ id, reminded_at: due }) => `${id} ${due}`)];
    known.current = now ?? before;
    const fresh = before && data?.items.find((_, index) => !before.includes(now![index]!));
    if (!fresh || !document.hidden || !refetchIntervalInBackground) return;
    const body = fresh.reminded_at ? t('nav.due') : t('nav.waiting', { count: open });
    try {
      new Notification('Scriptorium', { body, tag: fresh.id }).onclick = () => {
        window.focus();
        router.history.push(`/inbox?question=${fresh.id}`);
      };
    } catch {
      // Browsers of phones throw: they notify only through a service worker.
    }
  }, [data, open, refetchIntervalInBackground, router, t]);
  return open > 0 && <Badge color="yellow" aria-label={t('nav.waiting', { count: open })} children={open} />;
}

/** Outlines of the icons on a grid of 24 by 24, by the name of the navigation entry. */
const OUTLINES: Record<string, string> = {
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20',
  decisions: 'M4 5h16v14H4zM4 13h5l1.5 3h3L15 13h5',
  work: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  knowledge: 'M4 7c0-4 16-4 16 0v10c0 4-16 4-16 0zM4 7c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  schedules: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M12 13v3l2 1',
};

/** Shows the icon of a navigation entry, which its name accompanies. */
function Icon({ name }: { name: string }) {
  return (
    <svg className="shell-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  );
}
