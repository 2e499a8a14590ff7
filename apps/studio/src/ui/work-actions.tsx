import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteSession } from '../api/documents';
import { removeLater } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { useMay } from '../api/session';

const FormDialog = lazy(retryingImport(() => import('./form-dialog')));
const RenameWork = lazy(retryingImport(() => import('./rename-work')));

interface WorkActionsProps {
  /** ID of the list's item, which is hidden when it is deleted. */
  id: string;
  sessionId: string;
  name: string;
  /** Whether a run is active; then nothing can be deleted. */
  isActive: boolean;
  /** Called when the work was deleted, for a page that only shows it. */
  onDeleted?: () => void;
}

/** Buttons that rename a document, article or plan, and delete it with its files; deletion can be undone. */
export function WorkActions({ id, sessionId, name, isActive, onDeleted }: WorkActionsProps) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (!useMay('write')) return null;
  const rename = () => {
    setLoaded(true);
    setRenaming(true);
  };
  const remove = () => {
    removeLater({ id, name, remove: () => deleteSession(sessionId) });
    onDeleted?.();
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button variant="subtle" size="compact-sm" aria-label={`${t('work.rename')}: ${name}`} onClick={rename}>
        {t('work.rename')}
      </Button>
      {!isActive && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`${t('work.delete')}: ${name}`}
          onClick={remove}
        >
          {t('work.delete')}
        </Button>
      )}
      {isLoaded && (
        <Suspense>
          <FormDialog title={t('work.rename')} isOpen={isRenaming} onClose={() => setRenaming(false)}>
            <RenameWork sessionId={sessionId} title={name} onRenamed={() => setRenaming(false)} />
          </FormDialog>
        </Suspense>
      )}
    </Group>
  );
}
