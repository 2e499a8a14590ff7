import { useTranslation } from 'react-i18next';
import { ConfirmButton } from '../../ui/confirm-button';

interface StopArticleProps {
  isBusy: boolean;
  onStop: () => void;
}

/** Ends an article at its question, after a second press. */
export function StopArticle({ isBusy, onStop }: StopArticleProps) {
  const { t } = useTranslation();
  return (
    <ConfirmButton
      size="sm"
      label={t('articles.stop')}
      confirm={t('articles.stopNow')}
      consequence={t('articles.stopText')}
      disabled={isBusy}
      onConfirm={onStop}
    />
  );
}
