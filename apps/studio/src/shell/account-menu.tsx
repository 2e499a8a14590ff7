import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { retryingImport } from '../api/retrying-import';
import { sessionQuery } from '../api/session';

const AccountEntries = lazy(retryingImport(() => import('./account-entries')));

/** Shows the signed-in account; its menu is loaded on demand. */
export function AccountMenu() {
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
