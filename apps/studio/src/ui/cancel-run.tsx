import { useMutation } from '@tanstack/react-query';
import { cancelRun } from '../api/runs';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './confirm-button';
import { ProblemAlert } from './problem-alert';

/** Cancels a run after a second press. */
export function CancelRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const cancelling = useMutation({ mutationFn: () => cancelRun(runId) });
  return (
    <>
      <ConfirmButton
        label={t('run.cancel')}
        confirm={t('run.cancelNow')}
        consequence={t('run.cancelText')}
        loading={cancelling.isPending}
        onConfirm={() => cancelling.mutate()}
      />
      {cancelling.error && <ProblemAlert error={cancelling.error} />}
    </>
  );
}
