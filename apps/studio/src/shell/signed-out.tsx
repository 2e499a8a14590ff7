import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../api/session';

/** Reports that the session has ended, and returns here after sign-in. */
export function SignedOut() {
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
