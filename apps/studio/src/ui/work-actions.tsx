import { SmallButton } from './actions';
import { NewItem } from './new-item';
import { Group, Tooltip } from '@mantine/core';
import { lazy } from 'react';
import { useTranslation } from '../i18n/i18n';
import { removeLater } from '../api/removals';
import { sessionActions } from '../api/documents';
import { retryingImport } from '../api/retrying-import';
import { useMay } from '../api/session';
import { useNavigate } from '@tanstack/react-router';
import { isOver, type Run } from '../api/runs';
import type { WorkKind } from '../api/work';

const RenameWork = lazy(retryingImport(() => import('./rename-work')));

const LOOK = { variant: 'subtle', size: 'compact-sm' } as const;

interface WorkActionsProps {
  /** ID of the session or, with actions of its own, of the list's item; it is hidden when it is deleted. */
  id: string;
  name: string;
  /** Newest run; while it is active, the button says why nothing can be deleted. */
  run?: Pick<Run, 'status'> | null | undefined;
  /** Changes the name to what the user typed; that of the session if omitted. */
  rename?: (name: string) => Promise<unknown>;
  /** Deletes the work, when the time to undo has passed; the session if omitted. */
  remove?: () => Promise<unknown>;
  /** Kind of the works that are listed after the work was deleted, for a page that only shows it. */
  leaveTo?: WorkKind;
}

/** Buttons that rename a piece of work, and delete it with all that belongs to it; deletion can be undone. */
export function WorkActions({ id, name, run, leaveTo, ...actions }: WorkActionsProps) {
  const { rename, remove } = { ...sessionActions(id), ...actions };
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isActive = run ? !isOver(run) : false;
  if (!useMay('write')) return null;
  const removeWork = () => {
    removeLater({ id, name, remove });
    if (leaveTo) void navigate({ to: '/work', search: { kind: leaveTo } });
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <NewItem {...LOOK} label={t('work.rename')} aria-label={`${t('work.rename')}: ${name}`}>
        <RenameWork name={name} rename={rename} />
      </NewItem>
      <Tooltip
        label={t('work.isActive')}
        disabled={!isActive}
        withinPortal={false}
        events={{ hover: true, focus: true, touch: true }}
      >
        <SmallButton {...LOOK} label={t('work.delete')} name={name} isIdle={isActive} onClick={removeWork} />
      </Tooltip>
    </Group>
  );
}
