import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../api/session';

/** Says that the session has ended, in another window or with its key, and leads back here after the sign-in. */
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
