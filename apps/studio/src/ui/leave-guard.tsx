import { Button, Group } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from '../i18n/i18n';
import { LazyDialog } from './lazy-part';

/** Asks before the user leaves the page and loses changes. */
export function LeaveGuard({ of, isLost }: { of: 'plans' | 'selection'; isLost: boolean }) {
  const { t } = useTranslation();
  const leaving = useBlocker({ shouldBlockFn: () => isLost, enableBeforeUnload: isLost, withResolver: true });
  return (
    <LazyDialog
      title={t(`${of}.leave`)}
      isOpen={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
    >
      <Group justify="flex-end">
        <Button variant="default" onClick={leaving.reset} children={t('plans.stay')} />
        <Button onClick={leaving.proceed} children={t('plans.leaveNow')} />
      </Group>
    </LazyDialog>
  );
}
