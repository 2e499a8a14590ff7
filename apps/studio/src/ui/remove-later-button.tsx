import { Button } from '@mantine/core';
import { removeLater, type Removal } from '../api/removals';
import { useTranslation } from '../i18n/i18n';

/** Removes an item of a list; that can be undone for a while. */
export function RemoveLaterButton(removal: Removal) {
  const { t } = useTranslation();
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`${t('knowledge.remove')}: ${removal.name}`}
      onClick={() => removeLater(removal)}
    >
      {t('knowledge.remove')}
    </Button>
  );
}
