import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useRemovals } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { PageLoader } from '../ui/page-loader';
import { AccountMenu } from './account-menu';
import { Navigation } from './navigation';
import { SignedOut } from './signed-out';
import './shell.css';

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
