import { cancelRun } from '../api/runs';
import { useTranslation } from '../i18n/i18n';
import { ConfirmedAction } from './action-button';

/** Cancels a run after a second press. */
export function CancelRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  return (
    <ConfirmedAction
      label={t('run.cancel')}
      confirm={t('run.cancelNow')}
      consequence={t('run.cancelText')}
      act={() => cancelRun(runId)}
    />
  );
}
