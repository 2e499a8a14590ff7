import { SmallButton } from '../ui/actions';
import { Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { removeLater, undoRemoval, useRemovals, type Removal } from '../api/removals';
import { ProblemAlert } from '../ui/frames';
import './undo-notices.css';

/** Shows recent removals on any page, each with an undo button. */
export default function UndoNotices() {
  const removals = useRemovals();
  return (
    <div className="undo-notices" role="status">
      {removals.map((removal) => (
        <Notice key={removal.id} {...removal} />
      ))}
    </div>
  );
}

function Notice({ id, name, remove, error }: Removal) {
  const { t } = useTranslation();
  if (error !== undefined)
    return <ProblemAlert error={error} onRetry={() => removeLater({ id, name, remove })} />;
  return (
    <div className="undo-notice">
      <Text size="sm" truncate>
        {t('removal.done', { name })}
      </Text>
      {/* The previously focused element was removed from the page. */}
      <SmallButton autoFocus label={t('removal.undo')} name={name} onClick={() => undoRemoval(id)} />
    </div>
  );
}
