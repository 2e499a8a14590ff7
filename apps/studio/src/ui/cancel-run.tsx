import { useTranslation } from '../i18n/i18n';
import { ConfirmButton } from './confirm-button';

interface CancelRunProps {
  isCancelling: boolean;
  onCancel: () => void;
}

/** Cancels a run after a second press. */
export function CancelRun({ isCancelling, onCancel }: CancelRunProps) {
  const { t } = useTranslation();
  return (
    <ConfirmButton
      label={t('run.cancel')}
      confirm={t('run.cancelNow')}
      consequence={t('run.cancelText')}
      loading={isCancelling}
      onConfirm={onCancel}
    />
  );
}
