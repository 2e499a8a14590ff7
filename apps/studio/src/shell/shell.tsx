import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { useRemovals } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { PageLoader } from '../ui/page-loader';
import { Navigation } from './navigation';
import './shell.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';

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
