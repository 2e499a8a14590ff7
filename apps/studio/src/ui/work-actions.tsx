import { Button, Group, Tooltip } from '@mantine/core';
import { lazy, useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { removeLater } from '../api/removals';
import { retryingImport } from '../api/retrying-import';
import { useMay } from '../api/session';
import { LazyDialog } from './lazy-dialog';

const RenameWork = lazy(retryingImport(() => import('./rename-work')));

interface WorkActionsProps {
  /** ID of the list's item, which is hidden when it is deleted. */
  id: string;
  name: string;
  /** Whether a run is active; then the button says why nothing can be deleted. */
  isActive: boolean;
  /** Changes the name to what the user typed. */
  rename: (name: string) => Promise<unknown>;
  /** Deletes the work, when the time to undo has passed. */
  remove: () => Promise<unknown>;
  /** Called when the work was deleted, for a page that only shows it. */
  onDeleted?: () => void;
}

/** Buttons that rename a piece of work, and delete it with all that belongs to it; deletion can be undone. */
export function WorkActions({ id, name, isActive, rename, remove, onDeleted }: WorkActionsProps) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  if (!useMay('write')) return null;
  const removeWork = () => {
    removeLater({ id, name, remove });
    onDeleted?.();
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${t('work.rename')}: ${name}`}
        onClick={() => setRenaming(true)}
      >
        {t('work.rename')}
      </Button>
      <Tooltip
        label={t('work.isActive')}
        disabled={!isActive}
        withinPortal={false}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`${t('work.delete')}: ${name}`}
          aria-disabled={isActive}
          data-disabled={isActive || undefined}
          onClick={isActive ? undefined : removeWork}
        >
          {t('work.delete')}
        </Button>
      </Tooltip>
      <LazyDialog title={t('work.rename')} isOpen={isRenaming} onClose={() => setRenaming(false)}>
        <RenameWork name={name} rename={rename} onRenamed={() => setRenaming(false)} />
      </LazyDialog>
    </Group>
  );
}
